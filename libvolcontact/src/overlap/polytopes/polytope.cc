#include "overlap/polytopes/polytope.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Vertices of a box by the bits of their corner (x, y, z high), in the order of the graph below.
constexpr std::array<std::array<int, 3>, 8> kCorner = {
    {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
constexpr std::array<std::array<std::int8_t, 3>, 8> kNeighbour = {
    {{1, 4, 3}, {2, 5, 0}, {3, 6, 1}, {0, 7, 2}, {7, 0, 5}, {4, 1, 6}, {5, 2, 7}, {6, 3, 4}}};

constexpr int BoxSlot(int v, int w) {
  return kNeighbour[v][0] == w ? 0 : (kNeighbour[v][1] == w ? 1 : 2);
}

// The face of each directed edge: the one whose next edge, by the rule "arrive by slot k, leave by
// slot k + 1", stays in the plane that the three vertices share. Faces count -x, +x, -y, +y, -z,
// +z.
constexpr std::array<std::array<std::int8_t, 3>, 8> MakeBoxFaces() {
  std::array<std::array<std::int8_t, 3>, 8> face{};
  for (int v = 0; v < 8; ++v) {
    for (int k = 0; k < 3; ++k) {
      const int w = kNeighbour[v][k];
      const int x = kNeighbour[w][(BoxSlot(w, v) + 1) % 3];
      for (int axis = 0; axis < 3; ++axis) {
        if (kCorner[v][axis] == kCorner[w][axis] && kCorner[w][axis] == kCorner[x][axis]) {
          face[v][k] = static_cast<std::int8_t>(2 * axis + kCorner[v][axis]);
        }
      }
    }
  }
  return face;
}
constexpr auto kBoxFace = MakeBoxFaces();

constexpr double kUlp = std::numeric_limits<double>::epsilon();
// A polytope so many times thicker than roundings loses nothing to them.
constexpr double kThick = 64.0;
// The sine of the angle between faces that lie in one plane.
constexpr double kInOnePlane = 16.0 * kUlp;
// An edge shorter than this part of the polytope's extent is a point.
constexpr double kPoint = 64.0 * kUlp;

// Sums over triangles, about the origin.
class TetrahedronSums {
 public:
  // Tetrahedron with its apex at the origin: ∫ x = det/24 s and ∫ x x^T = det/120 (Σ v v^T + s s^T)
  // with s = a + b + c.
  void Add(const Vector3d& a, const Vector3d& b, const Vector3d& c, double det, const Vector3d& s) {
    const Vector3d da = det * a, db = det * b, dc = det * c, ds = det * s;
    six_volumes_ += det;
    first_ += ds;
    xx_ += da.x() * a.x() + db.x() * b.x() + dc.x() * c.x() + ds.x() * s.x();
    xy_ += da.x() * a.y() + db.x() * b.y() + dc.x() * c.y() + ds.x() * s.y();
    xz_ += da.x() * a.z() + db.x() * b.z() + dc.x() * c.z() + ds.x() * s.z();
    yy_ += da.y() * a.y() + db.y() * b.y() + dc.y() * c.y() + ds.y() * s.y();
    yz_ += da.y() * a.z() + db.y() * b.z() + dc.y() * c.z() + ds.y() * s.z();
    zz_ += da.z() * a.z() + db.z() * b.z() + dc.z() * c.z() + ds.z() * s.z();
  }

  VolumeMoments Moments() const {
    VolumeMoments moments;
    moments.volume = six_volumes_ / 6.0;
    moments.first = first_ / 24.0;
    moments.second << xx_, xy_, xz_, xy_, yy_, yz_, xz_, yz_, zz_;
    moments.second /= 120.0;
    return moments;
  }

 private:
  double six_volumes_ = 0.0;
  Vector3d first_ = Vector3d::Zero();
  double xx_ = 0, xy_ = 0, xz_ = 0, yy_ = 0, yz_ = 0, zz_ = 0;
};

}  // namespace

ConvexPolytope::ConvexPolytope(const Vector3d& lower, const Vector3d& upper,
                               const std::array<PlaneOwner, 6>& owners)
    : vertex_count_(8), plane_count_(6) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1.0 : 1.0;
      plane_[2 * axis + side] = {sign * Vector3d::Unit(axis),
                                 sign * (side == 0 ? lower : upper)[axis], owners[2 * axis + side]};
    }
  }
  for (int v = 0; v < 8; ++v) {
    for (int axis = 0; axis < 3; ++axis) {
      vertex_[v].position[axis] = (kCorner[v][axis] == 0 ? lower : upper)[axis];
    }
    vertex_[v].neighbour = kNeighbour[v];
    vertex_[v].face = kBoxFace[v];
  }
}

int ConvexPolytope::SlotOf(int vertex, int neighbour) const {
  const auto& n = vertex_[vertex].neighbour;
  return n[0] == neighbour ? 0 : (n[1] == neighbour ? 1 : 2);
}

bool ConvexPolytope::Clip(const Plane& plane, double tolerance, double rounding) {
  std::array<double, kCapacity> distance;
  std::array<bool, kCapacity> outside;
  double farthest = -std::numeric_limits<double>::infinity();
  double deepest = std::numeric_limits<double>::infinity();
  for (int v = 0; v < vertex_count_; ++v) {
    distance[v] = plane.n.dot(vertex_[v].position) - plane.offset;
    outside[v] = distance[v] > tolerance;
    farthest = std::max(farthest, distance[v]);
    deepest = std::min(deepest, distance[v]);
  }
  if (deepest >= -tolerance) {
    vertex_count_ = 0;
    return false;
  }
  const double near = deepest < -kThick * rounding ? std::max(tolerance, rounding) : tolerance;
  if (farthest <= near) {
    if (farthest < -near) return true;
    is_touched_ |= plane.owner != PlaneOwner::kArtificial;
    MergeCoincidentFace(plane, distance.data(), near);
    return true;
  }
  plane_[plane_count_] = plane;
  const int first_new = AppendCutVertices(distance.data(), outside.data());
  LinkCutVertices(first_new, plane_count_);
  std::fill(outside.begin() + first_new, outside.begin() + vertex_count_, false);
  Compact(outside.data());
  ++plane_count_;
  return true;
}

// A face counts as coincident when all of its vertices lie on the plane; a polytope that is inside
// the plane and touches it with a face has that face's orientation.
void ConvexPolytope::MergeCoincidentFace(const Plane& plane, const double* distance,
                                         double tolerance) {
  std::array<int, kMaxPlanes> on_plane{}, total{};
  for (int v = 0; v < vertex_count_; ++v) {
    for (int k = 0; k < 3; ++k) {
      const int face = vertex_[v].face[k];
      ++total[face];
      if (distance[v] >= -tolerance) ++on_plane[face];
    }
  }
  for (int f = 0; f < plane_count_; ++f) {
    if (total[f] < 3 || on_plane[f] < total[f]) continue;
    // A face shrunk to a point or an edge by an earlier cut is not on this plane.
    if (plane_[f].n.dot(plane.n) < 0.5 * plane_[f].n.norm() * plane.n.norm()) continue;
    PlaneOwner& owner = plane_[f].owner;
    if (owner == PlaneOwner::kArtificial) {
      owner = plane.owner;
    } else if (owner != plane.owner && plane.owner != PlaneOwner::kArtificial) {
      owner = PlaneOwner::kBoth;
    }
  }
}

// Puts a vertex on every edge that crosses the plane, linked to the edge's inner end by slot 0.
int ConvexPolytope::AppendCutVertices(const double* distance, const bool* outside) {
  const int first_new = vertex_count_;
  for (int v = 0; v < first_new; ++v) {
    if (outside[v]) continue;
    for (int k = 0; k < 3; ++k) {
      const int w = vertex_[v].neighbour[k];
      if (w >= first_new || !outside[w]) continue;
      // A mean with positive weights: it loses nothing when one end is near the plane.
      const double inner = std::max(0.0, -distance[v]);
      const double sum = inner + distance[w];
      Vertex& cut = vertex_[vertex_count_];
      cut.position =
          vertex_[v].position * (distance[w] / sum) + vertex_[w].position * (inner / sum);
      cut.neighbour = {static_cast<std::int8_t>(v), -1, -1};
      cut.face[0] = vertex_[w].face[SlotOf(w, v)];
      vertex_[v].neighbour[k] = static_cast<std::int8_t>(vertex_count_);
      ++vertex_count_;
    }
  }
  return first_new;
}

// Walks each cut face from the new vertex where it begins to the one where it ends, and joins the
// two by an edge: its forward side closes the old face, its backward side is part of the new one.
void ConvexPolytope::LinkCutVertices(int first_new, int face) {
  for (int start = first_new; start < vertex_count_; ++start) {
    int previous = start;
    int current = vertex_[start].neighbour[0];
    while (current < first_new) {
      const int next = vertex_[current].neighbour[(SlotOf(current, previous) + 1) % 3];
      previous = current;
      current = next;
    }
    vertex_[start].neighbour[2] = static_cast<std::int8_t>(current);
    vertex_[start].face[2] = static_cast<std::int8_t>(face);
    vertex_[current].neighbour[1] = static_cast<std::int8_t>(start);
    vertex_[current].face[1] = vertex_[start].face[0];
  }
}

void ConvexPolytope::Compact(const bool* outside) {
  std::array<std::int8_t, kCapacity> renamed;
  int kept = 0;
  for (int v = 0; v < vertex_count_; ++v) {
    if (outside[v]) continue;
    renamed[v] = static_cast<std::int8_t>(kept);
    if (kept != v) vertex_[kept] = vertex_[v];
    ++kept;
  }
  for (int v = 0; v < kept; ++v) {
    for (std::int8_t& n : vertex_[v].neighbour) n = renamed[n];
  }
  vertex_count_ = kept;
}

Vector3d ConvexPolytope::Min() const {
  Vector3d result = vertex_[0].position;
  for (int v = 1; v < vertex_count_; ++v) result = result.cwiseMin(vertex_[v].position);
  return result;
}

Vector3d ConvexPolytope::Max() const {
  Vector3d result = vertex_[0].position;
  for (int v = 1; v < vertex_count_; ++v) result = result.cwiseMax(vertex_[v].position);
  return result;
}

Vector3d ConvexPolytope::VertexMean() const {
  Vector3d sum = Vector3d::Zero();
  for (int v = 0; v < vertex_count_; ++v) sum += vertex_[v].position;
  return sum / vertex_count_;
}

Vector3d ConvexPolytope::HalfExtentsAlong(const Vector3d& p, const Eigen::Matrix3d& R) const {
  Vector3d result = Vector3d::Zero();
  for (int v = 0; v < vertex_count_; ++v) {
    result = result.cwiseMax((R.transpose() * (vertex_[v].position - p)).cwiseAbs());
  }
  return result;
}

// Calls visit(face, triangle) for a fan of triangles over each face; its corners run clockwise seen
// from outside.
template <class Visitor>
void ConvexPolytope::ForEachFace(const Visitor& visit) const {
  std::array<std::uint8_t, kCapacity> seen{};
  for (int v = 0; v < vertex_count_; ++v) {
    for (int k = 0; k < 3; ++k) {
      if (seen[v] & (1 << k)) continue;
      seen[v] = static_cast<std::uint8_t>(seen[v] | (1 << k));
      const int face = vertex_[v].face[k];
      int current = vertex_[v].neighbour[k];
      int slot = (SlotOf(current, v) + 1) % 3;
      while (true) {
        seen[current] = static_cast<std::uint8_t>(seen[current] | (1 << slot));
        const int next = vertex_[current].neighbour[slot];
        if (next == v) break;
        visit(face, vertex_[v].position, vertex_[current].position, vertex_[next].position);
        slot = (SlotOf(next, current) + 1) % 3;
        current = next;
      }
    }
  }
}

VolumeMoments ConvexPolytope::SumFaces(FaceSums* faces) const {
  std::fill_n(faces->twice_area.begin(), plane_count_, Vector3d::Zero());
  std::fill_n(faces->six_torques.begin(), plane_count_, Vector3d::Zero());
  double six_absolute = 0.0;
  TetrahedronSums cones;
  ForEachFace([&](int face, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const Vector3d twice_area = (c - a).cross(b - a);
    const double det = twice_area.dot(a);
    const Vector3d s = a + b + c;
    cones.Add(a, b, c, det, s);
    six_absolute += std::abs(det);
    faces->twice_area[face] += twice_area;
    if (plane_[face].owner >= PlaneOwner::kB) faces->six_torques[face] += s.cross(twice_area);
  });
  faces->six_absolute = six_absolute;
  return cones.Moments();
}

void ConvexPolytope::FindEdges(PolytopeEdges* edges) const {
  TetrahedronSums cones;
  edges->area_B.setZero();
  edges->moment_B.setZero();
  edges->is_degenerate = is_touched_;
  ForEachFace([&](int face, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    if (plane_[face].owner != PlaneOwner::kB) return;
    const Vector3d twice_area = (c - a).cross(b - a), s = a + b + c;
    cones.Add(a, b, c, twice_area.dot(a), s);
    edges->area_B += 0.5 * twice_area;
    edges->moment_B += s * (twice_area.transpose() / 6.0);
  });
  edges->cones_B = cones.Moments();
  edges->crossings.clear();
  const double shortest = kPoint * std::max(-Min().minCoeff(), Max().maxCoeff());
  for (int v = 0; v < vertex_count_; ++v) {
    for (int k = 0; k < 3; ++k) {
      const int w = vertex_[v].neighbour[k];
      if (w > v) AddCrossing(v, k, shortest, edges);
    }
  }
}

// Adds the crossing on the edge from a vertex by a slot, if a face of A and one of B meet there. An
// edge shorter than `shortest` is a vertex in a plane.
void ConvexPolytope::AddCrossing(int vertex, int slot, double shortest,
                                 PolytopeEdges* edges) const {
  const Vertex& from = vertex_[vertex];
  const int other = from.neighbour[slot];
  const Vertex& to = vertex_[other];
  edges->is_degenerate |= (to.position - from.position).norm() <= shortest;
  const Plane* of_A = &plane_[from.face[slot]];
  const Plane* of_B = &plane_[to.face[SlotOf(other, vertex)]];
  if (of_B->owner == PlaneOwner::kA) std::swap(of_A, of_B);
  edges->is_degenerate |= of_A->owner == PlaneOwner::kBoth || of_B->owner == PlaneOwner::kBoth;
  if (of_A->owner != PlaneOwner::kA || of_B->owner != PlaneOwner::kB) return;
  edges->is_degenerate |=
      of_A->n.cross(of_B->n).norm() <= kInOnePlane * of_A->n.norm() * of_B->n.norm();
  edges->crossings.push_back({from.position, to.position, of_A->n, of_B->n});
}

PolytopeMoments ConvexPolytope::Integrate() const {
  PolytopeMoments result;
  if (empty()) return result;
  FaceSums faces;
  result.moments = SumFaces(&faces);
  const Vector3d reach = Min().cwiseAbs().cwiseMax(Max().cwiseAbs());
  double total_area = 0.0;
  bool all_of_b = true;
  for (int f = 0; f < plane_count_; ++f) {
    const Plane& plane = plane_[f];
    const double face_area = 0.5 * faces.twice_area[f].norm();
    // Every vertex of a face lies within some ulps of n·x (each of whose terms counts) of its
    // plane.
    const double slack = plane.n.cwiseAbs().dot(reach) + std::abs(plane.offset);
    result.volume_error += 16.0 * kUlp * slack / plane.n.norm() * face_area;
    total_area += face_area;
    if (face_area > 0.0) {
      if (plane.owner == PlaneOwner::kArtificial) result.has_artificial_face = true;
      if (plane.owner != PlaneOwner::kB) all_of_b = false;
    }
    const double share =
        plane.owner == PlaneOwner::kB ? 1.0 : (plane.owner == PlaneOwner::kBoth ? 0.5 : 0.0);
    result.area += 0.5 * share * faces.twice_area[f];
    result.torque += share / 6.0 * faces.six_torques[f];
  }
  result.volume_error += 16.0 * kUlp * faces.six_absolute;
  // Where B lies within A, or symmetry cancels the sum, do not hand on a direction that is
  // rounding.
  const bool is_closed = !result.has_artificial_face;
  if (is_closed && result.area.norm() <= 4.0 * kUlp * total_area) result.area.setZero();
  if (all_of_b) {
    result.area.setZero();
    result.torque.setZero();
  }
  return result;
}

double ConvexPolytope::ProjectedArea(const Vector3d& z) const {
  double sum = 0.0;
  ForEachFace([&](int, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    sum += std::abs((c - a).cross(b - a).dot(z));
  });
  return 0.25 * sum;
}

}  // namespace volcontact
