#include "overlap/arcs/edges.h"

namespace volcontact {

bool Edges::PointsOn(const LocalProblem& problem, const EdgePiece& piece, const Lanes& u,
                     CurvePoints* points) const {
  if (piece.curve >= 0 && curves[piece.curve].HasPointsAt()) {
    const double length = piece.to - piece.from;
    curves[piece.curve].PointsAt(piece.from + u * length, &points->p, &points->derivative);
    points->ScaleDerivative(length);
    return true;
  }
  for (std::size_t n = 0; n < Lanes::kCount; ++n) {
    CurvePoint point;
    if (!PointOn(problem, piece, u.x[n], &point)) return false;
    points->Set(n, point);
  }
  return true;
}

}  // namespace volcontact
