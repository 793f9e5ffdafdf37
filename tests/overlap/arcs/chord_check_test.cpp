// Lines through regions whose edges are all there, and of which some have been taken away.
#include "overlap/arcs/lines/chord_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/edges/edge_ends.h"
#include "overlap/arcs/edges/edge_finder.h"
#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/arcs/sums_testing.h"
#include "support/random_solids.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::chord_check_test {
namespace {

using Eigen::Vector3d;

constexpr double kCoincidence = 2e-13;

Pose At(const Vector3d& t) { return {t, Pose().q}; }

// The edges of A ∩ B in the cube around it.
class FoundEdges {
 public:
  FoundEdges(const Solid& A, const Solid& B, bool by_curves) : set_(RegionOf(A, B)) {
    LocalFrame frame = FrameOf(CommonBox(A, B));
    frame.half *= 1.13;
    problem = ProblemOf(set_, frame);
    seams_.Choose(set_, &problem);
    if (by_curves) {
      is_found = curves_.Run(problem, set_.kinds, seams_, kCoincidence);
      edges = curves_.edges();
      ends_.Run(edges);
      segments = ends_.segments();
    } else {
      is_found = cells_.Run(problem, 100'000, kCoincidence, seams_.planes()) && nodes_.Run(cells_);
      edges = cells_.edges();
      segments = nodes_.segments();
    }
  }

  bool Fit() { return check.Run(problem, edges, segments); }

  bool is_found = false;
  LocalProblem problem;
  Edges edges;
  std::vector<NodeSegment> segments;
  ChordCheck check;

 private:
  SurfaceSet set_;
  TorusSeams seams_;
  CurveFinder curves_;
  EdgeFinder cells_;
  EdgeNodes nodes_;
  EdgeEnds ends_;
};

Solid SomeBody(Random* random) {
  const auto place = [&] { return random->PoseAt(random->UniformVector(-0.4, 0.4)); };
  const auto& kinds = PrimitiveKinds();
  const auto kind = static_cast<std::size_t>(random->Uniform(0.0, 1.0) * kinds.size());
  return kinds[kind].make(random, 1.0).Posed(place());
}

// What is known to be right fits, however it was found.
TEST(ChordCheck, WholeRegionsFit) {
  Random random(20261127);
  for (const bool by_curves : {true, false}) {
    int runs = 0, left_out = 0;
    for (int n = 0; n < (by_curves ? 300 : 60); ++n) {
      const Solid A = n % 2 == 0 ? Union({SomeBody(&random), SomeBody(&random)})
                                 : Difference(SomeBody(&random), {SomeBody(&random)});
      const Solid B = Intersection({SomeBody(&random), Box({1.6, 1.7, 1.8})});
      FoundEdges found(A, B, by_curves);
      if (!found.is_found) continue;
      ++runs;
      EXPECT_TRUE(found.Fit()) << n << ' ' << by_curves;
      left_out += found.check.left_out();
    }
    EXPECT_GE(runs, by_curves ? 200 : 40);
    EXPECT_LE(left_out, 2);
  }
}

// How probably one of as many lines as are looked along, through places spread over a box and in
// any direction of the cube that it becomes, meets something.
double ChanceOf(const Vector3d& half, const std::function<bool(Vector3d, Vector3d)>& is_met) {
  constexpr int kTries = 20'000;
  Random random(7);
  int met = 0;
  for (int n = 0; n < kTries; ++n) {
    const Vector3d p = random.UniformVector(-1.0, 1.0).cwiseProduct(half);
    met += is_met(p, random.UnitVector().cwiseProduct(half)) ? 1 : 0;
  }
  return 1.0 - std::pow(1.0 - static_cast<double>(met) / kTries, ChordCheck::kLines);
}

void RemovePieces(const std::function<bool(const EdgePiece&)>& is_lost, Edges* edges) {
  std::erase_if(edges->pieces, is_lost);
}

// In the frame's metres.
Vector3d PlaceOf(const FoundEdges& found, const Vector3d& p) {
  return found.problem.frame.half.cwiseProduct(p) + Round(found.problem.frame.X_AC.t);
}

// A box beside another is lost with all its edges: the lines that pass through it tell.
TEST(ChordCheck, LostPartsAreNoticed) {
  constexpr int kPlaces = 150;
  const Vector3d half(1.0, 0.8, 0.6);
  for (const double size : {0.2, 0.5, 0.9}) {
    Random random(3);
    int noticed = 0;
    double expected = 0.0;
    for (int n = 0; n < kPlaces; ++n) {
      // The long box, and the lost one, keep the whole at the same size.
      const Vector3d c(random.Uniform(0.5 * size, 1.0 - 0.5 * size),
                       random.Uniform(-0.8 + 0.5 * size, 0.8 - 0.5 * size),
                       random.Uniform(-0.6 + 0.5 * size, 0.6 - 0.5 * size));
      const Solid A = Union({Box({0.9, 1.6, 1.2}).Posed(At({-0.55, 0.0, 0.0})),
                             Box(Vector3d::Constant(size)).Posed(At(c)),
                             Box(Vector3d::Constant(0.01)).Posed(At({0.995, 0.0, 0.59}))});
      FoundEdges found(A, Box({4.0, 4.0, 4.0}), true);
      ASSERT_TRUE(found.is_found);
      ASSERT_TRUE(found.Fit());
      RemovePieces(
          [&](const EdgePiece& piece) {
            const Vector3d off = PlaceOf(found, piece.start.p) - c;
            return off.cwiseAbs().maxCoeff() <= 0.5 * size + 1e-9;
          },
          &found.edges);
      noticed += found.Fit() ? 0 : 1;
      if (n >= 10) continue;
      expected += 0.1 * ChanceOf(half, [&](const Vector3d& p, const Vector3d& d) {
                    double from = -9.0, to = 9.0;
                    for (int i = 0; i < 3; ++i) {
                      const double a = (c[i] - 0.5 * size - p[i]) / d[i], b = a + size / d[i];
                      from = std::max(from, std::min(a, b));
                      to = std::min(to, std::max(a, b));
                    }
                    return from < to;
                  });
    }
    const double part = static_cast<double>(noticed) / kPlaces;
    RecordProperty("noticed_at_" + std::to_string(size), std::to_string(part));
    EXPECT_GE(part, 0.6 * expected) << size << ' ' << expected;
    EXPECT_LE(part, 1.4 * expected + 0.05) << size << ' ' << expected;
  }
}

// One mouth of a hole through a plate is lost, or has its faces on the wrong side: the lines
// through the mouth tell.
TEST(ChordCheck, LostAndFlippedLoopsAreNoticed) {
  constexpr int kPlaces = 150;
  const Vector3d half(1.0, 0.8, 0.2);
  for (const double radius : {0.15, 0.4, 0.7}) {
    Random random(5);
    int lost = 0, flipped = 0;
    double expected = 0.0;
    for (int n = 0; n < kPlaces; ++n) {
      const Vector3d c(random.Uniform(radius - 0.99, 0.99 - radius),
                       random.Uniform(radius - 0.79, 0.79 - radius), 0.0);
      const Solid plate = Difference(Box(2.0 * half), {Cylinder(radius, 1.0).Posed(At(c))});
      FoundEdges found(plate, Box({4.0, 4.0, 4.0}), true);
      ASSERT_TRUE(found.is_found);
      ASSERT_TRUE(found.Fit());
      const auto is_mouth = [&](const EdgePiece& piece) {
        const Vector3d off = PlaceOf(found, piece.start.p) - c;
        return off.z() > 0.0 && std::abs(std::hypot(off.x(), off.y()) - radius) < 1e-9;
      };
      const std::vector<EdgePiece> all = found.edges.pieces;
      RemovePieces(is_mouth, &found.edges);
      ASSERT_LT(found.edges.pieces.size(), all.size());
      lost += found.Fit() ? 0 : 1;
      found.edges.pieces = all;
      for (EdgePiece& piece : found.edges.pieces) {
        if (!is_mouth(piece)) continue;
        EdgeSheets sheets;
        for (EdgeSheet sheet : piece.sheets.All()) {
          sheet.weight = -sheet.weight;
          sheets.Add(sheet);
        }
        piece.sheets = sheets;
      }
      flipped += found.Fit() ? 0 : 1;
      if (n >= 10) continue;
      expected += 0.1 * ChanceOf(half, [&](const Vector3d& p, const Vector3d& d) {
                    const Vector3d at = p + (half.z() - p.z()) / d.z() * d - c;
                    return std::hypot(at.x(), at.y()) < radius;
                  });
    }
    const double part = static_cast<double>(lost) / kPlaces;
    RecordProperty("noticed_at_" + std::to_string(radius), std::to_string(part));
    EXPECT_GE(part, 0.6 * expected) << radius << ' ' << expected;
    EXPECT_LE(part, 1.4 * expected + 0.05) << radius << ' ' << expected;
    // The places depend on what is left.
    EXPECT_NEAR(flipped, lost, 0.1 * kPlaces) << radius;
  }
}

// A ball inside has no edge: it is lost with its surface.
TEST(ChordCheck, LostBallsAreNoticed) {
  FoundEdges found(Union({Box({1.0, 1.0, 0.5}), Sphere(0.45).Posed(At({0.0, 0.0, 0.8}))}),
                   Box({4.0, 4.0, 4.0}), true);
  ASSERT_TRUE(found.is_found);
  EXPECT_TRUE(found.Fit());
  found.edges.surfaces.clear();
  found.edges.CollectSurfaces();
  EXPECT_FALSE(found.Fit());
}

}  // namespace
}  // namespace volcontact::testing::chord_check_test
