// Slices of quartic surfaces: the pieces agree with columns in between, and integrals with
// sampling.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <random>

#include "overlap/columns/slice.h"

namespace volcontact {
namespace {

class SliceStructureTest : public testing::Test {
 protected:
  double Number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); }

  // (r² + R² − ρ²)² − 4 R² (r² − (a·r)²) for a torus of random pose about the middle of the box.
  LocalSurface RandomTorus(Owner owner) {
    const double major = 0.45 + 0.1 * Number(), minor = 0.15 + 0.05 * Number();
    Eigen::Vector3d axis(Number(), Number(), Number());
    axis.normalize();
    const Eigen::Vector3d center = 0.2 * Eigen::Vector3d(Number(), Number(), Number());
    const auto value = [&](const Eigen::Vector3d& y) {
      const Eigen::Vector3d r = y - center;
      const double s = r.squaredNorm() + major * major - minor * minor, h = axis.dot(r);
      return 0.1 * (s * s - 4.0 * major * major * (r.squaredNorm() - h * h));
    };
    LocalSurface surface;
    surface.owner = owner;
    surface.psi = Interpolate(value);
    return surface;
  }

  // The polynomial of degree 4 with the values of a function that is one.
  template <class F>
  Polynomial<double> Interpolate(const F& value) {
    Eigen::Matrix<double, 35, 35> A;
    Eigen::Matrix<double, 35, 1> b;
    for (int i = 0; i < 35; ++i) {
      const Eigen::Vector3d y(Number(), Number(), Number());
      b[i] = value(y);
      for (int m = 0; m < 35; ++m) {
        const auto& e = kMonomialExponents[m];
        A(i, m) = std::pow(y.x(), e[0]) * std::pow(y.y(), e[1]) * std::pow(y.z(), e[2]);
      }
    }
    const Eigen::Matrix<double, 35, 1> c = A.fullPivLu().solve(b);
    Polynomial<double> psi;
    psi.degree = 4;
    for (int m = 0; m < 35; ++m) psi.c[m] = c[m];
    return psi;
  }

  LocalSurface RandomPlane() {
    LocalSurface plane;
    plane.owner = Owner::kB;
    plane.psi.degree = 1;
    plane.psi.c[kOne] = 0.2 * Number();
    for (int i = 0; i < 3; ++i) plane.psi.c[kX + i] = 0.3 * Number();
    return plane;
  }

  void Pose(const LocalSurface& first, const LocalSurface& second) {
    problem_.surfaces = {first, second};
    problem_.expression = Expression::And({Expression::Below(0), Expression::Below(1)});
    AllEventSources(problem_, &sources_);
    slice_.SetProblem(problem_);
    const double angle = 3.0 * Number();
    direction_ = {std::cos(angle), std::sin(angle)};
    base_ = 0.4 * Number() * Eigen::Vector2d(-direction_.y(), direction_.x());
    slice_.MoveTo(base_, direction_);
    slice_.FindStructure(-1.0, 1.0, sources_, 1e-9, &structure_);
  }

  // Every column has its piece's signature, but next to the ends.
  void ExpectPiecesAgreeWithColumns() {
    for (const Piece& piece : structure_.pieces) {
      for (int n = 1; n < 64; ++n) {
        const double t = n / 64.0;
        if (std::min(t, 1.0 - t) * (piece.v1 - piece.v0) < 1e-8) continue;
        slice_.FindColumn(piece.v0 + t * (piece.v1 - piece.v0), &column_);
        EXPECT_EQ(column_.Signature(), piece.signature) << piece.v0 << " " << piece.v1 << " " << t;
      }
    }
  }

  double Area() {
    SliceSums sums, coarse;
    for (const Piece& piece : structure_.pieces) {
      if (piece.signature != 0) {
        slice_.IntegratePiece(piece, kKronrodRules[3], 2, false, &sums, &coarse);
      }
    }
    return sums.s[SliceSums::kOne];
  }

  // By the midpoint rule over columns: independent of events and changes of variable.
  double SampledArea() {
    constexpr int kColumns = 20000;
    double sum = 0.0;
    for (int n = 0; n < kColumns; ++n) {
      slice_.FindColumn(-1.0 + (2 * n + 1.0) / kColumns, &column_);
      for (std::size_t i = 0; i + 1 < column_.ends.size(); i += 2) {
        sum += column_.ends[i + 1].z - column_.ends[i].z;
      }
    }
    return sum * 2.0 / kColumns;
  }

  std::mt19937 random_{11};
  LocalProblem problem_;
  Slice slice_;
  std::vector<EventSource> sources_;
  SliceStructure structure_;
  Column column_;
  Eigen::Vector2d base_, direction_;
};

TEST_F(SliceStructureTest, TorusAndPlane) {
  for (int n = 0; n < 300; ++n) {
    Pose(RandomTorus(Owner::kA), RandomPlane());
    ExpectPiecesAgreeWithColumns();
  }
}

TEST_F(SliceStructureTest, TwoTori) {
  for (int n = 0; n < 300; ++n) {
    Pose(RandomTorus(Owner::kA), RandomTorus(Owner::kB));
    ExpectPiecesAgreeWithColumns();
  }
}

TEST_F(SliceStructureTest, AreasAgreeWithSampling) {
  for (int n = 0; n < 30; ++n) {
    Pose(RandomTorus(Owner::kA), n % 2 == 0 ? RandomPlane() : RandomTorus(Owner::kB));
    EXPECT_NEAR(Area(), SampledArea(), 2e-5) << n;
  }
}

}  // namespace
}  // namespace volcontact
