// Joins the ends of edges that meet in one vertex.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/edges/edges.h"

namespace volcontact {

/// Closes the boundaries of faces where pieces of edges meet. A vertex is found on each of its
/// curves by itself, and where two of these cross at a small angle, as the circles in which a shaft
/// and its bore meet an end face, the places differ by roundings divided by that angle. Faces that
/// do not close are off by as much, once for each; closed ones by its square.
class EdgeEnds {
 public:
  /// Leads ends that lie together to the middle of all of them, by segments that count as edges do.
  /// Ends of which on some face more begin than end are left as they are: there an edge is missing.
  void Run(const Edges& edges);

  const std::vector<NodeSegment>& segments() const { return segments_; }

 private:
  // Of a piece on one of its faces.
  struct End {
    EdgeSheet sheet;
    Eigen::Vector3d p;
    bool is_start;
    std::size_t cluster;
  };

  void Collect(const Edges& edges);
  void FindClusters(double near);
  void Close(double near);
  bool IsBalanced(std::size_t from, std::size_t to) const;

  std::vector<End> ends_;
  std::vector<NodeSegment> segments_;
};

}  // namespace volcontact
