#include "display/trim.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "display/surface_function.h"

namespace volcontact {
namespace {

constexpr double kOnSurface = 1e-9, kFinestOnSurface = 1e-13, kOfDeviation = 1e-3;
// Normals of which the cosine is more are parallel.
constexpr double kParallel = 1.0 - 1e-7;
constexpr int kChordSteps = 60;

}  // namespace

double OnSurface(double deviation) {
  return std::max(kFinestOnSurface, std::min(kOnSurface, kOfDeviation * deviation));
}

Trimmer::Trimmer(const DisplayField& field, double deviation)
    : field_(field), tolerance_(OnSurface(deviation)) {
  below_.assign(field.surfaces().size(), Truth::kUnknown);
  above_ = below_;
}

bool Trimmer::IsOn(const Polynomial<double>& psi, const Eigen::Vector3d& y) const {
  const double value = std::abs(ValueAt(psi, y));
  return value == 0.0 || value <= tolerance_ * GradientAt(psi, y).norm();
}

int Trimmer::SignAt(const Polynomial<double>& psi, const Eigen::Vector3d& y) const {
  if (IsOn(psi, y)) return 0;
  return ValueAt(psi, y) < 0.0 ? -1 : 1;
}

Polynomial<double> Trimmer::FunctionOf(const TrimmingSurface& trimming) const {
  const FieldSurface& surface = field_.surfaces()[trimming.surface];
  if (surface.mesh == nullptr) return surface.psi;
  return PlaneOf(CornersOf(surface, trimming.face));
}

std::vector<FacePiece> Trimmer::Run(Sheet* sheet) {
  sheet_ = sheet;
  edge_cuts_.Restart(&sheet->points);
  std::vector<FacePiece> pieces;
  for (std::uint32_t n = 0; n < sheet->triangles.size(); ++n) {
    const SheetTriangle& triangle = sheet->triangles[n];
    own_ = FunctionOf({sheet->surface, triangle.face});
    parts_ = {triangle.v};
    scope_ = triangle.scope.get();
    FindCuts(triangle);
    for (std::size_t cut = 0; cut < cuts_.size(); ++cut) CutPieces(cut);
    for (const Corner3& part : parts_) {
      FacePiece piece{part, n};
      if (Classify(triangle, &piece)) pieces.push_back(piece);
    }
  }
  return ShareCuts(pieces);
}

void Trimmer::FindCuts(const SheetTriangle& triangle) {
  cuts_.clear();
  const TriangleCorners corners = sheet_->CornersOf(triangle.v);
  for (const int t : triangle.scope->surfaces) {
    const FieldSurface& surface = field_.surfaces()[t];
    const std::uint64_t high = static_cast<std::uint64_t>(t) << 32;
    if (surface.mesh == nullptr) {
      cuts_.push_back({{t}, surface.psi, high});
      continue;
    }
    const double bulge = sheet_->is_mesh ? 0.0 : BulgeOf(own_, corners);
    FindNearFaces(surface, corners, bulge + tolerance_, &near_);
    for (const std::uint32_t face : near_) {
      const TrimmingSurface by{t, face};
      cuts_.push_back({by, FunctionOf(by), high | face});
    }
  }
}

void Trimmer::CutPieces(std::size_t cut) {
  const TrimmingSurface& by = cuts_[cut].by;
  const FieldSurface& surface = field_.surfaces()[by.surface];
  next_parts_.clear();
  for (const Corner3& v : parts_) {
    if (!Matters(by.surface, v)) {
      next_parts_.push_back(v);
      continue;
    }
    if (surface.mesh != nullptr) {
      const TriangleCorners corners = sheet_->CornersOf(v);
      const double bulge = sheet_->is_mesh ? 0.0 : BulgeOf(own_, corners);
      if (!MayMeet(corners, CornersOf(surface, by.face), bulge + tolerance_)) {
        next_parts_.push_back(v);
        continue;
      }
    }
    CutPiece(v, cut, &next_parts_);
  }
  std::swap(parts_, next_parts_);
}

// Whether the expression still depends on a surface over a part, given the signs of polynomials
// that are the same at all its corners: of these it was found before that they are straight to the
// deviation over the triangle.
bool Trimmer::Matters(int surface, const Corner3& v) {
  if (parts_.size() == 1) return true;
  const Scope& scope = *scope_;
  for (const int t : scope.surfaces) {
    const FieldSurface& of = field_.surfaces()[t];
    if (t == surface || of.mesh != nullptr) continue;
    int below = 0, above = 0;
    for (const std::uint32_t corner : v) {
      const int sign = SignAt(of.psi, sheet_->points[corner]);
      if (sign < 0) ++below;
      if (sign > 0) ++above;
    }
    if (above == 0 && below > 0) below_[t] = Truth::kTrue;
    if (below == 0 && above > 0) below_[t] = Truth::kFalse;
  }
  scope.expression.Reduce(below_.data(), &reduced_);
  for (const int t : scope.surfaces) below_[t] = Truth::kUnknown;
  const auto is_it = [surface](const Expression::Node& node) {
    return node.kind == Expression::Kind::kLiteral && node.value == surface;
  };
  return std::any_of(reduced_.nodes().begin(), reduced_.nodes().end(), is_it);
}

// Points that a neighbour was cut at on an edge which a piece has as a whole.
std::vector<FacePiece> Trimmer::ShareCuts(const std::vector<FacePiece>& pieces) {
  std::vector<FacePiece> shared, open(pieces.rbegin(), pieces.rend());
  while (!open.empty()) {
    const FacePiece piece = open.back();
    open.pop_back();
    std::optional<std::uint32_t> point;
    int edge = 0;
    while (edge < 3 && !(point = edge_cuts_.PointBetween(piece.v[edge], piece.v[(edge + 1) % 3])))
      ++edge;
    if (!point) {
      shared.push_back(piece);
      continue;
    }
    const std::uint32_t a = piece.v[edge], b = piece.v[(edge + 1) % 3], c = piece.v[(edge + 2) % 3];
    edge_cuts_.Divide(a, *point, b);
    for (const Corner3& half : {Corner3{*point, b, c}, Corner3{a, *point, c}}) {
      open.push_back(piece);
      open.back().v = half;
    }
  }
  return shared;
}

void Trimmer::CutPiece(const Corner3& v, std::size_t cut, std::vector<Corner3>* parts) {
  std::array<int, 3> sign;
  for (int i = 0; i < 3; ++i) sign[i] = SignAt(cuts_[cut].psi, sheet_->points[v[i]]);
  const int below = static_cast<int>(std::count(sign.begin(), sign.end(), -1));
  const int above = static_cast<int>(std::count(sign.begin(), sign.end(), 1));
  if (below == 0 || above == 0) return parts->push_back(v);
  // Turned so that corner 0 is the one on the surface, or alone on its side.
  int first = 0;
  const auto is_first = [&](int i) {
    if (below + above == 2) return sign[i] == 0;
    return below == 1 ? sign[i] < 0 : sign[i] > 0;
  };
  while (!is_first(first)) ++first;
  const std::uint32_t a = v[first], b = v[(first + 1) % 3], c = v[(first + 2) % 3];
  if (below + above == 2) {
    const std::uint32_t bc = CutPoint(b, c, cut);
    parts->push_back({a, b, bc});
    parts->push_back({a, bc, c});
    return;
  }
  const std::uint32_t ab = CutPoint(a, b, cut), ca = CutPoint(c, a, cut);
  parts->push_back({a, ab, ca});
  const auto& p = sheet_->points;
  if ((p[ab] - p[c]).squaredNorm() < (p[b] - p[ca]).squaredNorm()) {
    parts->push_back({ab, b, c});
    parts->push_back({ab, c, ca});
  } else {
    parts->push_back({ab, b, ca});
    parts->push_back({b, c, ca});
  }
}

// One point for an edge and a cut, whichever of its triangles asks.
std::uint32_t Trimmer::CutPoint(std::uint32_t a, std::uint32_t b, std::size_t cut) {
  std::optional<std::uint32_t> point = edge_cuts_.Find(a, b, cuts_[cut].number);
  if (!point) {
    point = static_cast<std::uint32_t>(sheet_->points.size());
    sheet_->points.push_back(
        FindCrossing(sheet_->points[std::min(a, b)], sheet_->points[std::max(a, b)], cut));
    edge_cuts_.Add(a, b, cuts_[cut].number, *point);
  }
  edge_cuts_.Divide(a, *point, b);
  return *point;
}

// On the sheet and the surface that cuts; along an edge of a cut before on that one, too.
Eigen::Vector3d Trimmer::FindCrossing(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                                      std::size_t cut) {
  const Polynomial<double>& psi = cuts_[cut].psi;
  Eigen::Vector3d start = SearchChord(p, q, psi);
  const double reach = 0.7 * (q - p).norm();
  for (std::size_t i = 0; i < cut; ++i) {
    if (!IsOn(cuts_[i].psi, p) || !IsOn(cuts_[i].psi, q)) continue;
    Eigen::Vector3d corner = start;
    if (FindCommonPoint({&own_, &cuts_[i].psi, &psi}, 3, reach, &corner)) return corner;
  }
  if (own_.degree <= 1) return start;
  Eigen::Vector3d common = start;
  if (FindCommonPoint({&own_, &psi, nullptr}, 2, reach, &common)) return common;
  return ProjectTo(own_, start);
}

// The zero on the chord, between ends of different signs.
Eigen::Vector3d Trimmer::SearchChord(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                                     const Polynomial<double>& psi) const {
  double low = 0.0, high = 1.0, f_low = ValueAt(psi, p), f_high = ValueAt(psi, q);
  double at = f_low / (f_low - f_high);
  int last = 0;
  for (int step = 0; step < kChordSteps && psi.degree > 1; ++step) {
    const double f = ValueAt(psi, p + at * (q - p));
    if (f == 0.0) break;
    // An end that stays a second time counts half (the Illinois rule).
    if ((f < 0.0) == (f_low < 0.0)) {
      low = at;
      f_low = f;
      if (last == -1) f_high *= 0.5;
      last = -1;
    } else {
      high = at;
      f_high = f;
      if (last == 1) f_low *= 0.5;
      last = 1;
    }
    const double next = low + (high - low) * f_low / (f_low - f_high);
    if (std::abs(next - at) < 1e-16) break;
    at = next;
  }
  return p + at * (q - p);
}

// Finds whether a part is boundary, and its outside and owner.
bool Trimmer::Classify(const SheetTriangle& triangle, FacePiece* piece) {
  const TriangleCorners corners = sheet_->CornersOf(piece->v);
  const Eigen::Vector3d flat_middle = (corners[0] + corners[1] + corners[2]) / 3.0;
  const Eigen::Vector3d middle = own_.degree <= 1 ? flat_middle : ProjectTo(own_, flat_middle);
  rising_ = GradientAt(own_, middle).normalized();
  bool is_drawn_once = true;
  for (const int t : triangle.scope->surfaces) {
    if (SetState(t, corners, middle) && t < sheet_->surface) is_drawn_once = false;
  }
  below_[sheet_->surface] = Truth::kTrue;
  above_[sheet_->surface] = Truth::kFalse;
  bool inside_below = false;
  const bool is_boundary = is_drawn_once && Differs(triangle.scope->expression, &inside_below);
  if (is_boundary) {
    piece->is_flipped = !inside_below;
    piece->owner = OwnerOf(triangle.face, corners, middle);
  }
  for (const int t : triangle.scope->surfaces) below_[t] = above_[t] = Truth::kUnknown;
  below_[sheet_->surface] = above_[sheet_->surface] = Truth::kUnknown;
  return is_boundary;
}

TrimmingSurface Trimmer::FindTrimming(const Sheet& sheet, const FacePiece& piece, std::uint32_t a,
                                      std::uint32_t b) {
  const SheetTriangle& triangle = sheet.triangles[piece.triangle];
  const Eigen::Vector3d &p = sheet.points[a], &q = sheet.points[b];
  const Polynomial<double> own = FunctionOf({sheet.surface, triangle.face});
  const auto crosses = [&](const Polynomial<double>& psi) {
    if (!IsOn(psi, p) || !IsOn(psi, q)) return false;
    const Eigen::Vector3d middle = 0.5 * (p + q);
    const Eigen::Vector3d n = GradientAt(own, middle).normalized();
    return std::abs(n.dot(GradientAt(psi, middle).normalized())) < kParallel;
  };
  for (const int t : triangle.scope->surfaces) {
    const FieldSurface& surface = field_.surfaces()[t];
    if (surface.mesh == nullptr) {
      if (crosses(surface.psi)) return {t};
      continue;
    }
    FindNearFaces(surface, {p, q, q}, tolerance_, &near_);
    for (const std::uint32_t face : near_) {
      if (crosses(FunctionOf({t, face}))) return {t, face};
    }
  }
  // Surfaces can touch there, as where a rounding begins.
  for (const int t : triangle.scope->surfaces) {
    const FieldSurface& surface = field_.surfaces()[t];
    if (surface.mesh == nullptr && IsOn(surface.psi, p) && IsOn(surface.psi, q)) return {t};
  }
  return {};
}

bool Trimmer::Differs(const Expression& expression, bool* inside_below) {
  const Truth below = expression.Evaluate(below_.data());
  const Truth above = expression.Evaluate(above_.data());
  *inside_below = below == Truth::kTrue;
  return below != Truth::kUnknown && above != Truth::kUnknown && below != above;
}

// The sides of a surface below and above the sheet, at a part that it does not cross. True where it
// coincides with the sheet.
bool Trimmer::SetState(int surface, const TriangleCorners& corners, const Eigen::Vector3d& middle) {
  const FieldSurface& of = field_.surfaces()[surface];
  if (of.mesh != nullptr) return SetMeshState(surface, corners, middle);
  double farthest = 0.0;
  bool is_on = true;
  for (const Eigen::Vector3d& corner : corners) {
    const double value = ValueAt(of.psi, corner);
    if (IsOn(of.psi, corner)) continue;
    is_on = false;
    if (std::abs(value) > std::abs(farthest)) farthest = value;
  }
  if (is_on) {
    farthest = ValueAt(of.psi, middle);
    const double cosine = rising_.dot(GradientAt(of.psi, middle).normalized());
    if (std::abs(cosine) > kParallel && IsOn(of.psi, middle)) {
      below_[surface] = ToTruth(cosine > 0.0);
      above_[surface] = ToTruth(cosine < 0.0);
      return true;
    }
  }
  below_[surface] = above_[surface] = ToTruth(farthest < 0.0);
  return false;
}

bool Trimmer::SetMeshState(int surface, const TriangleCorners& corners,
                           const Eigen::Vector3d& middle) {
  const FieldSurface& of = field_.surfaces()[surface];
  FindNearFaces(of, {middle, middle, middle}, tolerance_, &near_);
  for (const std::uint32_t face : near_) {
    const Polynomial<double> plane = FunctionOf({surface, face});
    const double cosine = rising_.dot(LinearPart(plane));
    const auto is_on = [&](const Eigen::Vector3d& corner) { return IsOn(plane, corner); };
    if (std::abs(cosine) < kParallel || !std::all_of(corners.begin(), corners.end(), is_on)) {
      continue;
    }
    below_[surface] = ToTruth(cosine > 0.0);
    above_[surface] = ToTruth(cosine < 0.0);
    return true;
  }
  below_[surface] = above_[surface] = ToTruth(IsInMesh(of, middle));
  return false;
}

// The owner of a boundary: for a surface of one body this body, else the bodies whose own
// expressions change.
DisplayOwner Trimmer::OwnerOf(std::uint32_t face, const TriangleCorners& corners,
                              const Eigen::Vector3d& middle) {
  if (!field_.is_pair()) return DisplayOwner::kA;
  const std::vector<DisplayOwner>& owners = field_.surfaces()[sheet_->surface].owners;
  if (!owners.empty()) return owners[face];
  bool of_a = false, of_b = false;
  const std::size_t count = field_.surfaces().size();
  for (std::size_t t = 0; t < count; ++t) {
    const FieldSurface& surface = field_.surfaces()[t];
    const bool is_own = static_cast<int>(t) == sheet_->surface;
    const bool coincides = is_own || (below_[t] != Truth::kUnknown && below_[t] != above_[t]);
    of_a |= coincides && surface.in_a;
    of_b |= coincides && surface.in_b;
  }
  if (!of_b) return DisplayOwner::kA;
  if (!of_a) return DisplayOwner::kB;
  const std::vector<Truth> below = below_, above = above_;
  for (std::size_t t = 0; t < count; ++t) {
    if (below_[t] == Truth::kUnknown) SetState(static_cast<int>(t), corners, middle);
  }
  bool side = false;
  const bool a = Differs(field_.of_a(), &side), b = Differs(field_.of_b(), &side);
  below_ = below;
  above_ = above;
  if (a == b) return DisplayOwner::kBoth;
  return a ? DisplayOwner::kA : DisplayOwner::kB;
}

}  // namespace volcontact
