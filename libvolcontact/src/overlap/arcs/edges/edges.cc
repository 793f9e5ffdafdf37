#include "overlap/arcs/edges/edges.h"

#include <algorithm>

namespace volcontact {

void Edges::CollectSurfaces() {
  for (const EdgePiece& piece : pieces) {
    for (const EdgeSheet& sheet : piece.sheets.All()) surfaces.push_back(sheet.surface);
    surfaces.push_back(piece.first);
    surfaces.push_back(piece.second);
  }
  SortSurfaces();
}

void Edges::SortSurfaces() {
  std::sort(surfaces.begin(), surfaces.end());
  surfaces.erase(std::unique(surfaces.begin(), surfaces.end()), surfaces.end());
}

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

void Edges::DiscsOn(const EdgePiece& piece, const Discs& u, std::array<Discs, 3>* p,
                    std::array<Discs, 3>* derivative) const {
  const double length = piece.to - piece.from;
  curves[piece.curve].DiscsAt(piece.from + u * length, p, derivative);
  for (Discs& along : *derivative) along *= length;
}

}  // namespace volcontact
