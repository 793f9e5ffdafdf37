#include "peer_scenes.h"

#include <cmath>
#include <utility>

#include "corefinement/corefinement.h"
#include "support.h"

namespace volcontact::bench {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kSeed = 60817;
constexpr double kTruthTolerance = 1e-12;
// Overlaps of solids some 1 m large, deep in each other, are larger [m³].
constexpr double kLeastDeepVolume = 0.05;

Scene SpheresAndBox(Draw& draw) {
  const Primitive first = draw.SomeSphere(), second = draw.SomeSphere();
  return {{{first, second}, {}}, {{draw.SomeBox()}, {}}};
}

Scene BoredBoxAndBox(Draw& draw) {
  const Primitive box = draw.SomeBox(), bore = draw.SomeCylinder();
  return {{{box}, {bore}}, {{draw.SomeBox()}, {}}};
}

Scene BoredBoxAndCylinder(Draw& draw) {
  const Primitive box = draw.SomeBox();
  return {{{box}, draw.SomeCylinders(2)}, {{draw.SomeCylinder()}, {}}};
}

Scene Cylinders(Draw& draw) {
  Part A = {draw.SomeCylinders(4), {}};
  return {std::move(A), {draw.SomeCylinders(4), {}}};
}

// A ball of radius 0.3, 0.01 deep in the rim of the hole of a plate, moved with it.
Scene BallOnRim(Draw& draw) {
  const double around = draw.Between(-3.0, 3.0), up = draw.Between(0.6, 1.2);
  const Pose X = draw.Near(1.0);
  const Vector3d out(std::cos(around), std::sin(around), 0.0);
  const Vector3d direction = std::sin(up) * Vector3d::UnitZ() - std::cos(up) * out;
  const Vector3d middle = 0.2 * Vector3d::UnitZ() + 0.2 * out + 0.29 * direction;
  return {{{{Primitive::Kind::kBox, {1.0, 1.0, 0.4}, X}},
           {{Primitive::Kind::kCylinder, {0.2, 0.8, 0.0}, X}}},
          {{{Primitive::Kind::kSphere, {0.3, 0.0, 0.0}, {X * middle, draw.Near(0.0).q}}}, {}}};
}

double TrueVolume(const Scene& scene) {
  QueryOptions options;
  options.tolerance = kTruthTolerance;
  return PreparedPair(scene.B.MakeSolid(), scene.A.MakeSolid())
      .Query(Pose(), Pose(), options)
      .volume;
}

}  // namespace

const std::vector<SceneFamily>& SceneFamilies() {
  static const std::vector<SceneFamily> families = {{"2_spheres_box", SpheresAndBox},
                                                    {"bored_box_box", BoredBoxAndBox},
                                                    {"bored_box_cylinder", BoredBoxAndCylinder},
                                                    {"4_cylinders_4_cylinders", Cylinders},
                                                    {"ball_on_rim", BallOnRim}};
  return families;
}

std::vector<Scene> MakeScenes(const SceneFamily& family, int count) {
  const double least = family.make == BallOnRim ? 0.0 : kLeastDeepVolume;
  Draw draw(kSeed);
  std::vector<Scene> scenes;
  while (static_cast<int>(scenes.size()) < count) {
    Scene scene = family.make(draw);
    scene.volume = TrueVolume(scene);
    if (scene.volume > least) scenes.push_back(std::move(scene));
  }
  return scenes;
}

PartMeshes Tessellate(const Part& part, int f, Fit fit) {
  PartMeshes meshes;
  for (const Primitive& body : part.bodies) meshes.bodies.push_back(body.Tessellated(f, fit));
  for (const Primitive& hole : part.holes) meshes.holes.push_back(hole.Tessellated(f, fit));
  return meshes;
}

std::optional<TriangleMesh> Combine(const PartMeshes& meshes) {
  std::optional<TriangleMesh> part = meshes.bodies.front();
  for (std::size_t i = 1; part && i < meshes.bodies.size(); ++i) {
    part = testing::Combined(testing::Combination::kUnion, *part, meshes.bodies[i]);
  }
  for (std::size_t i = 0; part && i < meshes.holes.size(); ++i) {
    part = testing::Combined(testing::Combination::kDifference, *part, meshes.holes[i]);
  }
  return part;
}

std::optional<MeshedScene> MeshScene(const Scene& scene, int f, Fit fit) {
  MeshedScene meshed;
  meshed.tessellating = SecondsOf(ThreadCpuSeconds, [&] {
    meshed.primitives_a = Tessellate(scene.A, f, fit);
    meshed.primitives_b = Tessellate(scene.B, f, fit);
  });
  std::optional<TriangleMesh> A, B;
  meshed.combining = SecondsOf(ThreadCpuSeconds, [&] {
    A = Combine(meshed.primitives_a);
    B = Combine(meshed.primitives_b);
  });
  if (!A || !B) return std::nullopt;
  const auto overlap =
      testing::MakeCorefinement(testing::Constructions::kInexact, *A, *B, Vector3d::Zero());
  if (!overlap->Run()) return std::nullopt;
  meshed.volume = overlap->Volume();
  meshed.A = std::move(*A);
  meshed.B = std::move(*B);
  return meshed;
}

}  // namespace volcontact::bench
