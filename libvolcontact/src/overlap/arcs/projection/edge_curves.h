// Edges as curves of a contour.
#pragma once

#include <cmath>
#include <optional>

#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/projection/contour.h"

namespace volcontact {

/// The pieces of edges, by their numbers, from 0 to 1. The problem and the edges must outlive it.
class EdgeCurves : public ContourCurves {
 public:
  EdgeCurves(const LocalProblem& problem, const Edges& edges) : problem_(problem), edges_(edges) {}

  bool PointOn(int curve, double u, CurvePoint* point) const override {
    return edges_.PointOn(problem_, edges_.pieces[curve], u, point);
  }
  int ArcsOf(int curve, double from, double to) const override {
    const EdgePiece& piece = edges_.pieces[curve];
    if (piece.curve < 0) return kArcsOfGraph;
    return ArcsOfCurve(edges_.curves[piece.curve].kind, (to - from) * (piece.to - piece.from));
  }
  std::optional<Eigen::Vector3d> SweptBy(int curve, double from, double to) const override {
    const EdgePiece& piece = edges_.pieces[curve];
    if (piece.curve < 0) return std::nullopt;
    const double length = piece.to - piece.from;
    return edges_.curves[piece.curve].Swept(piece.from + from * length, piece.from + to * length);
  }
  /// Arcs of a curve in closed form, over so much of its parameter.
  static int ArcsOfCurve(WholeCurve::Kind kind, double length) {
    if (kind == WholeCurve::Kind::kLine) return 1;
    const double longest = kind == WholeCurve::Kind::kConic ? kLongestSection : kLongestRuled;
    return static_cast<int>(std::ceil(length / longest));
  }

 private:
  // No longer arcs, in the parameter of sections and of curves on rulings; graphs in cells are
  // short.
  static constexpr double kLongestSection = 0.5, kLongestRuled = 0.35;
  static constexpr int kArcsOfGraph = 2;

  const LocalProblem& problem_;
  const Edges& edges_;
};

}  // namespace volcontact
