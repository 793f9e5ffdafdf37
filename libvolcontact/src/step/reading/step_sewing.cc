#include "step/reading/step_sewing.h"

#include <fmt/format.h>

#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepLib.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Shell.hxx>
#include <TopoDS_Solid.hxx>
#include <cmath>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Of the size: surfaces of neighbours count as one within this, too.
constexpr double kSameEdge = 1e-6;

int CountFaces(const TopoDS_Shape& shape) {
  int count = 0;
  for (TopExp_Explorer face(shape, TopAbs_FACE); face.More(); face.Next()) ++count;
  return count;
}

// The closed shells of a shape as solids; returns how many.
int AddSolids(const TopoDS_Shape& shape, TopoDS_Compound* solids) {
  BRep_Builder builder;
  builder.MakeCompound(*solids);
  int count = 0;
  for (TopExp_Explorer at(shape, TopAbs_SHELL); at.More(); at.Next()) {
    const TopoDS_Shell& shell = TopoDS::Shell(at.Current());
    if (!BRep_Tool::IsClosed(shell)) continue;
    TopoDS_Solid solid = BRepBuilderAPI_MakeSolid(shell);
    if (!BRepLib::OrientClosedSolid(solid)) continue;
    builder.Add(*solids, solid);
    ++count;
  }
  return count;
}

}  // namespace

TopoDS_Shape SolidsOfSurfaces(const TopoDS_Shape& shape, const std::string& origin,
                              std::vector<std::string>* notes) {
  const int faces = shape.IsNull() ? 0 : CountFaces(shape);
  if (faces == 0) {
    throw InvalidInput(origin +
                       ": holds no solids and no surfaces; export solids from the CAD program");
  }
  Bnd_Box box;
  BRepBndLib::Add(shape, box);
  BRepBuilderAPI_Sewing sewing(kSameEdge * std::sqrt(box.SquareExtent()));
  sewing.Add(shape);
  sewing.Perform();
  TopoDS_Compound solids;
  const int count = sewing.SewedShape().IsNull() ? 0 : AddSolids(sewing.SewedShape(), &solids);
  if (count == 0) {
    const int open = sewing.NbFreeEdges();
    throw InvalidInput(fmt::format(
        "{}: holds no solid, but {} faces, which {}; close it in the CAD program, and export a "
        "solid, or its mesh as STL",
        origin, faces,
        open > 0 ? fmt::format("leave an opening along {} edges", open)
                 : "do not bound one, although no edge is open"));
  }
  notes->push_back(fmt::format(
      "{}: holds surfaces, no solids; their faces were joined along their edges to {} closed {}{}",
      origin, count, count == 1 ? "solid" : "solids",
      sewing.NbFreeEdges() > 0 ? ", and those that are open were left out" : ""));
  return solids;
}

}  // namespace volcontact
