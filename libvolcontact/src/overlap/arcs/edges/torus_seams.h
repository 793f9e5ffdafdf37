// The seams of tori: the circles at which the one-forms on their faces jump.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "overlap/arcs/edges/edge_finder.h"
#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/faces/torus_strip.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {

/// Chooses a seam for each torus of a problem, in a plane across its axis, and finds where it
/// crosses faces.
class TorusSeams {
 public:
  /// Finds the tori of a set, puts their seams where they keep off the cube if they can, and
  /// appends the planes of these to the problem's surfaces. Tori of the last set are not found
  /// again.
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
  const std::vector<NodeSegment>& segments() const { return segments_; }

 private:
  // A surface of degree four, and the torus that it is, if it is one.
  struct Known {
    SurfacePolynomial psi;
    std::optional<TorusSurface> torus;
  };

  const std::optional<TorusSurface>& TorusOf(int surface, const SurfacePolynomial& psi);

  std::vector<Known> known_;  // by surface
  std::vector<SeamedTorus> tori_;
  std::vector<int> torus_of_, planes_;  // by surface
  EdgeFinder finder_;
  std::vector<EdgePiece> pieces_;
  std::vector<NodeSegment> segments_;
  EdgeNodes nodes_;
};

}  // namespace volcontact
