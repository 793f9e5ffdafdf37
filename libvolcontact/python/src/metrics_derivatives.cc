// Derivatives of the volume and of the elastic wrench by the motions of both bodies.
//
// A motion of a body is (d, w): x goes to c + d + exp(w×)(x − c), c a point that stays where it is
// while d and w change: the origin of the body's frame, or the centroid. The library knows the
// derivatives by the motion of A about the centroid p, B at rest. What B's motion does follows
// from that: V depends on B⁻¹A alone, and a wrench turns with both bodies.
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>
#include <string>

#include "metrics_array.h"
#include "volcontact/forces/stiffness_matrix.h"
#include "volcontact/math/error.h"

namespace volcontact::python {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Vector12 = Eigen::Matrix<double, 12, 1, Eigen::DontAlign>;
using Matrix12 = Eigen::Matrix<double, 12, 12, Eigen::DontAlign>;
using Matrix612 = Eigen::Matrix<double, 6, 12, Eigen::DontAlign>;

Matrix3d Cross(const Vector3d& v) {
  Matrix3d m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

// The centroid from the point that a body's rotations are about; zero about the centroid.
struct Levers {
  Vector3d a = Vector3d::Zero(), b = Vector3d::Zero();
};

Levers LeversOf(const MetricsRecord& r, bool about_origins) {
  if (!about_origins) return {};
  const Vector3d p(r.centroid[0], r.centroid[1], r.centroid[2]);
  return {p - Vector3d(r.origins[0], r.origins[1], r.origins[2]),
          p - Vector3d(r.origins[3], r.origins[4], r.origins[5])};
}

// How a motion about c moves about p = c + lever, to first order.
Matrix6 AboutCentroid(const Vector3d& lever) {
  Matrix6 J = Matrix6::Identity();
  J.topRightCorner<3, 3>() = -Cross(lever);
  return J;
}

// The second-order part of that, d·(w×(w×lever))/2, as a bilinear form on w.
Matrix3d SecondOrder(const Vector3d& gradient, const Vector3d& lever) {
  return 0.5 * (gradient * lever.transpose() + lever * gradient.transpose()) -
         gradient.dot(lever) * Matrix3d::Identity();
}

// By motions of A, then of B.
Vector12 Gradient(const MetricsRecord& r, const Levers& levers) {
  Vector12 gradient = Vector12::Zero();
  if (!r.overlap) return gradient;
  const Vector3d a(r.area_vector[0], r.area_vector[1], r.area_vector[2]);
  const Vector3d m(r.area_moment[0], r.area_moment[1], r.area_moment[2]);
  gradient << -a, -m - levers.a.cross(a), a, m + levers.b.cross(a);
  return gradient;
}

// The Hessian of V = φ(δ, ω) by both motions about the centroid. To second order δ = d_A − d_B −
// w_B × (d_A − d_B) and ω = w_A − w_B − w_B × w_A / 2.
Matrix12 AboutOnePoint(const Matrix6& hessian, const Vector12& gradient) {
  Matrix12 H;
  H << hessian, -hessian, -hessian, hessian;
  const Matrix3d by_d = Cross(gradient.head<3>()), by_w = 0.5 * Cross(gradient.segment<3>(3));
  const auto add = [&H](int row, int column, const Matrix3d& block) {
    H.block<3, 3>(row, column) += block;
    H.block<3, 3>(column, row) += block.transpose();
  };
  add(9, 0, by_d);
  add(9, 6, -by_d);
  add(9, 3, by_w);
  return H;
}

Matrix12 Hessian(const MetricsRecord& r, const Matrix6& hessian, const Levers& levers) {
  const Vector12 gradient = Gradient(r, {});
  Matrix12 J = Matrix12::Identity();
  J.topLeftCorner<6, 6>() = AboutCentroid(levers.a);
  J.bottomRightCorner<6, 6>() = AboutCentroid(levers.b);
  Matrix12 H = J.transpose() * AboutOnePoint(hessian, gradient) * J;
  H.block<3, 3>(3, 3) += SecondOrder(gradient.head<3>(), levers.a);
  H.block<3, 3>(9, 9) += SecondOrder(gradient.segment<3>(6), levers.b);
  return 0.5 * (H + H.transpose());
}

// The derivative of the wrench on A about A's origin, which moves with A.
Matrix612 WrenchDerivative(const Vector6& about_centroid, const Matrix6& by_A,
                           const Levers& levers) {
  const Vector3d f = about_centroid.head<3>();
  Matrix6 together = Matrix6::Zero();  // of a motion of both bodies
  together.topRightCorner<3, 3>() = -Cross(f);
  together.bottomLeftCorner<3, 3>() = -Cross(f);
  together.bottomRightCorner<3, 3>() = -Cross(about_centroid.tail<3>());
  Matrix612 K;
  K << by_A * AboutCentroid(levers.a), (together - by_A) * AboutCentroid(levers.b);
  // τ about A's origin is τ + lever × f, the lever getting shorter by d.
  K.bottomRows<3>() += Cross(levers.a) * K.topRows<3>();
  K.block<3, 3>(3, 0) += Cross(f);
  return K;
}

bool AboutOrigins(const std::string& about) {
  if (about == "origins") return true;
  if (about == "centroid") return false;
  throw InvalidInput("about is '" + about + "'; it must be 'origins' or 'centroid'");
}

ContactDirection DirectionOf(const std::string& direction) {
  if (direction == "area_vector") return ContactDirection::kAreaVector;
  if (direction == "eigenvector") return ContactDirection::kEigenvector;
  throw InvalidInput("direction is '" + direction + "'; it must be 'area_vector' or 'eigenvector'");
}

void RequireDerivatives(const MetricsArray& self) {
  if (self.has_derivatives()) return;
  throw InvalidInput("these metrics have no second derivatives; query with hessian=True");
}

// An array of the leading shape with `extents` behind it.
Doubles ArrayFor(const MetricsArray& self, const Extents& extents) {
  Extents shape = self.shape();
  shape.insert(shape.end(), extents.begin(), extents.end());
  return Doubles(shape);
}

Doubles GradientOf(const MetricsArray& self, const std::string& about) {
  const bool about_origins = AboutOrigins(about);
  Doubles result = ArrayFor(self, {2, 6});
  for (std::size_t i = 0; i < self.size(); ++i) {
    const MetricsRecord& r = self.data()[i];
    Eigen::Map<Vector12>(result.mutable_data() + 12 * i) = Gradient(r, LeversOf(r, about_origins));
  }
  return result;
}

Doubles HessianOf(const MetricsArray& self, const std::string& about) {
  RequireDerivatives(self);
  const bool about_origins = AboutOrigins(about);
  Doubles result = ArrayFor(self, {2, 6, 2, 6});
  for (std::size_t i = 0; i < self.size(); ++i) {
    const MetricsRecord& r = self.data()[i];
    Eigen::Map<Matrix12> to(result.mutable_data() + 144 * i);
    to.setZero();
    if (!r.overlap) continue;
    const Matrix6 hessian = Eigen::Map<const Matrix6>(self.derivatives().data()[i].hessian);
    to = Hessian(r, hessian, LeversOf(r, about_origins));
  }
  return result;
}

Doubles WrenchOf(const MetricsArray& self, py::handle stiffness, const std::string& direction) {
  const double k = Real(stiffness, "stiffness");
  const ContactDirection along = DirectionOf(direction);
  Doubles result = ArrayFor(self, {6});
  for (std::size_t i = 0; i < self.size(); ++i) {
    const double* const o = self.data()[i].origins;
    Eigen::Map<Vector6>(result.mutable_data() + 6 * i) =
        ElasticWrench(MetricsOf(self, i), k, {o[0], o[1], o[2]}, along);
  }
  return result;
}

Doubles WrenchDerivativeOf(const MetricsArray& self, py::handle stiffness,
                           const std::string& direction) {
  RequireDerivatives(self);
  const double k = Real(stiffness, "stiffness");
  const ContactDirection along = DirectionOf(direction);
  Doubles result = ArrayFor(self, {6, 2, 6});
  using RowMajor = Eigen::Matrix<double, 6, 12, Eigen::RowMajor | Eigen::DontAlign>;
  for (std::size_t i = 0; i < self.size(); ++i) {
    const Metrics metrics = MetricsOf(self, i);
    Eigen::Map<RowMajor> to(result.mutable_data() + 72 * i);
    if (metrics.overlap && !metrics.hessian_W) {
      to.setConstant(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const Vector6 about_centroid = ElasticWrench(metrics, k, metrics.centroid_W, along);
    to = WrenchDerivative(about_centroid, ElasticWrenchDerivative(metrics, k, along),
                          LeversOf(self.data()[i], true));
  }
  return result;
}

constexpr char kGradientDoc[] =
    R"(First derivative of the volume by the motions of both bodies.

Returns an array (..., 2, 6): of A, then of B; by the translation d along the axes of W [m^2], then
by the rotation vector w [m^3]. Rotations are about the origin of the body's own frame, or with
about='centroid' about the centroid of the overlap, a point that stays where it is. Zero without
overlap.)";
constexpr char kHessianDoc[] =
    R"(Second derivative of the volume by the motions of both bodies, which are as for gradient():
d + exp(w) about the point.

Returns an array (..., 2, 6, 2, 6), symmetric. Metrics must come from a query with hessian=True
(ValueError otherwise). Zero without overlap; NaN where V has no second derivative or none is to be
had, with the reason among `warnings`.)";
constexpr char kWrenchDoc[] =
    R"(The elastic wrench of a volumetric contact on A in W: force k V n [N] along the normal, and its
torque about the origin of A's frame [N m].

stiffness is k of the pair [N/m^3] > 0; direction 'area_vector' or 'eigenvector' says which normal.
Returns an array (..., 6).)";
constexpr char kWrenchDerivativeDoc[] =
    R"(Its derivative by the motions of both bodies about the origins of their frames, as for gradient().

Returns an array (..., 6, 2, 6). Metrics must come from a query with hessian=True. Zero without
overlap, NaN where there is no second derivative of V.)";

}  // namespace

void BindMetricsDerivatives(py::class_<MetricsArray>* type) {
  type->def("gradient", &GradientOf, py::arg("about") = "origins", kGradientDoc);
  type->def("hessian", &HessianOf, py::arg("about") = "origins", kHessianDoc);
  type->def("elastic_wrench", &WrenchOf, py::arg("stiffness"), py::arg("direction") = "area_vector",
            kWrenchDoc);
  type->def("elastic_wrench_derivative", &WrenchDerivativeOf, py::arg("stiffness"),
            py::arg("direction") = "area_vector", kWrenchDerivativeDoc);
}

}  // namespace volcontact::python
