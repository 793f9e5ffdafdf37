// Coarse triangulations of surfaces, from which refinement starts.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "display/chart.h"
#include "display/field.h"

namespace volcontact {

/// A triangle of a sheet; `face` is that of the mesh it is part of.
struct CoarseTriangle {
  std::array<std::uint32_t, 3> v;
  std::uint32_t face = 0;
};

/// A sheet as it begins: points on it and triangles that turn towards rising psi.
struct CoarseSheet {
  int surface = 0;
  Chart chart;
  std::vector<Eigen::Vector3d> points;
  std::vector<CoarseTriangle> triangles;
};

/// The sheets of a polynomial surface within the field's box, with the right connection: edges of
/// an eighth of a turn and less.
std::vector<CoarseSheet> CoverSurface(const DisplayField& field, int surface);

/// The faces of a mesh whose boxes meet the field's.
CoarseSheet CoverMesh(const DisplayField& field, int surface);

/// What there is of psi = 0 in the field's box, by tetrahedra of a grid: parts that are smaller
/// than its cells are missed. For polynomials that no chart describes.
CoarseSheet CoverByGrid(const DisplayField& field, int surface);

}  // namespace volcontact
