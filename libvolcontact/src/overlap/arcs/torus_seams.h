// The seams of tori: where the one-forms on their faces jump.
#pragma once

#include <cstddef>
#include <vector>

#include "overlap/arcs/edge_finder.h"
#include "overlap/arcs/edge_nodes.h"
#include "overlap/arcs/torus_strip.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// Chooses a seam for each torus of a problem, in a plane across its axis, and finds where it
/// crosses faces.
class TorusSeams {
 public:
  /// Puts the seams where they keep off the cube if they can, and appends their planes to the
  /// problem's surfaces.
  void Choose(const SurfaceSet& set, LocalProblem* problem);

  /// By surface, the plane of its seam, or −1; empty when no seam is in the cube.
  const std::vector<int>& planes() const { return planes_; }
  const SeamedTorus& Of(int surface) const { return tori_[torus_of_[surface]]; }
  /// The torus that a surface of the set is, or null.
  const SeamedTorus* Find(int surface) const {
    const bool is_torus =
        static_cast<std::size_t>(surface) < torus_of_.size() && torus_of_[surface] >= 0;
    return is_torus ? &Of(surface) : nullptr;
  }

  /// Finds the pieces of all seams on the faces of the region whose edges have been found: as
  /// EdgeFinder::RunCuts does. False when they were not all found.
  bool Find(const LocalProblem& problem, const EdgeFinder& edges, long max_cells, int threads = 1);
  /// Takes those that have been found along whole curves.
  void Take(const std::vector<EdgePiece>& pieces);
  const std::vector<EdgePiece>& pieces() const { return pieces_; }
  const std::vector<NodeSegment>& segments() const { return nodes_.segments(); }

 private:
  std::vector<SeamedTorus> tori_;
  std::vector<int> torus_of_, planes_;  // by surface
  EdgeFinder finder_;
  std::vector<EdgePiece> pieces_;
  EdgeNodes nodes_;
};

}  // namespace volcontact
