// The parts of a solid, for code that writes, prints or translates solids.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/solid.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// One node of a solid's tree. A solid that is made again from these parts is the same, to the last
/// bit: its shape by the function of primitives.h, csg.h or triangle_mesh.h, then Posed by the last
/// of the poses, and so on to the first. A plain value.
struct SolidParts {
  /// The keys of solid files: "sphere", "box", "difference", "mesh" and so on. The empty solid is a
  /// "union" without children.
  std::string shape;
  /// The arguments of a primitive in the order of its function [m]; a quadric's matrix by rows. A
  /// cylinder without ends has the height infinity.
  std::vector<double> numbers;
  std::vector<PolynomialTerm> terms;              ///< of a "polynomial"
  std::size_t mesh_vertices = 0, mesh_faces = 0;  ///< of a "mesh"; MeshOf has the mesh itself
  std::vector<Solid> children;  ///< of a combination; for a "difference" the base, then the cuts
  std::vector<Pose> poses;      ///< applied one after another; the outermost comes first
};

/// The outermost node of a solid. Any number of threads may call it at a time; it costs copies of
/// what it returns.
VOLCONTACT_EXPORT SolidParts PartsOf(const Solid& solid);

/// The mesh that Mesh made a solid of, without the poses the solid was given; nothing for all other
/// solids. Vertices and faces stand in their order, and a face begins with the vertex it began
/// with; deviations come with it.
VOLCONTACT_EXPORT std::optional<TriangleMesh> MeshOf(const Solid& solid);

VOLCONTACT_NAMESPACE_END
