// STEP files of assemblies, written by Open CASCADE with names put in.
#pragma once

#include <gtest/gtest.h>

#include <BRep_Builder.hxx>
#include <Interface_Static.hxx>
#include <STEPControl_Writer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Shape.hxx>
#include <filesystem>
#include <fstream>
#include <gp_Ax1.hxx>
#include <gp_Trsf.hxx>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace volcontact {
// How Open CASCADE calls a product of a tree, before its version, a number of the tree, and ".1.2".
inline const std::string kOwnName = "Open CASCADE STEP translator ";

// The name instead of every such text of the place.
inline std::string Renamed(std::string text, const std::string& place, const std::string& name) {
  for (std::size_t at = text.find('\'' + kOwnName); at != std::string::npos;
       at = text.find('\'' + kOwnName, at + 1)) {
    const std::size_t end = text.find('\'', at + 1);
    const std::size_t tree = text.rfind(' ', end), dot = text.find('.', tree);
    if (text.substr(dot + 1, end - dot - 1) != place) continue;
    text.replace(at + 1, end - at - 1, name);
  }
  return text;
}

/// A translation [mm] after a turn about z [rad].
inline gp_Trsf Placement(double x, double y, double z, double turn = 0.0) {
  gp_Trsf moved, turned;
  moved.SetTranslation(gp_Vec(x, y, z));
  turned.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1)), turn);
  return moved * turned;
}

/// The same shape, placed; a product that is placed several times is written once.
inline TopoDS_Shape PlacedAt(const TopoDS_Shape& shape, const gp_Trsf& placement) {
  return shape.Moved(TopLoc_Location(placement));
}

inline TopoDS_Compound AssemblyOf(const std::vector<TopoDS_Shape>& shapes) {
  BRep_Builder builder;
  TopoDS_Compound all;
  builder.MakeCompound(all);
  for (const TopoDS_Shape& shape : shapes) builder.Add(all, shape);
  return all;
}

/// Writes the shape with its compounds as assemblies. `names` are of products, by their place in
/// the tree: "2.1" is the first in the second of the whole; as STEP's text has them.
inline void WriteAssembly(const TopoDS_Shape& shape,
                          const std::map<std::string, std::string>& names,
                          const std::filesystem::path& file) {
  STEPControl_Writer writer;
  Interface_Static::SetIVal("write.step.assembly", 1);
  writer.Transfer(shape, STEPControl_AsIs);
  ASSERT_EQ(writer.Write(file.c_str()), IFSelect_RetDone);
  Interface_Static::SetIVal("write.step.assembly", 0);
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  for (const auto& [place, name] : names) text = Renamed(std::move(text), place, name);
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace volcontact
