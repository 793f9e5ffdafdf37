#include "io/outlines/algebraic_solids.h"

#include <Eigen/LU>
#include <array>
#include <map>
#include <vector>

#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

std::vector<PolynomialTerm> TermsOf(const std::map<std::array<int, 3>, double>& sums) {
  std::vector<PolynomialTerm> terms;
  for (const auto& [exponents, coefficient] : sums) {
    if (coefficient != 0.0) terms.push_back({coefficient, exponents});
  }
  return terms;
}

// Adds factor · x_i x_j x_k x_l, with x_3 = 1.
void AddProduct(double factor, std::array<int, 4> variables,
                std::map<std::array<int, 3>, double>* sums) {
  if (factor == 0.0) return;
  std::array<int, 3> exponents = {0, 0, 0};
  for (const int v : variables) {
    if (v < 3) ++exponents[static_cast<std::size_t>(v)];
  }
  (*sums)[exponents] += factor;
}

}  // namespace

Solid HalfSpaceSolid(const Eigen::Vector3d& n, double d) {
  std::map<std::array<int, 3>, double> sums;
  for (int i = 0; i < 3; ++i) AddProduct(n[i], {i, 3, 3, 3}, &sums);
  AddProduct(-d, {3, 3, 3, 3}, &sums);
  return PolynomialSolid(TermsOf(sums));
}

SolidMap::SolidMap(const Eigen::Matrix3d& L) : L_(L), identity_(L.isIdentity(0.0)) {
  if (!identity_) inverse_.topLeftCorner<3, 3>() = L.inverse();
}

Eigen::Matrix4d SolidMap::Pulled(const Eigen::Matrix4d& Q) const {
  if (identity_) return Q;
  const Eigen::Matrix4d image = inverse_.transpose() * Q * inverse_;
  return 0.5 * (image + image.transpose());
}

Solid SolidMap::HalfSpaceImage(const Eigen::Vector3d& n, double d) const {
  if (identity_) return HalfSpaceSolid(n, d);
  return HalfSpaceSolid(inverse_.topLeftCorner<3, 3>().transpose() * n, d);
}

Solid SolidMap::QuadricImage(const Eigen::Matrix4d& Q) const { return Quadric(Pulled(Q)); }

Solid SolidMap::QuarticImage(const Eigen::Matrix4d& E, const Eigen::Vector4d& l,
                             const Eigen::Matrix4d& Q, bool at_most) const {
  const Eigen::Matrix4d e = Pulled(E), square = Pulled(l * l.transpose()), q = Pulled(Q);
  const double sign = at_most ? 1.0 : -1.0;
  std::map<std::array<int, 3>, double> sums;
  for (int i = 0; i < 256; ++i) {
    const int a = i % 4, b = i / 4 % 4, c = i / 16 % 4, d = i / 64;
    AddProduct(sign * (e(a, b) * e(c, d) - square(a, b) * q(c, d)), {a, b, c, d}, &sums);
  }
  return PolynomialSolid(TermsOf(sums));
}

Solid SolidMap::LooseBox(const Eigen::Vector3d& center, const Eigen::Vector3d& half,
                         bool flush_z) const {
  Eigen::Vector3d size = 2.0 * kLoose * half;
  if (flush_z) size.z() = 2.0 * half.z();
  if (identity_) return Box(size).Posed(Pose{center});
  // The ends and a box about all of the image.
  const Eigen::Vector3d image = L_.cwiseAbs() * size;
  const Solid bounds = Box(kLoose * image).Posed(Pose{L_ * center});
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  return Intersection({bounds, HalfSpaceImage(z, center.z() + 0.5 * size.z()),
                       HalfSpaceImage(-z, -(center.z() - 0.5 * size.z()))});
}

}  // namespace volcontact
