#include "step/faces/step_mesh.h"

#include <BRepAdaptor_Surface.hxx>
#include <BRepMesh_IncrementalMesh.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <Eigen/Geometry>
#include <Geom_Surface.hxx>
#include <IMeshTools_Parameters.hxx>
#include <Poly_PolygonOnTriangulation.hxx>
#include <Poly_Triangulation.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Vertex.hxx>
#include <algorithm>
#include <array>
#include <cmath>
#include <gp_Cone.hxx>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "step/faces/step_frames.h"
#include "step/faces/step_units.h"

namespace volcontact {
namespace {

// Between neighbouring triangles [rad].
constexpr double kMeshAngle = 0.2;
// A triangle is looked at where a surface that bends evenly is farthest from it, or nearly so;
// others may be farther by this factor.
constexpr double kBetweenSamples = 1.25;
// Relative to the largest coordinates.
constexpr double kRounding = 1e-13;
// Sines that are none, and relative sums that are equal.
constexpr double kSameWay = 1e-9;

// Triangles from the apex of a cone to each edge that bounds a part of it; nothing where one of
// them has next to no area or looks another way than most: the part has a hole, or ends at a ruling
// that has points on it.
std::vector<std::array<int, 3>> FanFrom(int apex, const std::vector<std::array<int, 2>>& boundary,
                                        const gp_Cone& cone, const TriangleMesh& mesh) {
  const auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)]; };
  const Eigen::Vector3d axis = DirectionOf(cone.Axis().Direction());
  std::vector<std::array<int, 3>> fan;
  double sum = 0.0, all = 0.0, least = 1.0;
  for (const auto& [a, b] : boundary) {
    if (a == apex || b == apex) continue;
    const Eigen::Vector3d p = at(a) - at(apex), q = at(b) - at(apex);
    const Eigen::Vector3d out = p + q - axis.dot(p + q) * axis;
    const double sine = p.cross(q).dot(out.normalized()) / (p.norm() * q.norm());
    sum += sine;
    all += std::abs(sine);
    least = std::min(least, std::abs(sine));
    fan.push_back({a, b, apex});
  }
  const bool one_way = std::abs(sum) >= (1.0 - kSameWay) * all;
  return one_way && least > kSameWay ? fan : std::vector<std::array<int, 3>>();
}

// Directed edges without an opposite one.
std::vector<std::array<int, 2>> BoundaryOf(std::span<const std::array<int, 3>> triangles) {
  std::set<std::array<int, 2>> edges;
  for (const auto& [a, b, c] : triangles) {
    for (const auto& [from, to] : {std::array{a, b}, std::array{b, c}, std::array{c, a}}) {
      if (edges.erase({to, from}) == 0) edges.insert({from, to});
    }
  }
  return {edges.begin(), edges.end()};
}

class ShapeMesher {
 public:
  explicit ShapeMesher(const TopoDS_Shape& solid) {
    TopExp::MapShapes(solid, TopAbs_VERTEX, corners_);
    TopExp::MapShapes(solid, TopAbs_EDGE, edges_);
    TopExp::MapShapes(solid, TopAbs_FACE, faces_);
    on_edges_.resize(static_cast<std::size_t>(edges_.Extent()));
    on_corners_.assign(static_cast<std::size_t>(corners_.Extent()), -1);
  }

  StepMesh Run(const TopoDS_Shape& solid) {
    for (TopExp_Explorer face(solid, TopAbs_FACE); face.More(); face.Next()) {
      if (!Add(TopoDS::Face(face.Current()))) return {};
    }
    if (mesh_.faces.empty()) return {};
    DropRounding();
    return {std::move(mesh_), std::move(origins_)};
  }

 private:
  // Planes have no deviation but that.
  void DropRounding() {
    Eigen::Vector3d low = mesh_.vertices.front(), high = low;
    for (const Eigen::Vector3d& p : mesh_.vertices) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    const double rounding = kRounding * (low.cwiseAbs().cwiseMax(high.cwiseAbs())).norm();
    for (double& deviation : mesh_.deviations) {
      if (deviation <= rounding) deviation = 0.0;
    }
  }

  int NewVertex(const gp_Pnt& p) {
    mesh_.vertices.push_back(InMetres(p.XYZ()));
    return static_cast<int>(mesh_.vertices.size()) - 1;
  }

  int CornerOf(const TopoDS_Vertex& corner) {
    int& number = on_corners_[static_cast<std::size_t>(corners_.FindIndex(corner)) - 1];
    if (number < 0) number = NewVertex(BRep_Tool::Pnt(corner));
    return number;
  }

  // Numbers the vertices of a face that lie on one of its edges: those of the edge, which are made
  // from the first face that has them.
  bool AddEdge(const TopoDS_Edge& edge, const Handle(Poly_Triangulation) & part,
               const TopLoc_Location& location, std::vector<int>* numbers) {
    const Handle(Poly_PolygonOnTriangulation) polygon =
        BRep_Tool::PolygonOnTriangulation(edge, part, location);
    if (polygon.IsNull()) return BRep_Tool::Degenerated(edge);
    const auto oriented = TopoDS::Edge(edge.Oriented(TopAbs_FORWARD));
    const TopoDS_Vertex first = TopExp::FirstVertex(oriented), last = TopExp::LastVertex(oriented);
    if (first.IsNull() || last.IsNull()) return false;
    const int count = polygon->NbNodes();
    std::vector<int>& along = on_edges_[static_cast<std::size_t>(edges_.FindIndex(edge)) - 1];
    if (along.empty()) {
      for (int k = 1; k <= count; ++k) {
        const gp_Pnt p = part->Node(polygon->Node(k)).Transformed(location.Transformation());
        const bool is_end = k == 1 || k == count || BRep_Tool::Degenerated(edge);
        along.push_back(is_end ? CornerOf(k == count ? last : first) : NewVertex(p));
      }
    }
    if (static_cast<int>(along.size()) != count) return false;
    for (int k = 1; k <= count; ++k) {
      (*numbers)[static_cast<std::size_t>(polygon->Node(k)) - 1] =
          along[static_cast<std::size_t>(k) - 1];
    }
    return true;
  }

  bool Add(const TopoDS_Face& face) {
    TopLoc_Location location;
    const Handle(Poly_Triangulation) part = BRep_Tool::Triangulation(face, location);
    if (part.IsNull()) return false;
    std::vector<int> numbers(static_cast<std::size_t>(part->NbNodes()), -1);
    for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next()) {
      if (!AddEdge(TopoDS::Edge(edge.Current()), part, location, &numbers)) return false;
      // A seam has a polygon for either side.
      if (!AddEdge(TopoDS::Edge(edge.Current().Reversed()), part, location, &numbers)) return false;
    }
    for (int n = 1; n <= part->NbNodes(); ++n) {
      int& number = numbers[static_cast<std::size_t>(n) - 1];
      if (number < 0) {
        number = NewVertex(part->Node(n).Transformed(location.Transformation()));
      }
    }
    const bool turned =
        (face.Orientation() == TopAbs_REVERSED) != location.Transformation().IsNegative();
    const double deviation = DeviationOf(face, part, location.Transformation());
    const std::size_t before = mesh_.faces.size();
    for (int t = 1; t <= part->NbTriangles(); ++t) {
      std::array<int, 3> nodes;
      part->Triangle(t).Get(nodes[0], nodes[1], nodes[2]);
      if (turned) std::swap(nodes[1], nodes[2]);
      AddTriangle({numbers[static_cast<std::size_t>(nodes[0]) - 1],
                   numbers[static_cast<std::size_t>(nodes[1]) - 1],
                   numbers[static_cast<std::size_t>(nodes[2]) - 1]},
                  deviation);
    }
    MendApex(face, before);
    origins_.insert(origins_.end(), mesh_.faces.size() - before, faces_.FindIndex(face) - 1);
    return true;
  }

  // In the parameters of a cone its apex is a line, and Open CASCADE's triangles that are sound
  // there may cross in space. Rulings are straight, so that triangles from the apex are as good.
  void MendApex(const TopoDS_Face& face, std::size_t first) {
    const BRepAdaptor_Surface surface(face);
    if (surface.GetType() != GeomAbs_Cone) return;
    for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next()) {
      if (!BRep_Tool::Degenerated(TopoDS::Edge(edge.Current()))) continue;
      const int apex = CornerOf(TopExp::FirstVertex(TopoDS::Edge(edge.Current())));
      const auto boundary = BoundaryOf(std::span(mesh_.faces).subspan(first));
      const auto fan = FanFrom(apex, boundary, surface.Cone(), mesh_);
      if (fan.empty()) return;
      mesh_.faces.resize(first);
      mesh_.deviations.resize(first);
      const double deviation = FanDeviation(fan, surface.Cone());
      for (const std::array<int, 3>& triangle : fan) AddTriangle(triangle, deviation);
      return;
    }
  }

  // How far the cone is from the outer edges of a fan, where it is farthest from the triangles [m].
  double FanDeviation(const std::vector<std::array<int, 3>>& fan, const gp_Cone& cone) const {
    const Eigen::Vector3d apex = InMetres(cone.Apex().XYZ()),
                          axis = DirectionOf(cone.Axis().Direction());
    double most = 0.0;
    for (const auto& [a, b, c] : fan) {
      const Eigen::Vector3d middle = 0.5 * (mesh_.vertices[static_cast<std::size_t>(a)] +
                                            mesh_.vertices[static_cast<std::size_t>(b)]) -
                                     apex;
      const double along = std::abs(axis.dot(middle)), out = axis.cross(middle).norm();
      const double angle = std::abs(cone.SemiAngle());
      most = std::max(most, std::abs(out * std::cos(angle) - along * std::sin(angle)));
    }
    return kBetweenSamples * most;
  }

  void AddTriangle(const std::array<int, 3>& triangle, double deviation) {
    const auto& [a, b, c] = triangle;
    if (a == b || b == c || c == a) return;
    mesh_.faces.push_back(triangle);
    mesh_.deviations.push_back(deviation);
  }

  // How far the surface lies from the triangles of a face, as Open CASCADE measured it and as it is
  // in the middle of triangles and of their edges [m].
  static double DeviationOf(const TopoDS_Face& face, const Handle(Poly_Triangulation) & part,
                            const gp_Trsf& transformation) {
    double measured = InMetres(part->Deflection());
    const Handle(Geom_Surface) surface = BRep_Tool::Surface(face);
    if (!part->HasUVNodes() || surface.IsNull()) return measured;
    for (int t = 1; t <= part->NbTriangles(); ++t) {
      std::array<int, 3> nodes;
      part->Triangle(t).Get(nodes[0], nodes[1], nodes[2]);
      measured = std::max(
          measured, kBetweenSamples * TriangleDeviation(*surface, *part, nodes, transformation));
    }
    return measured;
  }

  static double TriangleDeviation(const Geom_Surface& surface, const Poly_Triangulation& part,
                                  const std::array<int, 3>& nodes, const gp_Trsf& transformation) {
    std::array<Eigen::Vector3d, 3> corners;
    std::array<gp_XY, 3> uv;
    for (std::size_t i = 0; i < 3; ++i) {
      corners[i] = InMetres(part.Node(nodes[i]).Transformed(transformation).XYZ());
      uv[i] = part.UVNode(nodes[i]).XY();
    }
    const Eigen::Vector3d across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    if (across.isZero(0.0)) return 0.0;
    const Eigen::Vector3d normal = across.normalized();
    double most = 0.0;
    const auto look = [&](const gp_XY& at) {
      const Eigen::Vector3d p = InMetres(surface.Value(at.X(), at.Y()).XYZ());
      most = std::max(most, std::abs(normal.dot(p - corners[0])));
    };
    look((uv[0] + uv[1] + uv[2]) / 3.0);
    for (std::size_t i = 0; i < 3; ++i) look((uv[i] + uv[(i + 1) % 3]) / 2.0);
    return most;
  }

  TopTools_IndexedMapOfShape corners_, edges_, faces_;
  std::vector<int> on_corners_;
  std::vector<std::vector<int>> on_edges_;
  TriangleMesh mesh_;
  std::vector<int> origins_;
};

}  // namespace

StepMesh MeshOfShape(const TopoDS_Shape& solid, double deviation) {
  BRepTools::Clean(solid);
  IMeshTools_Parameters parameters;
  parameters.Deflection = InMillimetres(deviation);
  parameters.Angle = kMeshAngle;
  const BRepMesh_IncrementalMesh mesher(solid, parameters);
  return ShapeMesher(solid).Run(solid);
}

}  // namespace volcontact
