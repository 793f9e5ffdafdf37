// The curve in which a face's plane meets a surface, followed within the face.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "overlap/mesh_arcs/sections/bernstein_triangle.h"
#include "overlap/mesh_arcs/sections/face_polygon.h"
#include "overlap/mesh_arcs/sections/section_arc.h"
#include "solids/implicit/expression.h"

namespace volcontact {

/// The section of a face with a surface of degree four or less, of any number of branches: the face
/// is halved until in each triangle psi certainly has one sign, or grows along one direction, so
/// that the section is a graph there, and its crossings with the sides determine it. Keeps its
/// memory.
class SectionTrace {
 public:
  /// Some microseconds.
  void Run(const TrimSurface& surface, const FacePolygon& polygon);

  /// False where an arc could not be followed.
  bool is_found() const { return is_found_; }
  /// kTrue, kFalse: the surface crosses neither the face nor an edge of it, for certain, and psi is
  /// negative, or positive.
  Truth state() const { return state_; }
  /// Each with psi < 0 on its left, seen from where the face's normal points.
  const std::vector<SectionArc>& arcs() const { return arcs_; }
  /// Where the surface crosses the edge from corner k to the next, from 0 to 1.
  const std::vector<double>& on_edge(int k) const { return on_edge_[k]; }

 private:
  // Where the curve crosses an edge of a triangle, in the triangle's (s, t), along the graph and
  // across it.
  struct Crossing {
    double along, across;
  };
  // A triangle through which the curve is a graph over a coordinate across a way up.
  struct Graph {
    const BernsteinTriangle& triangle;
    Eigen::Vector2d along, up;  // unit vectors in (s, t)

    Eigen::Vector3d At(const Crossing& place) const;
  };

  void Visit(const BernsteinTriangle& triangle, int depth);
  void FindCrossings(const Graph& graph);
  void Connect(const Graph& graph, bool is_graph);
  bool AddArc(const Graph& graph, const Crossing& from, const Crossing& to, int depth);
  bool FindBetween(const Graph& graph, const Crossing& from, const Crossing& to,
                   Crossing* middle) const;

  const TrimSurface* surface_ = nullptr;
  Eigen::Vector3d normal_ = Eigen::Vector3d::Zero();
  double noise_ = 0.0;
  int visits_left_ = 0;
  bool is_found_ = true, is_certain_ = true;
  Truth state_ = Truth::kUnknown;
  std::vector<SectionArc> arcs_;
  std::array<std::vector<double>, FacePolygon::kMost> on_edge_;
  std::vector<Crossing> crossings_;
  std::vector<double> zeros_;
};

}  // namespace volcontact
