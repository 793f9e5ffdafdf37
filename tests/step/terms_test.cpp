// Terms of sides that tell points inside a solid from those outside of it.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "math/time_limit.h"
#include "step/csg/step_terms.h"

namespace volcontact {
namespace {

StepFace PlaneFace(const Eigen::Vector3d& origin, const Eigen::Vector3d& outward) {
  StepFace face;
  face.surface = StepSurface::kPlane;
  face.origin = origin;
  face.SetAxis(outward);
  return face;
}

// Points over a square of a plane, as those of a face.
void AddPoints(double low, double high, StepFace* face) {
  constexpr int kAlong = 12;
  for (int i = 0; i < kAlong * kAlong; ++i) {
    const double u = low + (high - low) * (i % kAlong + 0.5) / kAlong;
    const double v = low + (high - low) * (i / kAlong + 0.5) / kAlong;
    face->inner.push_back(face->origin + u * face->axes.col(0) + v * face->axes.col(1));
  }
  face->samples = face->inner;
}

// A cube of edge 2 about the origin, without or with one of edge 1 cut out of its middle.
StepSolid Cube(bool hollow) {
  StepSolid step;
  step.bounds = {Eigen::Vector3d::Constant(-1.0), Eigen::Vector3d::Constant(1.0)};
  for (int k = 0; k < 6; ++k) {
    const Eigen::Vector3d out = (k % 2 == 0 ? 1.0 : -1.0) * Eigen::Vector3d::Unit(k / 2);
    step.faces.push_back(PlaneFace(out, out));
    AddPoints(-1.0, 1.0, &step.faces.back());
    if (!hollow) continue;
    step.faces.push_back(PlaneFace(0.5 * out, -out));
    AddPoints(-0.5, 0.5, &step.faces.back());
  }
  return step;
}

std::vector<std::size_t> AllOf(const StepTable& table) {
  std::vector<std::size_t> all(table.labels().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

TEST(StepTerms, HoldTheLabelsOfOneKind) {
  for (const bool hollow : {false, true}) {
    const StepSolid step = Cube(hollow);
    StepTable table(step);
    table.Add({{Eigen::Vector3d::Zero(), !hollow}});
    SidesOfPoints sides(table);
    for (const bool inside : {true, false}) {
      const auto terms = TermsOf(table, AllOf(table), inside, LeftOut::kSeparators);
      ASSERT_TRUE(terms);
      const PointSet held = HeldLabels(*terms, table);
      for (std::size_t i = 0; i < table.labels().size(); ++i) {
        EXPECT_EQ(held.Has(i), table.labels()[i].inside == inside);
        const Eigen::Vector3d point = table.labels()[i].p, points[] = {0.9 * point, point};
        sides.MoveTo(points);
        EXPECT_EQ(HeldPoints(*terms, &sides) >> 1, PointBits{held.Has(i)});
      }
    }
  }
}

// A cube is one term of six sides, and its outside six of one; of a hollow one it is seven.
TEST(StepTerms, AreFew) {
  const StepSolid step = Cube(false);
  const StepTable table(step);
  const auto inside = TermsOf(table, AllOf(table), true, LeftOut::kSeparators),
             outside = TermsOf(table, AllOf(table), false, LeftOut::kSeparators);
  ASSERT_TRUE(inside && outside);
  ASSERT_EQ(inside->size(), 1u);
  EXPECT_EQ(inside->front().size(), 6u);
  ASSERT_EQ(outside->size(), 6u);
  for (const StepTerm& term : *outside) EXPECT_EQ(term.size(), 1u);
  const StepSolid hollow = Cube(true);
  StepTable with_hole(hollow);
  with_hole.Add({{Eigen::Vector3d::Zero(), false}});
  const auto hole = TermsOf(with_hole, AllOf(with_hole), false, LeftOut::kSeparators);
  ASSERT_TRUE(hole);
  EXPECT_EQ(hole->size(), 7u);
}

// Separators are left out where faces tell, and taken where they do not.
TEST(StepTerms, TakeSeparatorsWhereTheyAreNeeded) {
  const auto uses = [](const StepTable& table, int surface) {
    const auto terms = TermsOf(table, AllOf(table), true, LeftOut::kSeparators);
    if (!terms) return false;
    for (const StepTerm& term : *terms) {
      for (const StepSide& side : term) {
        if (side.surface == surface) return true;
      }
    }
    return false;
  };
  StepSolid step = Cube(false);
  step.separators.push_back(PlaneFace({0.1, 0.0, 0.0}, Eigen::Vector3d::UnitX()));
  EXPECT_FALSE(uses(StepTable(step), 6));
  // Of a cube without a face at x = 1, of which only what is below the separator is known.
  step.faces.erase(step.faces.begin());
  for (StepFace& face : step.faces) {
    std::erase_if(face.inner, [](const Eigen::Vector3d& p) { return p.x() > 0.0; });
  }
  StepTable table(step);
  table.Add({{{0.5, 0.0, 0.0}, false}, {{0.0, 0.0, 0.0}, true}});
  EXPECT_TRUE(uses(table, 5));
}

// What is left out where there is a choice: a separator through the solid is in no term, or, where
// faces are left out first, parts them.
TEST(StepTerms, LeaveOutWhatIsAskedFor) {
  StepSolid step = Cube(true);
  step.separators.push_back(PlaneFace({0.5, 0.0, 0.0}, -Eigen::Vector3d::UnitX()));
  step.separators.push_back(PlaneFace({0.0, 0.1, 0.0}, Eigen::Vector3d::UnitY()));
  StepTable table(step);
  table.Add({{Eigen::Vector3d::Zero(), false}});
  // The first of them is the plane of a face.
  ASSERT_EQ(table.surfaces().size(), 13u);
  for (const LeftOut left_out :
       {LeftOut::kSeparators, LeftOut::kFaces, LeftOut::kFacesAndFarSeparators}) {
    const auto terms = TermsOf(table, AllOf(table), true, left_out);
    ASSERT_TRUE(terms);
    for (const StepTerm& term : *terms) {
      for (const StepSide& side : term) {
        if (left_out == LeftOut::kSeparators) {
          EXPECT_NE(side.surface, 12);
        }
      }
    }
    const PointSet held = HeldLabels(*terms, table);
    for (std::size_t i = 0; i < table.labels().size(); ++i) {
      EXPECT_EQ(held.Has(i), table.labels()[i].inside);
    }
  }
}

TEST(StepTerms, NoneAfterTheTimeLimit) {
  const StepSolid step = Cube(false);
  const StepTable table(step);
  const TimeLimit over(0.0);
  EXPECT_FALSE(TermsOf(table, AllOf(table), true, LeftOut::kSeparators));
}

TEST(StepTerms, NoneWherePointsAreOnTheSameSides) {
  const StepSolid step = Cube(false);
  StepTable table(step);
  table.Add({{Eigen::Vector3d::Zero(), false}});
  EXPECT_FALSE(TermsOf(table, AllOf(table), true, LeftOut::kSeparators));
  EXPECT_FALSE(TermsOf(table, AllOf(table), false, LeftOut::kSeparators));
}

}  // namespace
}  // namespace volcontact
