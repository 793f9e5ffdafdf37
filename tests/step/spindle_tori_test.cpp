// Parts with tori that cross their axis: barrels, crowned bores and fillets that are larger than
// the shaft they go around, drawn by Open CASCADE, against closed forms.
#include <gtest/gtest.h>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <Eigen/Geometry>
#include <TopoDS_Shape.hxx>
#include <cmath>
#include <gp_Ax1.hxx>
#include <gp_Ax2.hxx>
#include <gp_Circ.hxx>
#include <numbers>
#include <string>

#include "step/written_file.h"
#include "support/random_solids.h"
#include "volcontact/display/display.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/step/step_file.h"

namespace volcontact::testing::spindle_tori_test {
namespace {

constexpr double kPi = std::numbers::pi, kMillimetre = 1e-3;
constexpr double kSame = 1e-8;

// ρ = R + r cos t, z = r sin t, between two angles, around a bore [mm]: of R > 0 the outer sheet of
// a torus that crosses its axis, of R < 0 the inner one.
struct Barrel {
  double R, r, from, to, bore;

  // Antiderivatives by t of π (ρ² − bore²) dz, and of the same times z.
  double VolumeTo(double t) const {
    const double s = std::sin(t), c = std::cos(t);
    const double square =
        (R * R - bore * bore) * s + 2.0 * R * r * 0.5 * (t + s * c) + r * r * (s - s * s * s / 3.0);
    return kPi * r * square;
  }
  double MomentTo(double t) const {
    const double c = std::cos(t);
    return -kPi * r * r *
           (0.5 * (R * R - bore * bore) * c * c + 2.0 / 3.0 * R * r * c * c * c +
            0.25 * r * r * c * c * c * c);
  }
  double Volume() const { return VolumeTo(to) - VolumeTo(from); }
  double Height() const { return (MomentTo(to) - MomentTo(from)) / Volume(); }
  double VolumeBelow(double z) const { return VolumeTo(std::asin(z / r)) - VolumeTo(from); }
  gp_Pnt At(double t) const { return {R + r * std::cos(t), 0.0, r * std::sin(t)}; }

  // Turned about the axis: a surface of revolution in the file, as STEP knows no such torus.
  TopoDS_Shape Shape() const {
    const gp_Circ circle(gp_Ax2(gp_Pnt(R, 0, 0), gp_Dir(0, -1, 0), gp_Dir(1, 0, 0)), r);
    const gp_Pnt low = At(from), high = At(to);
    const gp_Pnt low_in(bore, 0, low.Z()), high_in(bore, 0, high.Z());
    BRepBuilderAPI_MakeWire wire;
    wire.Add(BRepBuilderAPI_MakeEdge(circle, from, to));
    wire.Add(BRepBuilderAPI_MakeEdge(high, high_in));
    wire.Add(BRepBuilderAPI_MakeEdge(high_in, low_in));
    wire.Add(BRepBuilderAPI_MakeEdge(low_in, low));
    return BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()),
                                 gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)))
        .Shape();
  }
};

constexpr Barrel kBarrels[] = {{2.0, 5.0, -0.5, 0.6, 0.0},
                               {2.0, 5.0, -0.5, 0.6, 1.0},
                               {0.3, 5.0, -0.9, 1.1, 0.5},
                               {-2.0, 5.0, -0.7, 0.4, 0.0},
                               {-4.0, 5.0, -0.4, 0.3, 0.1}};

class SpindleTori : public ExactStepFile {};

TEST_F(SpindleTori, HaveTheirVolumes) {
  for (const Barrel& barrel : kBarrels) {
    const MassProperties mass = ComputeMassProperties(Read(barrel.Shape()), options_);
    EXPECT_TRUE(mass.converged);
    EXPECT_NEAR(mass.volume / (barrel.Volume() * 1e-9), 1.0, kSame) << barrel.R;
    const Eigen::Vector3d centroid(0.0, 0.0, kMillimetre * barrel.Height());
    EXPECT_LT((mass.centroid_W - centroid).norm(), kSame * kMillimetre * barrel.r) << barrel.R;
  }
}

// A lemon-shaped hole: the material is outside of the inner sheet.
TEST_F(SpindleTori, AsHoles) {
  const Barrel& hole = kBarrels[3];
  const double low = hole.At(hole.from).Z(), high = hole.At(hole.to).Z();
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-4, -4, low), 8.0, 8.0, high - low).Shape();
  const Solid solid = Read(BRepAlgoAPI_Cut(block, hole.Shape()).Shape());
  const double volume = 64.0 * (high - low) - hole.Volume();
  const MassProperties mass = ComputeMassProperties(solid, options_);
  EXPECT_TRUE(mass.converged);
  EXPECT_NEAR(mass.volume / (volume * 1e-9), 1.0, kSame);
  // A ball in the hole.
  const Metrics ball = PreparedPair(solid, Sphere(0.5e-3)).Query(Pose(), Pose(), options_);
  EXPECT_FALSE(ball.overlap);
}

// Cut across its axis at any pose, exchanged, and into two parts that add up.
TEST_F(SpindleTori, CutByPlanes) {
  Random random(56);
  for (const Barrel& barrel : kBarrels) {
    const Solid solid = Read(barrel.Shape()), half = HalfSpace();
    const double whole = 1e-9 * barrel.Volume();
    for (int n = 0; n < 4; ++n) {
      const double at = barrel.from + (0.2 + 0.15 * n) * (barrel.to - barrel.from);
      const double z = barrel.r * std::sin(at);
      const Pose X = random.PoseAt(random.UniformVector(-0.1, 0.1));
      const Pose cut{X * Eigen::Vector3d(0.0, 0.0, kMillimetre * z), X.q};
      const Metrics across = PreparedPair(solid, half).Query(X, cut, options_);
      EXPECT_TRUE(across.converged);
      EXPECT_NEAR(across.volume / (1e-9 * barrel.VolumeBelow(z)), 1.0, kSame) << barrel.R;
      const Pose askew = random.PoseAt(X * random.UniformVector(-1e-3, 1e-3));
      const Metrics below = PreparedPair(solid, half).Query(X, askew, options_);
      const Metrics above = PreparedPair(solid, Complement(half)).Query(X, askew, options_);
      const Metrics exchanged = PreparedPair(half, solid).Query(askew, X, options_);
      EXPECT_TRUE(below.converged && above.converged && exchanged.converged) << barrel.R;
      EXPECT_NEAR((below.volume + above.volume) / whole, 1.0, kSame) << barrel.R;
      EXPECT_NEAR(exchanged.volume / whole, below.volume / whole, kSame) << barrel.R;
      EXPECT_LE((exchanged.area_vector_W + below.area_vector_W).norm(),
                kSame * below.area_vector_W.norm());
    }
  }
}

// Against the method that knows nothing of their charts.
TEST_F(SpindleTori, BesidePartsByColumns) {
  Random random(57);
  QueryOptions columns = options_;
  columns.method = Method::kColumns;
  columns.tolerance = 1e-4;
  const Solid others[] = {Box({2e-3, 3e-3, 1e-3}), Sphere(2e-3), Cylinder(1e-3, 4e-3)};
  for (const Barrel& barrel : {kBarrels[1], kBarrels[3]}) {
    const Solid solid = Read(barrel.Shape());
    for (const Solid& other : others) {
      const Pose X = random.PoseAt(random.UniformVector(-2e-3, 2e-3));
      const Metrics exact = PreparedPair(solid, other).Query(Pose(), X, options_);
      const Metrics check = PreparedPair(solid, other).Query(Pose(), X, columns);
      EXPECT_TRUE(exact.converged && check.converged);
      EXPECT_EQ(exact.method, Method::kBoundary);
      EXPECT_NEAR(exact.volume / check.volume, 1.0, 2.0 * columns.tolerance) << barrel.R;
      EXPECT_LT((exact.centroid_W - check.centroid_W).norm(), 1e-7) << barrel.R;
    }
  }
}

// A plane beside the widest circle, and the drawn surface.
TEST_F(SpindleTori, DistancesAndPictures) {
  for (const Barrel& barrel : {kBarrels[1], kBarrels[3]}) {
    const Solid solid = Read(barrel.Shape());
    const double widest = kMillimetre * (barrel.R + barrel.r), gap = 1e-3;
    const Pose beside{{widest + gap, 0.0, 0.0}, {std::sqrt(0.5), 0.0, -std::sqrt(0.5), 0.0}};
    const Metrics apart = PreparedPair(solid, HalfSpace()).Query(Pose(), beside, QueryOptions());
    ASSERT_FALSE(apart.overlap);
    ASSERT_TRUE(apart.distance);
    EXPECT_LE(*apart.distance, gap * (1.0 + kSame));
    EXPECT_GE(*apart.distance, 0.9 * gap) << barrel.R;
    const DisplayMesh mesh = DisplaySurface(solid);
    EXPECT_TRUE(mesh.complete);
    double volume = 0.0;
    for (const auto& [a, b, c] : mesh.triangles) {
      volume += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6.0;
    }
    EXPECT_NEAR(volume / (1e-9 * barrel.Volume()), 1.0, 5e-3) << barrel.R;
  }
}

}  // namespace
}  // namespace volcontact::testing::spindle_tori_test
