#include "display/refine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "display/edge_cuts.h"
#include "display/surface_function.h"

namespace volcontact {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
// Between the middles of edges a quadratic differs from linear by up to a third more.
constexpr double kInside = 4.0 / 3.0;
// Values at edges say less about polynomials of higher degree.
constexpr double kInsideSteep = 2.0;
// Edges shorter than this part of the deviation are not bisected.
constexpr double kShortest = 0.25;
// A triangle is cut by no more faces of a mesh than this.
constexpr std::size_t kMostFaces = 12;
// Unless its edges are shorter than this many deviations.
constexpr double kFewFaces = 4.0;
// Faces nearer than this, in scaled coordinates, may touch a triangle.
constexpr double kNearFace = 1e-9;
// The most levels of bisection. Edges are halved, but not all of them at every level.
constexpr int kMostLevels = 200;
// Both halves of an edge are shorter than this part of it.
constexpr double kFarthestMiddle = 0.8;
// A triangle with less area than this part of the square of its longest edge has none.
constexpr double kNoArea = 1e-10;
constexpr double kNearlyLongest = 0.7;

void FlagLongest(const TriangleCorners& triangle, double shortest, std::array<bool, 3>* flags) {
  std::array<double, 3> length;
  for (int i = 0; i < 3; ++i) length[i] = (triangle[(i + 1) % 3] - triangle[i]).norm();
  const double longest = *std::max_element(length.begin(), length.end());
  if (longest < shortest) return;
  for (int i = 0; i < 3; ++i) (*flags)[i] |= length[i] >= kNearlyLongest * longest;
}

// Halving edges of triangles without area makes others as long.
bool IsThin(const TriangleCorners& triangle) {
  double longest = 0.0;
  for (int i = 0; i < 3; ++i) {
    longest = std::max(longest, (triangle[(i + 1) % 3] - triangle[i]).squaredNorm());
  }
  return NormalOf(triangle).norm() <= kNoArea * longest;
}

}  // namespace

double BulgeOf(const Polynomial<double>& psi, const TriangleCorners& triangle) {
  if (psi.degree <= 1) return 0.0;
  double most = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d middle = 0.5 * (triangle[i] + triangle[(i + 1) % 3]);
    const double slope = GradientAt(psi, middle).norm();
    if (slope > 0.0) most = std::max(most, std::abs(ValueAt(psi, middle)) / slope);
  }
  return (psi.degree == 2 ? kInside : kInsideSteep) * most;
}

Refiner::Refiner(const DisplayField& field, double deviation)
    : field_(field), deviation_(deviation), shortest_(kShortest * deviation) {
  states_.assign(field.surfaces().size(), Truth::kUnknown);
}

bool Refiner::Run(CoarseSheet coarse, std::size_t most_triangles, Sheet* sheet) {
  sheet_ = sheet;
  sheet->surface = coarse.surface;
  sheet->chart = coarse.chart;
  sheet->is_mesh = field_.surfaces()[coarse.surface].mesh != nullptr;
  sheet->points = std::move(coarse.points);
  const auto whole = std::make_shared<Scope>();
  whole->expression = field_.expression();
  whole->surfaces = field_.expression().Surfaces();
  const auto own = std::find(whole->surfaces.begin(), whole->surfaces.end(), coarse.surface);
  if (own == whole->surfaces.end()) return true;
  whole->surfaces.erase(own);
  sheet->triangles.clear();
  for (const CoarseTriangle& t : coarse.triangles) {
    sheet->triangles.push_back({t.v, t.face, whole, false});
  }
  bool is_complete = true;
  for (int level = 0;; ++level) {
    middles_.clear();
    std::vector<SheetTriangle> kept;
    for (SheetTriangle& triangle : sheet->triangles) {
      Flags flags = {};
      if (!triangle.is_done) {
        if (!Assess(&triangle, &flags)) continue;
        if (IsThin(sheet->CornersOf(triangle.v))) flags = {};
        triangle.is_done = !flags[0] && !flags[1] && !flags[2];
      }
      for (int i = 0; i < 3; ++i) {
        if (flags[i]) middles_.try_emplace(EdgeKey(triangle.v[i], triangle.v[(i + 1) % 3]), kNone);
      }
      kept.push_back(std::move(triangle));
    }
    const bool are_too_many = kept.size() + 2 * middles_.size() > most_triangles;
    if (!middles_.empty() && (are_too_many || level == kMostLevels)) {
      is_complete = false;
      middles_.clear();
    }
    if (middles_.empty()) {
      sheet->triangles = std::move(kept);
      return is_complete;
    }
    Split(&kept);
    sheet->triangles = std::move(kept);
  }
}

// False for a triangle that is no part of the boundary.
bool Refiner::Assess(SheetTriangle* triangle, Flags* flags) {
  const TriangleCorners corners = sheet_->CornersOf(triangle->v);
  const Polynomial<double>& psi = field_.surfaces()[sheet_->surface].psi;
  const double bulge = sheet_->is_mesh ? 0.0 : BulgeOf(psi, corners);
  const std::shared_ptr<const Scope> scope = triangle->scope;
  truths_.assign(scope->surfaces.size(), Truth::kUnknown);
  bool is_narrower = false;
  for (std::size_t i = 0; i < scope->surfaces.size(); ++i) {
    truths_[i] = Decide(scope->surfaces[i], corners, bulge, flags);
    is_narrower |= truths_[i] != Truth::kUnknown;
  }
  if (is_narrower) {
    Narrow(*scope, truths_, triangle);
    if (triangle->scope == nullptr) return false;
    // What was flagged for surfaces that do not matter any more does not count.
    if (triangle->scope->surfaces.size() < scope->surfaces.size()) {
      *flags = {};
      for (const int t : triangle->scope->surfaces) Decide(t, corners, bulge, flags);
    }
  }
  if (sheet_->is_mesh || psi.degree <= 1) return true;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d &a = corners[i], &b = corners[(i + 1) % 3], middle = 0.5 * (a + b);
    const double slope = GradientAt(psi, middle).norm(), value = std::abs(ValueAt(psi, middle));
    (*flags)[i] |= value > deviation_ * slope && (b - a).norm() > shortest_;
  }
  return true;
}

// Whether psi <= 0 over the triangle's part of the sheet; flags edges along which it is bent.
Truth Refiner::Decide(int surface, const TriangleCorners& triangle, double bulge, Flags* flags) {
  const FieldSurface& of = field_.surfaces()[surface];
  if (of.mesh != nullptr) return DecideMesh(of, triangle, bulge, flags);
  const Polynomial<double>& psi = of.psi;
  Eigen::Vector3d value, bend = Eigen::Vector3d::Zero();
  double steepest = 0.0, mean_slope = 0.0;
  for (int i = 0; i < 3; ++i) {
    value[i] = ValueAt(psi, triangle[i]);
    const double slope = GradientAt(psi, triangle[i]).norm();
    steepest = std::max(steepest, slope);
    mean_slope += slope / 3.0;
  }
  if (psi.degree > 1) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const Eigen::Vector3d middle = 0.5 * (triangle[i] + triangle[j]);
      bend[i] = std::abs(ValueAt(psi, middle) - 0.5 * (value[i] + value[j]));
    }
  }
  const double most_bend = (psi.degree <= 2 ? kInside : kInsideSteep) * bend.maxCoeff();
  const double range = most_bend + (steepest + most_bend) * bulge;
  if (value.minCoeff() > range) return Truth::kFalse;
  if (value.maxCoeff() < -range) return Truth::kTrue;
  if (psi.degree <= 1) return Truth::kUnknown;
  for (int i = 0; i < 3; ++i) {
    const double length = (triangle[(i + 1) % 3] - triangle[i]).norm();
    (*flags)[i] |= bend[i] > deviation_ * mean_slope && length > shortest_;
  }
  return Truth::kUnknown;
}

Truth Refiner::DecideMesh(const FieldSurface& mesh, const TriangleCorners& triangle, double bulge,
                          Flags* flags) {
  FindNearFaces(mesh, triangle, bulge + kNearFace, &near_);
  if (near_.empty()) return ToTruth(IsInMesh(mesh, triangle[0]));
  if (near_.size() > kMostFaces) FlagLongest(triangle, kFewFaces * deviation_, flags);
  return Truth::kUnknown;
}

// Puts what is known into the triangle's expression; no scope where its own surface does not matter
// any more.
void Refiner::Narrow(const Scope& scope, const std::vector<Truth>& truths,
                     SheetTriangle* triangle) {
  for (std::size_t i = 0; i < scope.surfaces.size(); ++i) states_[scope.surfaces[i]] = truths[i];
  const auto next = std::make_shared<Scope>();
  scope.expression.Reduce(states_.data(), &next->expression);
  for (const int surface : scope.surfaces) states_[surface] = Truth::kUnknown;
  next->expression.FindSurfaces(&next->surfaces);
  const auto own = std::find(next->surfaces.begin(), next->surfaces.end(), sheet_->surface);
  if (own == next->surfaces.end()) {
    triangle->scope = nullptr;
    return;
  }
  next->surfaces.erase(own);
  triangle->scope = next;
}

std::uint32_t Refiner::MiddleOf(std::uint32_t a, std::uint32_t b) {
  const auto it = middles_.find(EdgeKey(a, b));
  if (it == middles_.end()) return kNone;
  if (it->second != kNone) return it->second;
  const Eigen::Vector3d &p = sheet_->points[std::min(a, b)], &q = sheet_->points[std::max(a, b)];
  Eigen::Vector3d middle = 0.5 * (p + q);
  if (!sheet_->is_mesh && !sheet_->chart.flat) {
    middle = sheet_->chart.Between(p, q);
    const Eigen::Vector3d polished = ProjectTo(field_.surfaces()[sheet_->surface].psi, middle);
    const double length = (q - p).norm();
    if ((polished - middle).norm() < 0.5 * length) middle = polished;
    // Where there is no between, as next to a point at which sheets meet.
    if (std::max((middle - p).norm(), (middle - q).norm()) > kFarthestMiddle * length) {
      middle = ProjectTo(field_.surfaces()[sheet_->surface].psi, 0.5 * (p + q));
      if ((middle - 0.5 * (p + q)).norm() > 0.3 * length) middle = 0.5 * (p + q);
    }
  }
  it->second = static_cast<std::uint32_t>(sheet_->points.size());
  sheet_->points.push_back(middle);
  return it->second;
}

// Divides all triangles with flagged edges, so that neighbours still share their points.
void Refiner::Split(std::vector<SheetTriangle>* triangles) {
  std::vector<SheetTriangle> result;
  result.reserve(2 * triangles->size());
  for (SheetTriangle& triangle : *triangles) {
    const auto v = triangle.v;
    std::array<std::uint32_t, 3> m;
    int count = 0, first = 0;
    for (int i = 0; i < 3; ++i) {
      m[i] = MiddleOf(v[i], v[(i + 1) % 3]);
      if (m[i] != kNone) ++count;
    }
    if (count == 0) {
      result.push_back(std::move(triangle));
      continue;
    }
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      result.push_back({{a, b, c}, triangle.face, triangle.scope, false});
    };
    // Turned so that edge 0 is divided, and where two are, edges 0 and 1.
    while (m[first] == kNone || (count == 2 && m[(first + 1) % 3] == kNone)) ++first;
    const std::uint32_t a = v[first], b = v[(first + 1) % 3], c = v[(first + 2) % 3];
    const std::uint32_t ab = m[first], bc = m[(first + 1) % 3], ca = m[(first + 2) % 3];
    if (count == 1) {
      add(a, ab, c);
      add(ab, b, c);
    } else if (count == 2) {
      add(ab, b, bc);
      const auto& p = sheet_->points;
      if ((p[a] - p[bc]).squaredNorm() < (p[ab] - p[c]).squaredNorm()) {
        add(a, ab, bc);
        add(a, bc, c);
      } else {
        add(a, ab, c);
        add(ab, bc, c);
      }
    } else {
      add(a, ab, ca);
      add(ab, b, bc);
      add(ca, bc, c);
      add(ab, bc, ca);
    }
  }
  *triangles = std::move(result);
}

}  // namespace volcontact
