// Edges at which sheets end: neighbours share their points, and they are given as polylines.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "display/field.h"
#include "display/point_grid.h"
#include "display/refine.h"
#include "display/trim.h"

namespace volcontact {

/// A sheet with what of it is boundary.
struct TrimmedSheet {
  Sheet sheet;
  std::vector<FacePiece> pieces;
};

/// A piece of an edge, between two numbered points, as one sheet sees it.
struct EdgeSide {
  std::array<std::uint32_t, 2> points;
  TrimmingSurface by;      ///< at which it ends there; none within a mesh
  Eigen::Vector3d normal;  ///< outward, at its middle
  DisplayOwner owner = DisplayOwner::kA;
};

/// Joins sheets. A curve that two of them share was cut into pieces by each in its own way; here
/// each takes over the other's points, so that no gap is left.
class Stitcher {
 public:
  Stitcher(const DisplayField& field, double deviation, Trimmer* trimmer,
           std::vector<TrimmedSheet>* sheets);

  /// Divides the pieces along edges; finds the sides of all.
  void Run(double sharp_angle);

  /// In scaled coordinates: edges whose sides' normals differ by the sharp angle at least, and
  /// those between faces of different owners.
  std::vector<std::vector<Eigen::Vector3d>> SharpEdges();
  std::vector<std::vector<Eigen::Vector3d>> Arcs();

 private:
  struct OpenEdge {
    int sheet;
    std::uint32_t piece;
    int corner;
    TrimmingSurface by;
  };
  // An edge of a mesh between faces that meet at a sharp angle or have different owners, as points
  // of the sheet.
  struct MeshEdgeOfSheet {
    int sheet;
    std::uint32_t a, b;
    bool is_sharp, is_arc;
  };
  using Segment = std::array<std::uint32_t, 2>;

  const Eigen::Vector3d& PointOf(int sheet, std::uint32_t v) const {
    return (*sheets_)[sheet].sheet.points[v];
  }
  void FindOpenEdges(int sheet);
  void Insert(const OpenEdge& edge);
  void AddSide(const OpenEdge& edge, std::uint32_t first, std::uint32_t second);
  bool IsSharp(const TrimmedSheet& trimmed, const FacePiece& left, const FacePiece& right) const;
  std::vector<Segment> MeshSegments(bool MeshEdgeOfSheet::*is_kind);
  void MakeGrid();
  void Rebuild(int sheet);
  void SortSides();
  template <class Visit>
  void ForEachEdge(const Visit& visit) const;
  std::vector<std::vector<Eigen::Vector3d>> Chain(std::vector<Segment> segments) const;

  const DisplayField& field_;
  double deviation_, sharp_angle_ = 0.0;
  Trimmer* trimmer_;
  std::vector<TrimmedSheet>* sheets_;
  std::optional<PointGrid> grid_;
  std::vector<OpenEdge> open_;
  // By sheet and piece: points to put in on the edges from its corners.
  std::vector<std::unordered_map<std::uint32_t, std::array<std::vector<std::uint32_t>, 3>>> insert_;
  std::vector<EdgeSide> sides_;
  std::vector<MeshEdgeOfSheet> mesh_edges_;
};

}  // namespace volcontact
