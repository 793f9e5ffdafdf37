#include "overlap/mesh_arcs/face_trim.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "overlap/mesh_arcs/flat_sums.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The sign of a surface's value near the cube, with coefficients no larger than one, is certain
// beyond this.
constexpr double kCertain = 2e-14;
// For what lies on a plane that is aside.
constexpr double kHardly = 1e-200;
// Parts of edges and arcs shorter than this are nothing.
constexpr double kNothing = 1e-15;

}  // namespace

void TrimmedFaces::Clear() {
  faces.clear();
  arcs.clear();
  surfaces.clear();
  whole = {};
  whole_faces.clear();
  points.clear();
}

void TrimmedFaces::Counts::Add(const TrimmedFaces& found) {
  faces += found.faces.size();
  arcs += found.arcs.size();
  surfaces += found.surfaces.size();
  whole_faces += found.whole_faces.size();
  points += found.points.size();
}

void TrimmedFaces::Resize(const Counts& counts) {
  faces.resize(counts.faces);
  arcs.resize(counts.arcs);
  surfaces.resize(counts.surfaces);
  whole_faces.resize(counts.whole_faces);
  points.resize(counts.points);
}

void TrimmedFaces::Place(const TrimmedFaces& other, const Counts& before) {
  for (std::size_t n = 0; n < other.faces.size(); ++n) {
    Face& face = faces[before.faces + n];
    face = other.faces[n];
    face.first_surface += before.surfaces;
    face.end_surface += before.surfaces;
  }
  for (std::size_t n = 0; n < other.arcs.size(); ++n) {
    TrimArc& arc = arcs[before.arcs + n];
    arc = other.arcs[n];
    arc.face += static_cast<int>(before.faces);
  }
  const auto place = [](const auto& from, std::size_t start, auto* to) {
    std::copy(from.begin(), from.end(), to->begin() + static_cast<std::ptrdiff_t>(start));
  };
  place(other.surfaces, before.surfaces, &surfaces);
  place(other.whole_faces, before.whole_faces, &whole_faces);
  place(other.points, before.points, &points);
}

void TrimmedFaces::Append(const TrimmedFaces& other) {
  Counts before;
  before.Add(*this);
  Counts all = before;
  all.Add(other);
  Resize(all);
  Place(other, before);
  whole.Add(1.0, other.whole);
}

void FaceTrim::Begin(const std::vector<TrimSurface>* surfaces) {
  surfaces_ = surfaces;
  states_.assign(surfaces->size(), Truth::kUnknown);
}

// Corners on a plane that is aside are on one side.
void FaceTrim::SetAside(int aside, Form* form, double* low, double* high) const {
  *low = std::numeric_limits<double>::infinity();
  *high = -*low;
  for (int k = 0; k < polygon_->count; ++k) {
    double& value = form->at[k];
    if (std::abs(value) <= kCoincident) value = aside * kHardly;
    *low = std::min(*low, value);
    *high = std::max(*high, value);
  }
  for (int k = 0; k < polygon_->count; ++k) {
    form->between[k] = 0.5 * (form->at[k] + form->at[k + 1 < polygon_->count ? k + 1 : 0]);
  }
}

// The state of the surface over the whole face; the form where it is undecided. False when it
// coincides with the face.
bool FaceTrim::MakeForm(int number, Form* form, Truth* state) const {
  const TrimSurface& surface = (*surfaces_)[number];
  const int count = polygon_->count;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::array<Vector3d, kMost> H_p;
  for (int k = 0; k < count; ++k) H_p[k] = surface.H * polygon_->corners[k];
  for (int i = 0; i < count; ++i) {
    const Vector3d& p = polygon_->corners[i];
    for (int j = i; j < count; ++j) {
      const double value =
          surface.constant + 0.5 * surface.slope.dot(p + polygon_->corners[j]) + p.dot(H_p[j]);
      low = std::min(low, value);
      high = std::max(high, value);
      if (j == i) form->at[i] = value;
      if (j == i + 1) form->between[i] = value;
      if (i == 0 && j == count - 1) form->between[j] = value;
    }
  }
  form->surface = number;
  const bool coincides = std::max(-low, high) <= kCoincident;
  if (surface.aside != 0) {
    SetAside(surface.aside, form, &low, &high);
    *state = high < 0.0 ? Truth::kTrue : low > 0.0 ? Truth::kFalse : Truth::kUnknown;
    return !coincides;
  }
  *state = high <= -kCertain ? Truth::kTrue : low >= kCertain ? Truth::kFalse : Truth::kUnknown;
  return !coincides;
}

// The same of a surface whose section is followed: all of it.
void FaceTrim::Follow(int number, Form* form, Truth* state) {
  if (trace_count_ == traces_.size()) traces_.emplace_back();
  form->surface = number;
  form->trace = static_cast<int>(trace_count_);
  SectionTrace& trace = traces_[trace_count_];
  trace.Run((*surfaces_)[number], *polygon_);
  *state = trace.state();
  if (*state == Truth::kUnknown) ++trace_count_;
}

// Whether the surface certainly crosses neither an edge nor the face within: then it has one sign.
bool FaceTrim::IsClear(const Form& form) const {
  if (form.trace >= 0) return false;
  const double sign = form.at[0] > 0.0 ? 1.0 : -1.0;
  for (int k = 0; k < polygon_->count; ++k) {
    const double a = sign * form.at[k], b = sign * form.between[k];
    const double c = sign * form.at[k + 1 < polygon_->count ? k + 1 : 0];
    if (!(std::min(a, c) > kCertain)) return false;
    // At its least, where that is between the corners, (1 − t)² a + 2 t (1 − t) b + t² c is
    // (a c − b²)/(a − 2 b + c).
    if (b < std::min(a, c) && !(a * c - b * b > kCertain * (a - 2.0 * b + c))) return false;
  }
  const TrimSurface& surface = (*surfaces_)[form.surface];
  if (surface.surface->psi.degree <= 1 || surface.bend * sign < 0.0) return true;
  Vector3d center;
  return !FindEllipseCenter(surface, polygon_->normal, polygon_->corners[0], &center) ||
         surface.bend * surface.At(center) > kCertain || !polygon_->Holds(center);
}

Vector3d FaceTrim::PointOn(int edge, double t) const {
  const Vector3d &p = polygon_->corners[edge], &q = polygon_->Next(edge);
  return t < 0.5 ? Vector3d(p + t * (q - p)) : Vector3d(q + (1.0 - t) * (p - q));
}

// Where a surface crosses the edges, around the face.
void FaceTrim::FindCrossings(const Form& form) {
  of_form_.clear();
  for (int k = 0; k < polygon_->count; ++k) {
    const double a = form.at[k], c = form.at[k + 1 < polygon_->count ? k + 1 : 0];
    const double b = form.between[k];
    const bool inside = a <= 0.0, ends_inside = c <= 0.0;
    const double square = b * b - a * c;
    // (1 − t)² a + 2 t (1 − t) b + t² c, with zeros t/(1 − t) = q/c and a/q.
    if (inside == ends_inside && !(square > 0.0 && (inside ? b > 0.0 : b < 0.0))) continue;
    const double q = -(b + std::copysign(std::sqrt(std::max(0.0, square)), b));
    const double one = q / (q + c), two = a / (a + q);
    const auto add = [&](double t, bool leaving) {
      const double at = std::clamp(std::isfinite(t) ? t : 0.0, 0.0, 1.0);
      of_form_.push_back({k, at, leaving, PointOn(k, at)});
      stops_[k].push_back(at);
    };
    if (inside != ends_inside) {
      // The zero in the interval: that with a ratio that is not negative.
      const bool first = c == 0.0 ? !(a * q > 0.0) : q * c > 0.0;
      add(first ? (c == 0.0 ? 1.0 : one) : two, inside);
    } else {
      add(std::min(one, two), inside);
      add(std::max(one, two), !inside);
    }
  }
}

// Whether psi is negative on an edge.
bool FaceTrim::IsBelow(const Form& form, int edge, double t) const {
  if (form.trace >= 0) return (*surfaces_)[form.surface].At(PointOn(edge, t)) <= 0.0;
  return form.On(edge, edge + 1 < polygon_->count ? edge + 1 : 0, t) <= 0.0;
}

// Adds the parts of the edges that are inside, as cones from the base.
void FaceTrim::AddStraightEdges(const Undecided& solid, TrimmedFaces* found) {
  BoundarySums& sums = found->faces.back().straight;
  for (int k = 0; k < polygon_->count; ++k) {
    std::vector<double>& stops = stops_[k];
    std::sort(stops.begin(), stops.end());
    stops.push_back(1.0);
    double from = 0.0;
    for (const double to : stops) {
      if (to - from <= kNothing) continue;
      for (const Form& form : forms_) {
        states_[form.surface] = ToTruth(IsBelow(form, k, 0.5 * (from + to)));
      }
      if (solid.expression.Evaluate(states_.data()) == Truth::kTrue) {
        const Vector3d p = PointOn(k, from), q = PointOn(k, to);
        AddTriangle(base_, p, q, &sums);
        found->faces.back().open += q - p;
        found->points.push_back(p);
        found->points.push_back(q);
      }
      from = to;
    }
  }
}

// Whether the face's plane meets a cone in two lines through its apex.
bool FaceTrim::MeetsApex(const TrimSurface& surface) const {
  return !surface.sheets.isZero(0.0) && std::abs(surface.At(surface.center)) <= kCertain &&
         std::abs(polygon_->normal.dot(surface.center - polygon_->corners[0])) <= kCoincident;
}

// The crossing to which the arc leads that starts at another, which may be that itself.
std::size_t FaceTrim::EndOfArc(const TrimSurface& surface, std::size_t start) const {
  const std::size_t count = of_form_.size();
  const auto sheet = [&](std::size_t n) {
    return surface.sheets.dot(of_form_[n].p - surface.center) > 0.0;
  };
  // Lines through an apex end on either sheet.
  const bool has_sheets = !surface.sheets.isZero(0.0) && !MeetsApex(surface);
  // Around a convex inside the edges come back next after they have left; around a convex outside
  // the arc leads to where they came in before.
  const bool forward = surface.bend > 0.0;
  std::size_t end = start;
  do {
    end = forward ? (end + 1) % count : (end + count - 1) % count;
  } while (end != start && has_sheets && sheet(end) != sheet(start));
  return end;
}

// Joins the crossings by the arcs between them: from where an edge leaves the surface's inside to
// where the next edge comes back.
bool FaceTrim::JoinCrossings(const TrimSurface& surface) {
  const bool meets_apex = MeetsApex(surface);
  for (std::size_t n = 0; n < of_form_.size(); ++n) {
    const Crossing& start = of_form_[n];
    if (!start.leaving) continue;
    const Crossing& end = of_form_[EndOfArc(surface, n)];
    if (end.leaving) return false;
    ArcEnds ends{start.p, end.p, Vector3d::Zero()};
    const Vector3d chord = end.p - start.p;
    if (meets_apex && std::abs(chord.dot(surface.H * chord)) > kCoincident) {
      if (!AddConicArcs(surface, polygon_->normal, {start.p, surface.center, {0, 0, 0}}, &arcs_) ||
          !AddConicArcs(surface, polygon_->normal, {surface.center, end.p, {0, 0, 0}}, &arcs_)) {
        return false;
      }
      continue;
    }
    if (start.edge == end.edge) {
      const Vector3d edge = polygon_->Next(start.edge) - polygon_->corners[start.edge];
      ends.along = (end.t > start.t ? 1.0 : -1.0) * edge.normalized();
    }
    if (!AddConicArcs(surface, polygon_->normal, ends, &arcs_)) return false;
  }
  return true;
}

// An ellipse that lies within the face.
bool FaceTrim::AddLoop(const TrimSurface& surface) {
  if (surface.surface->psi.degree <= 1) return true;
  Vector3d center;
  if (!FindEllipseCenter(surface, polygon_->normal, polygon_->corners[0], &center) ||
      !(surface.bend * surface.At(center) < 0.0) || !polygon_->Holds(center)) {
    return true;
  }
  return AddWholeEllipse(surface, polygon_->normal, center, &arcs_);
}

// The arcs of one surface, and where it crosses the edges.
bool FaceTrim::FindArcs(const Form& form) {
  const TrimSurface& surface = (*surfaces_)[form.surface];
  arcs_.clear();
  if (form.trace >= 0) {
    const SectionTrace& trace = traces_[form.trace];
    arcs_ = trace.arcs();
    for (int k = 0; k < polygon_->count; ++k) {
      stops_[k].insert(stops_[k].end(), trace.on_edge(k).begin(), trace.on_edge(k).end());
    }
    return trace.is_found();
  }
  FindCrossings(form);
  if (!of_form_.empty()) return JoinCrossings(surface);
  return surface.bend * form.at[0] > 0.0 ? AddLoop(surface) : true;
}

FaceTrim::Result FaceTrim::Run(const FacePolygon& polygon, const Undecided& solid,
                               TrimmedFaces* found) {
  polygon_ = &polygon;
  forms_.clear();
  coincident_.clear();
  trace_count_ = 0;
  bool coincides = false;
  for (const int s : solid.surfaces) {
    Form form;
    if ((*surfaces_)[s].is_general) {
      Follow(s, &form, &states_[s]);
    } else if (!MakeForm(s, &form, &states_[s])) {
      coincident_.push_back(s);
      const TrimSurface& surface = (*surfaces_)[s];
      if (surface.aside != SideOf(surface, polygon)) {
        coincides = true;
        conflicting_ = s;
      }
    }
    if (states_[s] == Truth::kUnknown && IsClear(form)) states_[s] = ToTruth(form.at[0] < 0.0);
    if (states_[s] == Truth::kUnknown) forms_.push_back(form);
  }
  const auto reset = [&](Result result) {
    for (const int s : solid.surfaces) states_[s] = Truth::kUnknown;
    return result;
  };
  const Truth all = solid.expression.Evaluate(states_.data());
  if (all == Truth::kFalse) return reset(Result::kDone);
  if (all == Truth::kTrue) {
    const Vector3d before = found->whole.Area();
    for (int k = 1; k + 1 < polygon.count; ++k) {
      AddTriangle(polygon.corners[0], polygon.corners[k], polygon.corners[k + 1], &found->whole);
    }
    found->whole_faces.push_back({found->whole.Area() - before, polygon.face});
    found->points.insert(found->points.end(), polygon.corners.begin(),
                         polygon.corners.begin() + polygon.count);
    return reset(Result::kDone);
  }
  if (coincides) return reset(Result::kCoincides);
  TrimmedFaces::Face& face = found->faces.emplace_back();
  face.polygon = polygon;
  face.first_surface = found->surfaces.size();
  for (const Form& form : forms_) found->surfaces.push_back(form.surface);
  face.end_surface = found->surfaces.size();
  for (int k = 0; k < polygon.count; ++k) stops_[k].clear();
  base_ = polygon.corners[0];
  bool has_base = false;
  for (const Form& form : forms_) {
    if (!FindArcs(form)) return reset(Result::kLost);
    if (!has_base && !arcs_.empty()) {
      base_ = arcs_.front().Start();
      has_base = true;
    }
    for (const SectionArc& arc : arcs_) AddPieces(arc, form.surface, solid, found);
  }
  AddStraightEdges(solid, found);
  return reset(Result::kDone);
}

}  // namespace volcontact
