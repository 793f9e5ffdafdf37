#include "io/scad/scad_leaves.h"

#include <string_view>

#include "io/scad/scad_arguments.h"
#include "io/scad/scad_facets.h"

namespace volcontact {

ScadCube ScadCubeOf(const ScadStatement& statement, const ScadReading& reading) {
  constexpr std::string_view kParameters[] = {"size", "center"};
  const ScadArguments arguments(statement, reading.source(), kParameters);
  ScadCube cube;
  cube.size =
      arguments.Vector3Or("size", 1.0).unaryExpr([&](double x) { return reading.ToMetres(x); });
  cube.centred = arguments.BoolOr("center", false);
  cube.low = cube.centred ? Eigen::Vector3d(-0.5 * cube.size) : Eigen::Vector3d::Zero();
  return cube;
}

ScadSphere ScadSphereOf(const ScadStatement& statement, ScadReading* reading) {
  constexpr std::string_view kParameters[] = {"r"};
  const ScadArguments arguments(statement, reading->source(), kParameters);
  const int facets = FacetsOf(arguments.Fn());
  if (facets == 0) reading->NoteCurve();
  return {reading->ToMetres(arguments.NumberOr("r", 1.0)), facets};
}

ScadCylinder ScadCylinderOf(const ScadStatement& statement, ScadReading* reading) {
  constexpr std::string_view kParameters[] = {"h", "r1", "r2", "center", "r"};
  const ScadArguments arguments(statement, reading->source(), kParameters);
  if (arguments.Has("r") && (arguments.Has("r1") || arguments.Has("r2"))) {
    reading->Fail(statement, "cylinder() has both r and r1 or r2; keep one way");
  }
  const double r = arguments.NumberOr("r", 1.0);
  const ConeSize size{reading->ToMetres(arguments.NumberOr("r1", r)),
                      reading->ToMetres(arguments.NumberOr("r2", r)),
                      reading->ToMetres(arguments.NumberOr("h", 1.0))};
  const int facets = FacetsOf(arguments.Fn());
  if (facets == 0) reading->NoteCurve();
  return {size, arguments.BoolOr("center", false) ? 0.0 : 0.5 * size.height, facets};
}

ScadPolyhedron ScadPolyhedronOf(const ScadStatement& statement, const ScadReading& reading) {
  constexpr std::string_view kParameters[] = {"points", "faces"};
  const ScadArguments arguments(statement, reading.source(), kParameters);
  ScadPolyhedron polyhedron;
  polyhedron.points = arguments.Points("points");
  for (Eigen::Vector3d& p : polyhedron.points) {
    p = p.unaryExpr([&](double x) { return reading.ToMetres(x); });
  }
  polyhedron.faces = arguments.IndexLists("faces");
  return polyhedron;
}

bool IsFlat(const ScadStatement& statement, ScadReading* reading) {
  const std::string& name = statement.name;
  if (name == "cube") return (ScadCubeOf(statement, *reading).size.array() == 0.0).any();
  if (name == "sphere") return ScadSphereOf(statement, reading).radius == 0.0;
  if (name != "cylinder") return false;
  const ConeSize size = ScadCylinderOf(statement, reading).size;
  return size.height == 0.0 || (size.bottom == 0.0 && size.top == 0.0);
}

}  // namespace volcontact
