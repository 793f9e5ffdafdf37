#include "support/contact_scenes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "math/minimal_rotation.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;
constexpr double kTight = 1e-10;
// More than many contacts need; a query that goes astray ends.
constexpr long kMaxCells = 50'000;
constexpr double kLeastSize = 0.01, kLargestSize = 0.2;
constexpr double kLeastDepth = 1e-8, kLargestDepth = 1e-2;

double Between(double low, double high, double u) { return low + (high - low) * u; }

Vector3d Around(double angle) { return {std::cos(angle), std::sin(angle), 0.0}; }

// Plane faces.

Site HalfSpaceSite(const Vector3d& uvw) {
  return {{Between(-1.5, 1.5, uvw[0]), Between(-1.5, 1.5, uvw[1]), 0.0}, Vector3d::UnitZ()};
}

constexpr double kSlabHalf = 0.25;

Site SlabSite(const Vector3d& uvw) {
  const double side = uvw[2] < 0.5 ? -1.0 : 1.0;
  return {{Between(-1.5, 1.5, uvw[0]), Between(-1.5, 1.5, uvw[1]), side * kSlabHalf},
          side * Vector3d::UnitZ()};
}

// A site of a face of a box about the origin.
Site BoxFaceSite(const Vector3d& half, const Vector3d& uvw) {
  const int face = std::min(5, static_cast<int>(6.0 * uvw[2]));
  const int axis = face / 2;
  Site site;
  site.normal = (face % 2 ? 1.0 : -1.0) * Vector3d::Unit(axis);
  site.point = half[axis] * site.normal;
  for (int i = 1; i <= 2; ++i) {
    const int other = (axis + i) % 3;
    site.point[other] = 0.97 * half[other] * Between(-1.0, 1.0, uvw[i - 1]);
  }
  return site;
}

const Vector3d kBoxHalf(1.0, 0.8, 0.6);

Site BoxSite(const Vector3d& uvw) { return BoxFaceSite(kBoxHalf, uvw); }

// Curved sides.

Vector3d OnUnitSphere(const Vector3d& uvw) {
  const double z = Between(-1.0, 1.0, uvw[0]);
  return std::sqrt(1.0 - z * z) * Around(2.0 * kPi * uvw[1]) + z * Vector3d::UnitZ();
}

Site SphereSite(const Vector3d& uvw) {
  const Vector3d n = OnUnitSphere(uvw);
  return {n, n};
}

constexpr double kCylinderRadius = 0.8, kCylinderHalf = 0.75;

Site CylinderSite(const Vector3d& uvw) {
  const Vector3d out = Around(2.0 * kPi * uvw[0]);
  if (uvw[2] < 0.6) {
    const double z = kCylinderHalf * Between(-0.97, 0.97, uvw[1]);
    return {kCylinderRadius * out + z * Vector3d::UnitZ(), out};
  }
  const Vector3d n = (uvw[2] < 0.8 ? -1.0 : 1.0) * Vector3d::UnitZ();
  return {0.97 * kCylinderRadius * std::sqrt(uvw[1]) * out + kCylinderHalf * n, n};
}

Site InfiniteCylinderSite(const Vector3d& uvw) {
  const Vector3d out = Around(2.0 * kPi * uvw[0]);
  return {kCylinderRadius * out + Between(-2.0, 2.0, uvw[1]) * Vector3d::UnitZ(), out};
}

constexpr double kConeRadius = 1.0, kConeHeight = 1.2;

Site ConeSite(const Vector3d& uvw) {
  const Vector3d out = Around(2.0 * kPi * uvw[0]);
  if (uvw[2] < 0.7) {
    const double up = 0.95 * (1.0 - std::sqrt(uvw[1]));
    return {kConeRadius * (1.0 - up) * out + kConeHeight * up * Vector3d::UnitZ(),
            (kConeHeight * out + kConeRadius * Vector3d::UnitZ()).normalized()};
  }
  return {0.97 * kConeRadius * std::sqrt(uvw[1]) * out, -Vector3d::UnitZ()};
}

const Vector3d kSemiAxes(1.2, 0.8, 0.6);

Site EllipsoidSite(const Vector3d& uvw) {
  const Vector3d direction = OnUnitSphere(uvw);
  return {kSemiAxes.cwiseProduct(direction), direction.cwiseQuotient(kSemiAxes).normalized()};
}

constexpr double kMajor = 1.0, kMinor = 0.35;

Site TorusSite(const Vector3d& uvw) {
  const Vector3d out = Around(2.0 * kPi * uvw[0]);
  const double angle = 2.0 * kPi * uvw[1];
  const Vector3d n = std::cos(angle) * out + std::sin(angle) * Vector3d::UnitZ();
  return {kMajor * out + kMinor * n, n};
}

// A plate with spherical pockets in its upper face.

constexpr double kPlateHalf = 1.5, kPlateThickness = 0.4, kPocketRadius = 0.3, kPitch = 0.75;
constexpr int kPockets = 4;

Vector3d PocketCenter(int i, int j) {
  const double middle = 0.5 * (kPockets - 1);
  return {kPitch * (i - middle), kPitch * (j - middle), 0.5 * kPlateThickness + 0.05};
}

Solid Plate(double scale) {
  std::vector<Solid> pockets;
  for (int i = 0; i < kPockets; ++i) {
    for (int j = 0; j < kPockets; ++j) {
      pockets.push_back(Sphere(scale * kPocketRadius).Posed(Pose{scale * PocketCenter(i, j)}));
    }
  }
  return Difference(Box(scale * Vector3d(2.0 * kPlateHalf, 2.0 * kPlateHalf, kPlateThickness)),
                    pockets);
}

Site PlateSite(const Vector3d& uvw) {
  const int pocket = std::min(kPockets * kPockets - 1,
                              static_cast<int>(uvw[2] * static_cast<double>(kPockets * kPockets)));
  const double z = -Between(0.3, 1.0, uvw[0]);
  const Vector3d down = std::sqrt(1.0 - z * z) * Around(2.0 * kPi * uvw[1]) + z * Vector3d::UnitZ();
  return {PocketCenter(pocket / kPockets, pocket % kPockets) + kPocketRadius * down, -down,
          0.5 * kPocketRadius};
}

// A block with a boss on it and a bore through it.

const Vector3d kBlockHalf(1.2, 0.9, 0.4);
const Vector3d kBossAt(0.55, 0.0, 0.4), kBoreAt(-0.55, 0.0, 0.0);
constexpr double kBossRadius = 0.4, kBossHeight = 1.0, kBoreRadius = 0.35;

Solid Block(double scale) {
  const Solid boss =
      Cylinder(scale * kBossRadius, scale * kBossHeight).Posed(Pose{scale * kBossAt});
  const Solid bore = Cylinder(scale * kBoreRadius, scale * 4.0).Posed(Pose{scale * kBoreAt});
  return Difference(Union({Box(scale * 2.0 * kBlockHalf), boss}), {bore});
}

Site BlockSite(const Vector3d& uvw) {
  const Vector3d out = Around(2.0 * kPi * uvw[0]);
  if (uvw[2] < 0.3) {
    const double z = kBlockHalf.z() * Between(-0.9, 0.9, uvw[1]);
    return {kBoreAt + kBoreRadius * out + z * Vector3d::UnitZ(), -out, 0.4 * kBoreRadius};
  }
  if (uvw[2] < 0.5) {
    const double z = Between(0.05, 0.95, uvw[1]) * 0.5 * kBossHeight;
    return {kBossAt + kBossRadius * out + z * Vector3d::UnitZ(), out};
  }
  return BoxFaceSite(kBlockHalf, {uvw[0], uvw[1], 2.0 * (uvw[2] - 0.5)});
}

Matrix3d RandomRotation(Random* random) { return random->PoseAt(Vector3d::Zero()).Rotation(); }

// A unit vector at that angle to the unit vector n.
Vector3d Tilted(const Vector3d& n, double angle, Random* random) {
  for (;;) {
    const Vector3d across = random->UnitVector().cross(n);
    if (across.norm() > 0.1) {
      return std::cos(angle) * n + std::sin(angle) * across.normalized();
    }
  }
}

// The point of a part that is furthest along the unit vector `along`, in its own axes.
Vector3d FurthestPoint(PartKind kind, const Vector3d& dimensions, const Vector3d& along) {
  const Vector3d side(along.x(), along.y(), 0.0);
  const double up = along.z() < 0.0 ? -0.5 : 0.5;
  switch (kind) {
    case PartKind::kBall:
      return dimensions[0] * along;
    case PartKind::kCapsule:
      return dimensions[0] * along + up * dimensions[1] * Vector3d::UnitZ();
    case PartKind::kCylinder:
      return dimensions[0] * side.normalized() + up * dimensions[1] * Vector3d::UnitZ();
    case PartKind::kBox:
      return 0.5 * dimensions.cwiseProduct(along.cwiseSign());
    case PartKind::kCone:
      return dimensions[1] * Vector3d::UnitZ();
    case PartKind::kEllipsoid: {
      const Vector3d stretched = dimensions.cwiseProduct(along);
      return dimensions.cwiseProduct(stretched) / stretched.norm();
    }
  }
  throw std::logic_error("no such part");
}

Vector3d RandomDimensions(PartKind kind, double size, Random* random) {
  const double u = random->Uniform(0.0, 1.0), v = random->Uniform(0.0, 1.0);
  switch (kind) {
    case PartKind::kBall:
      return {size, 0.0, 0.0};
    case PartKind::kCapsule: {
      const double radius = size * Between(0.2, 0.7, u);
      return {radius, 2.0 * (size - radius), 0.0};
    }
    case PartKind::kCylinder:
    case PartKind::kCone: {
      const double angle = Between(0.3, 1.2, u);
      const double full = kind == PartKind::kCone ? 1.0 : 2.0;
      return {size * std::sin(angle), full * size * std::cos(angle), 0.0};
    }
    case PartKind::kBox:
      return 2.0 * size * Vector3d(1.0, Between(0.4, 1.0, u), Between(0.4, 1.0, v)).normalized();
    case PartKind::kEllipsoid:
      return size * Vector3d(1.0, Between(0.3, 1.0, u), Between(0.3, 1.0, v));
  }
  throw std::logic_error("no such part");
}

Matrix3d RotationTo(const Vector3d& z) {
  return MinimalRotation(Vector3d::UnitZ(), z).toRotationMatrix();
}

Matrix3d OrientationOver(PartKind kind, const Vector3d& dimensions, const Vector3d& normal,
                         Random* random) {
  switch (kind) {
    case PartKind::kCapsule:
    case PartKind::kCylinder:
      return RotationTo(Tilted(normal, random->Uniform(0.1, 1.2), random));
    case PartKind::kCone: {
      // The tip stays the lowest point.
      const double most = 0.5 * kPi - std::atan2(dimensions[0], dimensions[1]);
      return RotationTo(Tilted(-normal, random->Uniform(0.0, 0.7 * most), random));
    }
    default:
      return RandomRotation(random);
  }
}

double LogUniform(Random* random, double low, double high) {
  return std::exp(random->Uniform(std::log(low), std::log(high)));
}

struct Sizes {
  double low_depth = kLeastDepth, high_depth = kLargestDepth;
  double size = 0.0;  // 0: each its own
};

Sizes ChooseSizes(Arrangement arrangement, Random* random) {
  Sizes sizes;
  if (arrangement == Arrangement::kSpread) return sizes;
  sizes.low_depth = LogUniform(random, kLeastDepth, 0.1 * kLargestDepth);
  sizes.high_depth = 10.0 * sizes.low_depth;
  if (arrangement == Arrangement::kRegular) {
    sizes.high_depth = sizes.low_depth;
    sizes.size = LogUniform(random, kLeastSize, 0.1);
  }
  return sizes;
}

// Cells of a regular arrangement: about sqrt(count) along the first two coordinates.
Vector3d RegularPlace(int i, int count, double face) {
  const int across = std::max(1, static_cast<int>(std::lround(std::sqrt(count))));
  const int along = (count + across - 1) / across;
  return {(i % across + 0.5) / across, (i / across % along + 0.5) / along, face};
}

bool IsFree(const std::vector<Part>& parts, const Part& part) {
  return std::none_of(parts.begin(), parts.end(), [&part](const Part& other) {
    return (other.pose.t - part.pose.t).norm() <=
           1.001 * (other.BoundingRadius() + part.BoundingRadius());
  });
}

Matrix3d ParallelAxis(double volume, const Vector3d& r) {
  return volume * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

}  // namespace

const std::vector<BaseKind>& BaseKinds() {
  static const std::vector<BaseKind> kinds = {
      {"half_space", [](double) { return HalfSpace(); }, HalfSpaceSite},
      {"slab", [](double scale) { return Slab(2.0 * scale * kSlabHalf); }, SlabSite},
      {"box", [](double scale) { return Box(2.0 * scale * kBoxHalf); }, BoxSite},
      {"sphere", [](double scale) { return Sphere(scale); }, SphereSite},
      {"cylinder",
       [](double scale) { return Cylinder(scale * kCylinderRadius, 2.0 * scale * kCylinderHalf); },
       CylinderSite},
      {"infinite_cylinder", [](double scale) { return InfiniteCylinder(scale * kCylinderRadius); },
       InfiniteCylinderSite},
      {"cone", [](double scale) { return Cone(scale * kConeRadius, scale * kConeHeight); },
       ConeSite},
      {"ellipsoid", [](double scale) { return Ellipsoid(scale * kSemiAxes); }, EllipsoidSite},
      {"torus", [](double scale) { return Torus(scale * kMajor, scale * kMinor); }, TorusSite},
      {"plate", Plate, PlateSite},
      {"block", Block, BlockSite}};
  return kinds;
}

const BaseKind& BaseNamed(const std::string& name) {
  for (const BaseKind& kind : BaseKinds()) {
    if (kind.name == name) return kind;
  }
  throw std::logic_error("no base " + name);
}

double Part::BoundingRadius() const {
  switch (kind) {
    case PartKind::kBall:
      return dimensions[0];
    case PartKind::kCapsule:
      return dimensions[0] + 0.5 * dimensions[1];
    case PartKind::kCylinder:
      return std::hypot(dimensions[0], 0.5 * dimensions[1]);
    case PartKind::kBox:
      return 0.5 * dimensions.norm();
    case PartKind::kCone:
      return std::max(dimensions[0], dimensions[1]);
    case PartKind::kEllipsoid:
      return dimensions.maxCoeff();
  }
  throw std::logic_error("no such part");
}

Solid Part::Made(double scale) const {
  const Vector3d d = scale * dimensions;
  const Pose at = {scale * pose.t, pose.q};
  switch (kind) {
    case PartKind::kBall:
      return Sphere(d[0]).Posed(at);
    case PartKind::kCapsule:
      return Capsule(d[0], d[1]).Posed(at);
    case PartKind::kCylinder:
      return Cylinder(d[0], d[1]).Posed(at);
    case PartKind::kBox:
      return Box(d).Posed(at);
    case PartKind::kCone:
      return Cone(d[0], d[1]).Posed(at);
    case PartKind::kEllipsoid:
      return Ellipsoid(d).Posed(at);
  }
  throw std::logic_error("no such part");
}

Part PartAt(PartKind kind, const Site& site, double size, double depth, Random* random) {
  Part part;
  part.kind = kind;
  part.depth = depth;
  part.dimensions = RandomDimensions(kind, size, random);
  const Matrix3d R = OrientationOver(kind, part.dimensions, site.normal, random);
  const Vector3d deepest = R * FurthestPoint(kind, part.dimensions, R.transpose() * -site.normal);
  part.pose = MakePose(R, site.point - depth * site.normal - deepest);
  if (kind == PartKind::kBall) part.pose.q = Pose().q;
  return part;
}

Solid Scene::Parts(double scale) const {
  std::vector<Solid> solids;
  for (const Part& part : parts) solids.push_back(part.Made(scale));
  return Union(solids);
}

Scene RandomScene(const BaseKind& base, Arrangement arrangement, int count, bool balls_only,
                  std::uint64_t seed) {
  constexpr int kTries = 60;
  Random random(seed);
  const Sizes sizes = ChooseSizes(arrangement, &random);
  const double face = random.Uniform(0.0, 1.0);
  const bool regular = arrangement == Arrangement::kRegular;
  Scene scene{&base, {}};
  for (int i = 0; i < count; ++i) {
    double largest = kLargestSize;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const Vector3d place =
          regular ? RegularPlace(i, count, face) : random.UniformVector(0.0, 1.0);
      const Site site = base.site(place);
      const double most = std::min(largest, site.room);
      const double size = sizes.size > 0.0 ? sizes.size : LogUniform(&random, kLeastSize, most);
      const double depth =
          std::min(0.3 * size, LogUniform(&random, sizes.low_depth, sizes.high_depth));
      const auto kind = balls_only || regular
                            ? PartKind::kBall
                            : static_cast<PartKind>(static_cast<int>(random.Uniform(0.0, 6.0)));
      const Part part = PartAt(kind, site, size, depth, &random);
      if (IsFree(scene.parts, part)) {
        scene.parts.push_back(part);
        break;
      }
      if (attempt % 10 == 9) largest = std::max(1.1 * kLeastSize, 0.7 * largest);
    }
  }
  return scene;
}

ContactSum SumOf(const std::vector<Metrics>& contacts) {
  ContactSum sum;
  Truth& truth = sum.truth;
  const auto largest =
      std::max_element(contacts.begin(), contacts.end(),
                       [](const Metrics& a, const Metrics& b) { return a.volume < b.volume; });
  if (largest == contacts.end() || !largest->overlap) return sum;
  // Moments about a point of the overlap: far from it their digits would cancel.
  Vector3d first = Vector3d::Zero();
  double uncertain = 0.0;
  for (const Metrics& contact : contacts) {
    if (!contact.overlap) continue;
    ++sum.contacts;
    truth.volume += contact.volume;
    first += contact.volume * (contact.centroid_W - largest->centroid_W);
    truth.area_vector += contact.area_vector_W;
    sum.contact_area += contact.contact_area;
    uncertain += contact.converged ? kTight * contact.volume : 10.0 * contact.volume_error;
  }
  truth.centroid = largest->centroid_W + first / truth.volume;
  for (const Metrics& contact : contacts) {
    if (!contact.overlap) continue;
    truth.inertia +=
        contact.inertia_W + ParallelAxis(contact.volume, contact.centroid_W - truth.centroid);
  }
  truth.uncertainty = uncertain / truth.volume;
  truth.area_uncertainty = 10.0 * truth.uncertainty;
  return sum;
}

ContactSum ContactsOneByOne(const Scene& scene) {
  QueryOptions options;
  options.tolerance = kTight;
  options.bound_distance = false;
  std::vector<Metrics> contacts;
  for (const Part& part : scene.parts) {
    contacts.push_back(PreparedPair(scene.Base(), part.Made(1.0)).Query(Pose(), Pose(), options));
  }
  return SumOf(contacts);
}

Deviation DeviationFrom(const ContactSum& sum, const Metrics& metrics) {
  const Truth& truth = sum.truth;
  const double known = truth.uncertainty + kKnownRounding;
  const auto beyond = [](double error, double unknown) { return std::max(0.0, error - unknown); };
  Deviation deviation;
  deviation.volume = beyond(std::abs(metrics.volume / truth.volume - 1.0), known);
  // Half an ulp of each coordinate, and as much for the truth.
  const double coordinates = 1e-15 * truth.centroid.norm();
  deviation.centroid =
      beyond((metrics.centroid_W - truth.centroid).norm(), coordinates) / truth.Size();
  deviation.inertia = beyond((metrics.inertia_W - truth.inertia).cwiseAbs().maxCoeff() /
                                 truth.inertia.cwiseAbs().maxCoeff(),
                             known);
  deviation.area_vector =
      beyond((metrics.area_vector_W - truth.area_vector).norm() / sum.contact_area,
             truth.area_uncertainty + kKnownRounding);
  if (metrics.volume_bounds) {
    const auto [lower, upper] = *metrics.volume_bounds;
    deviation.outside_bracket =
        beyond(std::max(lower / truth.volume - 1.0, 1.0 - upper / truth.volume), known);
  }
  return deviation;
}

ContactSum Exchanged(ContactSum sum) {
  sum.truth.area_vector *= -1.0;
  return sum;
}

void ExpectSum(const ContactSum& sum, const Metrics& metrics, Tally* tally) {
  const Deviation off = DeviationFrom(sum, metrics);
  const double tolerance = metrics.tolerance;
  SCOPED_TRACE(::testing::Message()
               << "tolerance " << tolerance << ", converged " << metrics.converged << ", edges "
               << metrics.stats.edges << ", fallback '" << metrics.stats.fallback << "'");
  ++tally->queries;
  EXPECT_TRUE(metrics.overlap || !metrics.converged) << "contacts are denied";
  EXPECT_EQ(off.outside_bracket, 0.0) << "bracket misses the true volume";
  EXPECT_LE(off.volume * sum.truth.volume, 10.0 * metrics.volume_error)
      << "the estimated error is too low";
  if (!metrics.converged) {
    ++tally->not_converged;
    return;
  }
  EXPECT_LE(off.volume, 10.0 * tolerance) << "FIRST ORDER: wrong, and said to have converged";
  EXPECT_LE(off.volume, tolerance) << "relative error of the volume";
  EXPECT_LE(off.centroid, tolerance) << "error of the centroid by the size";
  EXPECT_LE(off.inertia, tolerance) << "relative error of the inertia";
  EXPECT_LE(off.area_vector, std::max(10.0 * tolerance, kPromisedAreaError))
      << "error of the area vector by the contact areas";
}

void ExpectContactsAddUp(const Scene& scene, const ContactSum& sum, Tally* tally) {
  const Solid base = scene.Base(), parts = scene.Parts();
  for (const bool exchanged : {false, true}) {
    SCOPED_TRACE(exchanged ? "B is the base" : "A is the base");
    const PreparedPair pair = exchanged ? PreparedPair(parts, base) : PreparedPair(base, parts);
    bool converged = true;
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      if (!converged) {
        ++tally->queries;
        ++tally->not_converged;
        continue;
      }
      QueryOptions options;
      options.tolerance = tolerance;
      options.max_cells = kMaxCells;
      const Metrics metrics = pair.Query(Pose(), Pose(), options);
      ExpectSum(exchanged ? Exchanged(sum) : sum, metrics, tally);
      converged = metrics.converged;
    }
  }
}

}  // namespace volcontact::testing
