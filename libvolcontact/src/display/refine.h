// Refinement of a sheet until triangles follow the surface, and what trims it, to the deviation.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "display/coarse_sheet.h"
#include "display/field.h"
#include "display/mesh_probe.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// What the field's expression leaves open over a triangle: the surfaces that matter there besides
/// the sheet's own.
struct Scope {
  Expression expression;
  std::vector<int> surfaces;
};

struct SheetTriangle {
  std::array<std::uint32_t, 3> v;
  std::uint32_t face = 0;
  std::shared_ptr<const Scope> scope;
  bool is_done = false;
};

/// Triangles of one surface that may be part of the boundary. Neighbours share their points.
struct Sheet {
  int surface = 0;
  Chart chart;
  bool is_mesh = false;
  std::vector<Eigen::Vector3d> points;
  std::vector<SheetTriangle> triangles;

  TriangleCorners CornersOf(const std::array<std::uint32_t, 3>& v) const {
    return {points[v[0]], points[v[1]], points[v[2]]};
  }
};

/// How far the surface may be from a triangle with corners on it: estimated from the middles of its
/// edges.
double BulgeOf(const Polynomial<double>& psi, const TriangleCorners& triangle);

/// Bisects edges, those of both triangles at once, where the surface bulges over its chord by more
/// than the deviation, or a surface that matters crosses and is not straight to it; drops triangles
/// which the expression decides. All lengths are scaled.
class Refiner {
 public:
  Refiner(const DisplayField& field, double deviation);

  /// False when more than `most_triangles` were needed.
  bool Run(CoarseSheet coarse, std::size_t most_triangles, Sheet* sheet);

 private:
  using Flags = std::array<bool, 3>;

  bool Assess(SheetTriangle* triangle, Flags* flags);
  Truth Decide(int surface, const TriangleCorners& triangle, double bulge, Flags* flags);
  Truth DecideMesh(const FieldSurface& mesh, const TriangleCorners& triangle, double bulge,
                   Flags* flags);
  void Narrow(const Scope& scope, const std::vector<Truth>& truths, SheetTriangle* triangle);
  void Split(std::vector<SheetTriangle>* triangles);
  std::uint32_t MiddleOf(std::uint32_t a, std::uint32_t b);

  const DisplayField& field_;
  double deviation_, shortest_;
  Sheet* sheet_ = nullptr;
  std::unordered_map<std::uint64_t, std::uint32_t> middles_;  // of flagged edges; kNone: not yet
  std::vector<Truth> states_;                                 // by surface, for the expression
  std::vector<Truth> truths_;
  std::vector<std::uint32_t> near_;
};

}  // namespace volcontact
