// The end points of the pieces of edges.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/arcs/edges/edge_finder.h"

namespace volcontact {

/// A straight piece in place of the last bit of a face's edge in a cell too small to look into.
struct NodeSegment {
  EdgeSheet sheet;
  Eigen::Vector3d from, to;
};

/// Checks that on every face each edge that was cut by the side of a cell goes on beyond it.
class EdgeNodes {
 public:
  /// Joins ends that meet; those that end at the side of an unresolved cell are led to the middle
  /// of it and of all unresolved cells that are connected with it. False when an end is left over:
  /// an edge was overlooked.
  bool Run(const EdgeFinder& finder);

  const std::vector<NodeSegment>& segments() const { return segments_; }

 private:
  struct End {
    EdgeSheet sheet;  // of the edge run out of the piece
    double key;
    Eigen::Vector3d p;
  };

  void CollectEnds(const EdgeFinder& finder);
  void JoinCells(const std::vector<Cell>& cells);
  bool FindOther(std::size_t n);
  bool LeadToNode(const End& end, const std::vector<Cell>& cells);

  std::vector<End> ends_;
  std::vector<char> joined_;
  std::vector<int> cluster_;              // by cell
  std::vector<Eigen::Vector3d> middles_;  // by cluster
  std::vector<NodeSegment> segments_;
};

}  // namespace volcontact
