#include "step/csg/step_hybrid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "math/pose_of_rotation.h"
#include "math/time_limit.h"
#include "step/csg/step_growth.h"
#include "step/csg/step_joints.h"
#include "step/csg/step_sides.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// How far the mesh reaches over a face: in deviations of its triangles, of which those of a convex
// face need one to be off the surface; and in sizes of the solid, at the least.
constexpr double kReach = 4.0, kLeastReach = 1e-7;
// How far a cut goes beyond the grown face, in its reach.
constexpr double kBeyond = 2.0;
// How thick a cut is that is a shell, in reaches: vertices on edges may move far.
constexpr double kThickness = 8.0;
// How far a cut that is tried against the triangles themselves stays off its faces, in reaches.
constexpr double kClearance = 0.5;
// A query takes each cut in that is near; those of the largest faces are made.
constexpr std::size_t kMostCuts = 40;
// Points of each face of which both sides are looked at, in reaches away.
constexpr std::size_t kSidePoints = 64;
constexpr double kSideStep = 0.2;
// Points by which a cut is tried.
constexpr std::size_t kCutPoints = 2000;
// Points beside faces that Open CASCADE is asked about.
constexpr std::size_t kAskedPoints = 400;
// Of the volume, what Open CASCADE's own is off, and what ours needs to tell.
constexpr double kMassLikeTheirs = 2e-6, kMassDigits = 5e-7;
// For one integral [s]: what sums over edges do not do for takes longer, in queries, too.
constexpr double kMostSeconds = 2.0;
// Faces of which the cuts are left out, one at a time, where they do not do for all together.
constexpr std::size_t kMostHinder = 6;
// To decide whether a cut reaches the solid for certain. Sums over edges need few cells; what takes
// more is columns, whose brackets are no narrower than the deviations leave open.
constexpr double kCutTolerance = 1e-3;
constexpr long kCutCells = 2000;
// Mismatches near faces that deviate count from so many deviations on.
constexpr double kDoubtful = 1.5;

class HybridSearch {
 public:
  HybridSearch(const StepSolid& step, const StepMesh& mesh, const StepClassifier& classify)
      : step_(step),
        mesh_(mesh.mesh),
        classify_(classify),
        joints_(step, mesh),
        whole_(Mesh(mesh.mesh)),
        deviations_(step.faces.size()),
        areas_(step.faces.size()) {
    for (std::size_t t = 0; t < mesh_.faces.size(); ++t) {
      const auto face = static_cast<std::size_t>(joints_.FaceOf(t));
      deviations_[face] = std::max(deviations_[face], mesh_.deviations[t]);
      areas_[face] += 0.5 * AreaVectorOf(mesh_, t).norm();
    }
    for (int f = 0; f < static_cast<int>(step.faces.size()); ++f) {
      reaches_.push_back({ReachOf(f)});
    }
  }

  std::optional<StepHybrid> Run() {
    std::set<int> faces = Candidates();
    while (!faces.empty() && !TimeLimit::IsOver()) {
      grown_ = GrowFaces(joints_, mesh_, faces, reaches_);
      DropUncut();
      if (grown_.faces.empty()) return std::nullopt;
      // What was dropped is not to be grown either.
      if (grown_.faces != faces) {
        faces = grown_.faces;
        continue;
      }
      if (!CheckMesh(grown_.mesh).ok()) return std::nullopt;
      solid_ = Difference(Mesh(grown_.mesh), Cuts());
      std::set<int> wrong = FacesThatDoNotStand();
      if (wrong.empty() && IsSummed(*solid_)) return Proved();
      if (wrong.empty()) wrong = OneThatHinders();
      if (wrong.empty()) return std::nullopt;
      for (const int face : wrong) faces.erase(face);
    }
    return std::nullopt;
  }

 private:
  using Triangle = std::array<Eigen::Vector3d, 3>;

  double ReachOf(int face) const {
    return std::max(kReach * deviations_[static_cast<std::size_t>(face)],
                    kLeastReach * step_.Size());
  }

  // Curved faces of which the edges say what is beside them, the largest first.
  std::set<int> Candidates() {
    std::vector<int> faces;
    for (int f = 0; f < static_cast<int>(step_.faces.size()); ++f) {
      if (!IsCandidate(f)) continue;
      std::optional<std::map<int, StepBorder>> borders = BordersOf(joints_, f);
      if (!borders) continue;
      reaches_[static_cast<std::size_t>(f)].borders = *std::move(borders);
      faces.push_back(f);
    }
    std::ranges::sort(faces, [&](int a, int b) {
      return areas_[static_cast<std::size_t>(a)] > areas_[static_cast<std::size_t>(b)];
    });
    if (faces.size() > kMostCuts) faces.resize(kMostCuts);
    return {faces.begin(), faces.end()};
  }

  bool IsCandidate(int number) const {
    const StepFace& face = joints_.FaceAt(number);
    if (face.surface == StepSurface::kPlane || !HasOffset(face)) return false;
    if (face.surface == StepSurface::kTorus && !(face.minor < face.radius)) return false;
    return std::ranges::all_of(joints_.Of(number), [&](const auto& entry) {
      const auto& [other, joint] = entry;
      if (joint.convex + joint.concave + joint.smooth != 1) return false;
      // Cylinders and cones touch planes along lines, which meshes have exactly.
      const bool is_ruled =
          face.surface == StepSurface::kCylinder || face.surface == StepSurface::kCone;
      const StepSurface beside = joints_.FaceAt(other).surface;
      if (joint.smooth && !(is_ruled && beside == StepSurface::kPlane)) return false;
      return !joint.concave || HasOffset(joints_.FaceAt(other));
    });
  }

  // What is cut away beside a face, from so far off the material on: all that is near, or a shell.
  Solid CutBeside(int number, bool shell, double clearance) const {
    const StepFace& face = joints_.FaceAt(number);
    std::vector<Solid> sides = {VoidBeyond(face, clearance), BoxAround(number)};
    if (shell) {
      sides.push_back(SideOf(OffMaterial(face, kThickness * ReachOf(number)), face.inside));
    }
    for (const auto& [other, joint] : joints_.Of(number)) {
      if (joint.concave) sides.push_back(VoidBeyond(joints_.FaceAt(other), clearance));
    }
    const double beside = kStepBorder * step_.Size();
    for (const auto& [other, border] : reaches_[static_cast<std::size_t>(number)].borders) {
      sides.push_back(
          SideOf(OffsetOf(border.separator, border.below ? -beside : beside), border.below));
    }
    return Intersection(std::move(sides));
  }

  // Around the triangles of a grown face, in the axes of its surface.
  Solid BoxAround(int number) const {
    const StepFace& face = joints_.FaceAt(number);
    Aabb box = Aabb::Nothing();
    for (std::size_t t = 0; t < grown_.mesh.faces.size(); ++t) {
      if (joints_.FaceOf(t) != number) continue;
      for (const Eigen::Vector3d& p : CornersOf(grown_.mesh, t)) {
        const Eigen::Vector3d q = face.axes.transpose() * (p - face.origin);
        box.min = box.min.cwiseMin(q);
        box.max = box.max.cwiseMax(q);
      }
    }
    const Eigen::Vector3d size =
        2.0 * box.HalfExtents() + Eigen::Vector3d::Constant(2.0 * kBeyond * ReachOf(number));
    return Box(size).Posed(PoseOfRotation(face.axes, face.origin + face.axes * box.Center()));
  }

  // Drops the grown faces of which the cut would reach the solid itself.
  void DropUncut() {
    std::erase_if(grown_.faces, [&](int face) {
      if (cuts_.contains(face)) return false;
      if (TimeLimit::IsOver()) return true;
      std::optional<Solid> cut = SoundCut(face);
      if (cut) cuts_.emplace(face, *std::move(cut));
      return !cut;
    });
  }

  std::optional<Solid> SoundCut(int face) const {
    for (const bool shell : {false, true}) {
      try {
        const Solid cut = CutBeside(face, shell, 0.0);
        if (IsSound(cut, CutBeside(face, shell, kClearance * ReachOf(face)), face)) return cut;
      } catch (const InvalidInput&) {
        continue;  // its numbers make no solid
      }
    }
    return std::nullopt;
  }

  // Whether a cut keeps off the solid, and sums over edges do for it. Beside the cut itself, whose
  // faces hold the corners of the triangles, they would not do: `apart` is what is off the faces.
  bool IsSound(const Solid& cut, const Solid& apart, int face) const {
    if (HoldsOtherVertex(face, cut) || HoldsMaterial(cut)) return false;
    const Metrics before = OverlapOf(whole_, apart);
    if (!before.volume_bounds || (*before.volume_bounds)[0] > 0.0) return false;
    return OverlapOf(Mesh(grown_.mesh), cut).method == Method::kBoundary;
  }

  // Whether a point of the solid is inside, by points throughout.
  bool HoldsMaterial(const Solid& cut) const {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const Aabb bounds = cut.Bounds();
    for (std::size_t n = 0; n < kCutPoints; ++n) {
      Eigen::Vector3d p = bounds.Center();
      for (int k = 0; k < 3; ++k) p[k] += uniform(random) * bounds.HalfExtents()[k];
      if (cut.Locate(p) == Membership::kInside && whole_.Locate(p) == Membership::kInside &&
          !IsInDoubt(mesh_, p)) {
        return true;
      }
    }
    return false;
  }

  Metrics OverlapOf(const Solid& mesh, const Solid& cut) const {
    QueryOptions options;
    options.tolerance = kCutTolerance;
    options.max_cells = kCutCells;
    options.bound_distance = false;
    options.max_seconds = kMostSeconds;
    return PreparedPair(mesh, cut).QueryRelative(Pose(), options);
  }

  // Whether a vertex is inside that is not of the face, nor of one that limits the cut.
  bool HoldsOtherVertex(int face, const Solid& cut) const {
    const Aabb bounds = cut.Bounds();
    const std::map<int, StepJoint>& joints = joints_.Of(face);
    const auto is_near = [&](const StepCorner& corner) {
      const auto joint = joints.find(corner.face);
      return corner.face == face || (joint != joints.end() && joint->second.concave);
    };
    for (std::size_t v = 0; v < mesh_.vertices.size(); ++v) {
      const Eigen::Vector3d& p = mesh_.vertices[v];
      if ((p.array() < bounds.min.array()).any() || (p.array() > bounds.max.array()).any() ||
          joints_.At(v).empty() || std::ranges::any_of(joints_.At(v), is_near)) {
        continue;
      }
      if (cut.Locate(p) == Membership::kInside) return true;
    }
    return false;
  }

  // Of all grown faces but one.
  std::vector<Solid> Cuts(int but = -1) const {
    std::vector<Solid> cuts;
    for (const int face : grown_.faces) {
      if (face != but) cuts.push_back(cuts_.at(face));
    }
    return cuts;
  }

  bool IsSummed(const Solid& solid) const { return MassOf(solid).method == Method::kBoundary; }

  // A small face without whose cut sums over edges do, where they do not with all of them.
  std::set<int> OneThatHinders() const {
    std::vector<int> faces(grown_.faces.begin(), grown_.faces.end());
    std::ranges::sort(faces, {}, [&](int f) { return areas_[static_cast<std::size_t>(f)]; });
    if (faces.size() > kMostHinder) faces.resize(kMostHinder);
    for (const int face : faces) {
      if (IsSummed(Difference(Mesh(grown_.mesh), Cuts(face)))) return {face};
    }
    return {};
  }

  std::set<int> FacesThatDoNotStand() const {
    std::set<int> wrong;
    for (const int face : grown_.faces) {
      if (!Stands(face)) wrong.insert(face);
    }
    return wrong;
  }

  // Whether the boundary is where the file has it.
  bool Stands(int number) const {
    const StepFace& face = joints_.FaceAt(number);
    const std::size_t every = 1 + face.inner.size() / kSidePoints;
    for (std::size_t i = 0; i < face.inner.size(); i += every) {
      const Eigen::Vector3d& p = face.inner[i];
      const Eigen::Vector3d step = kSideStep * ReachOf(number) * OutwardOf(face, p);
      if (!step.allFinite() || !IsAlone(number, p)) continue;
      if (!Agrees(p - step, true) || !Agrees(p + step, false)) return false;
    }
    return true;
  }

  bool IsAlone(int number, const Eigen::Vector3d& p) const {
    return std::ranges::all_of(joints_.Of(number), [&](const auto& entry) {
      const StepFace& other = joints_.FaceAt(entry.first);
      return other.surface == StepSurface::kOther || std::abs(other.Height(p)) > ReachOf(number);
    });
  }

  // Whether a point is where it should be, as far as the deviations let one know.
  bool Agrees(const Eigen::Vector3d& p, bool inside) const {
    return (solid_->Locate(p) == Membership::kInside) == inside || IsInDoubt(grown_.mesh, p);
  }

  static bool IsInDoubt(const TriangleMesh& mesh, const Eigen::Vector3d& p) {
    for (std::size_t t = 0; t < mesh.faces.size(); ++t) {
      const double reach = kDoubtful * mesh.deviations[t];
      if (reach > 0.0 && IsWithin(reach, CornersOf(mesh, t), p)) return true;
    }
    return false;
  }

  // Of a triangle, or a little farther beside its corners.
  static bool IsWithin(double reach, const Triangle& corners, const Eigen::Vector3d& p) {
    const auto& [a, b, c] = corners;
    const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
    if (!(std::abs(normal.dot(p - a)) <= reach)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector3d along = (corners[(i + 1) % 3] - corners[i]).normalized();
      if (along.cross(normal).dot(p - corners[i]) > reach) return false;
    }
    return true;
  }

  std::optional<StepHybrid> Proved() const {
    const MassProperties ours = MassOf(*solid_);
    const double off = std::abs(ours.volume - step_.mass.volume);
    // What the deviations leave open.
    const double open = MassOf(Mesh(grown_.mesh)).volume_error;
    const double slack = kMassLikeTheirs * step_.mass.volume;
    if (!(ours.volume_error <= open + slack) || !(off <= open + slack)) return std::nullopt;
    for (const StepPoint& point : classify_(AskedPoints(), kLeastReach * step_.Size())) {
      if (!Agrees(point.p, point.inside)) return std::nullopt;
    }
    if (TimeLimit::IsOver()) return std::nullopt;  // not all of the points were asked about
    const std::vector<double>& deviations = grown_.mesh.deviations;
    return StepHybrid{*solid_, static_cast<int>(grown_.faces.size()),
                      *std::ranges::max_element(deviations)};
  }

  MassProperties MassOf(const Solid& solid) const {
    QueryOptions options;
    options.tolerance = kMassDigits;
    options.max_seconds = kMostSeconds;
    return ComputeMassProperties(solid, options);
  }

  // On both sides of all grown faces.
  std::vector<Eigen::Vector3d> AskedPoints() const {
    std::vector<Eigen::Vector3d> points;
    const std::size_t of_each = 1 + kAskedPoints / (2 * grown_.faces.size());
    for (const int number : grown_.faces) {
      const StepFace& face = joints_.FaceAt(number);
      const std::size_t every = 1 + face.inner.size() / of_each;
      for (std::size_t i = every / 2; i < face.inner.size(); i += every) {
        const Eigen::Vector3d step = ReachOf(number) * OutwardOf(face, face.inner[i]);
        if (!step.allFinite()) continue;
        points.insert(points.end(), {face.inner[i] - step, face.inner[i] + 0.5 * step});
      }
    }
    return points;
  }

  const StepSolid& step_;
  const TriangleMesh& mesh_;
  const StepClassifier& classify_;
  const StepJoints joints_;
  const Solid whole_;
  std::vector<double> deviations_, areas_;  // by face
  std::vector<StepReach> reaches_;          // by face
  GrownMesh grown_;
  std::map<int, Solid> cuts_;  // that are sound, by face
  std::optional<Solid> solid_;
};

}  // namespace

std::optional<StepHybrid> HybridSolid(const StepSolid& step, const StepMesh& mesh,
                                      const StepClassifier& classify) {
  if (mesh.origins.empty()) return std::nullopt;
  return HybridSearch(step, mesh, classify).Run();
}

}  // namespace volcontact
