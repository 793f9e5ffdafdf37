// The seams of tori: where the one-forms on their faces jump.
#pragma once

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

  /// Finds the pieces of all seams on the faces of the region whose edges have been found: as
  /// EdgeFinder::RunCuts does. False when they were not all found.
  bool Find(const LocalProblem& problem, const EdgeFinder& edges, long max_cells, int threads = 1);
  const std::vector<EdgePiece>& pieces() const { return finder_.pieces(); }
  const std::vector<NodeSegment>& segments() const { return nodes_.segments(); }

 private:
  std::vector<SeamedTorus> tori_;
  std::vector<int> torus_of_, planes_;  // by surface
  EdgeFinder finder_;
  EdgeNodes nodes_;
};

}  // namespace volcontact
