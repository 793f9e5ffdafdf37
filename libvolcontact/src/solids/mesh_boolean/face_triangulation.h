// The room `mesh_boolean`: meshes among the leaves of a solid joined into one mesh.
//
// One face of a mesh, cut along segments in its plane.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "solids/exact/rational_points.h"

namespace volcontact {

/// Cuts a triangle into triangles, among whose edges are all segments that it is given, cut where
/// they meet. In rational arithmetic, behind a filter of doubles.
class FaceTriangulation {
 public:
  using Edge = std::pair<int, int>;
  using Triangle = std::array<int, 3>;

  /// Corners by their numbers among the points, which must outlive this; they have area, and run
  /// counterclockwise seen from outside.
  FaceTriangulation(const Triangle& corners, RationalPoints* points);

  /// A segment in the face, or a point of it where both ends are equal.
  void Add(int from, int to) { segments_.push_back({{from, to}, {}}); }
  /// The points of a segment, or the corners of a polygon of positive or negative sense.
  void Add(const std::vector<int>& points);

  /// Cuts the face; points where segments cross are added to the table. Time in proportion to the
  /// square of the segments.
  void Run();

  /// What the face is cut into; they run as its corners do.
  std::vector<Triangle> Triangles() const;
  /// Edges of the triangles that make up the segments.
  const std::vector<Edge>& cuts() const { return cuts_; }

 private:
  struct Segment {
    Edge ends;
    std::vector<int> on;  // points within it
  };

  int Side(int a, int b, int c) const;
  bool IsBetween(int p, const Edge& segment) const;
  int LongestAxis(const Edge& segment) const;
  void NotePoint(int p, Segment* segment) const;
  void Cross(Segment* first, Segment* second);
  int CrossingOf(const Edge& first, const Edge& second);
  void AddTriangle(int a, int b, int c);
  void RemoveTriangle(int a, int b, int c);
  int ApexOf(int a, int b) const;
  void InsertPoint(int p);
  void SplitEdge(int a, int b, int p);
  void InsertEdge(int a, int b);
  std::vector<Edge> EdgesAcross(int a, int b) const;
  void Flip(int a, int b);
  bool IsFlippable(int a, int b) const;
  void ShortenEdges();

  Triangle corners_;
  RationalPoints* points_;
  int u_, v_;  // axes in which the face is seen, counterclockwise
  std::vector<Segment> segments_;
  std::map<Edge, int> apex_;  // of the triangle to the left of a directed edge
  std::vector<Edge> cuts_;
};

}  // namespace volcontact
