// Which shells of a mesh contain which.
#pragma once

#include <array>
#include <vector>

#include "solids/mesh_check/self_crossings.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

struct ShellPlace {
  int depth = 0;    ///< number of closed shells around it
  int parent = -1;  ///< the innermost of them
};

struct ShellNesting {
  std::vector<ShellPlace> places;
  bool complete = true;  ///< false when the search was given up: then places say nothing
};

/// Pairs of shells, the lower first, ordered.
using ShellPairs = std::vector<std::array<int, 2>>;

/// The pairs of shells to which crossing faces belong; `originals` are the numbers, in `shell`, of
/// the faces searched.
ShellPairs CrossingShells(const SelfCrossings& crossings, const std::vector<int>& originals,
                          const std::vector<int>& shell);

/// `shell` has the shell of each face, `closed` whether a shell is closed. If two shells cross,
/// neither contains the other. Exact unless every corner of a shell lies on another. Indices
/// must be in range, vertices finite.
ShellNesting NestShells(const TriangleMesh& mesh, const std::vector<int>& shell,
                        const std::vector<bool>& closed, const ShellPairs& crossing);

}  // namespace volcontact
