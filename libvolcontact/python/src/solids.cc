// Solids: primitives, combinations, what can be asked of one solid, and what one is made of.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "pickled.h"
#include "volcontact/contact/cells.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/solid_parts.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::python {
namespace {

py::tuple MeshArrays(const TriangleMesh& mesh) {
  const auto n = static_cast<py::ssize_t>(mesh.vertices.size());
  const auto m = static_cast<py::ssize_t>(mesh.faces.size());
  py::array_t<double> vertices({n, py::ssize_t{3}});
  for (py::ssize_t i = 0; i < n; ++i) {
    for (py::ssize_t k = 0; k < 3; ++k) {
      vertices.mutable_at(i, k) = mesh.vertices[static_cast<std::size_t>(i)][k];
    }
  }
  py::array_t<int> faces({m, py::ssize_t{3}});
  for (py::ssize_t i = 0; i < m; ++i) {
    for (py::ssize_t k = 0; k < 3; ++k) {
      faces.mutable_at(i, k) = mesh.faces[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    }
  }
  return py::make_tuple(vertices, faces);
}

// Deviations are there where the mesh has some.
py::tuple PickledMesh(const TriangleMesh& mesh) {
  const py::tuple arrays = MeshArrays(mesh);
  return mesh.deviations.empty() ? arrays : py::make_tuple(arrays[0], arrays[1], mesh.deviations);
}

py::tuple PoseTuple(const Pose& X) {
  return py::make_tuple(X.t.x(), X.t.y(), X.t.z(), X.q[0], X.q[1], X.q[2], X.q[3]);
}

// One node: shape, numbers, terms, mesh or its counts, poses, number of children.
py::tuple NodeTuple(const Solid& solid, const SolidParts& parts, bool with_meshes) {
  py::list terms, poses;
  for (const PolynomialTerm& term : parts.terms) {
    terms.append(py::make_tuple(
        term.coefficient, py::make_tuple(term.exponents[0], term.exponents[1], term.exponents[2])));
  }
  for (const Pose& pose : parts.poses) poses.append(PoseTuple(pose));
  py::object mesh = py::none();
  if (parts.shape == "mesh") {
    mesh = with_meshes ? PickledMesh(*MeshOf(solid))
                       : py::make_tuple(parts.mesh_vertices, parts.mesh_faces);
  }
  return py::make_tuple(parts.shape, parts.numbers, terms, mesh, poses, parts.children.size());
}

// The nodes of a solid, each before its children and these in their order. Without recursion: a
// solid may be as deep as it likes.
py::list NodesOf(const Solid& solid, bool with_meshes) {
  py::list nodes;
  std::vector<Solid> waiting = {solid};
  while (!waiting.empty()) {
    const Solid next = std::move(waiting.back());
    waiting.pop_back();
    const SolidParts parts = PartsOf(next);
    nodes.append(NodeTuple(next, parts, with_meshes));
    waiting.insert(waiting.end(), parts.children.rbegin(), parts.children.rend());
  }
  return nodes;
}

Eigen::Vector3d Sizes(py::handle value, const char* name) { return Vector3(value, name); }

Solid PrimitiveOf(const std::string& shape, const std::vector<double>& x) {
  const auto need = [&](std::size_t count) {
    if (x.size() != count) throw InvalidInput("a pickled solid of shape " + shape + " is damaged");
  };
  if (shape == "half_space") return need(0), HalfSpace();
  if (shape == "slab") return need(1), Slab(x[0]);
  if (shape == "sphere") return need(1), Sphere(x[0]);
  if (shape == "ellipsoid") return need(3), Ellipsoid({x[0], x[1], x[2]});
  if (shape == "box") return need(3), Box({x[0], x[1], x[2]});
  if (shape == "cone") return need(3), Cone(x[0], x[1], x[2]);
  if (shape == "capsule") return need(2), Capsule(x[0], x[1]);
  if (shape == "torus") return need(2), Torus(x[0], x[1]);
  if (shape == "cylinder") {
    need(2);
    return std::isinf(x[1]) ? InfiniteCylinder(x[0]) : Cylinder(x[0], x[1]);
  }
  if (shape == "quadric") {
    need(16);
    QuadricMatrix Q;
    for (int i = 0; i < 16; ++i) Q(i / 4, i % 4) = x[static_cast<std::size_t>(i)];
    return Quadric(Q);
  }
  throw InvalidInput("a pickled solid has the unknown shape " + shape);
}

// The pair (c, (i, j, k)) of a term, which may be a dictionary as in solid files.
py::object PairOfTerm(const py::object& term) {
  if (!py::isinstance<py::dict>(term)) return term;
  const auto entries = py::reinterpret_borrow<py::dict>(term);
  if (entries.size() == 2 && entries.contains("c") && entries.contains("e")) {
    return py::make_tuple(entries["c"], entries["e"]);
  }
  throw InvalidInput(R"(terms: a dictionary must be {"c": c, "e": (i, j, k)})");
}

std::vector<PolynomialTerm> TermsOf(const py::sequence& list) {
  std::vector<PolynomialTerm> terms;
  // Items are owned here: a sequence may make them anew.
  const auto sequence_of = [](const py::object& value, std::size_t size) {
    if (!PySequence_Check(value.ptr()) || py::len(value) != size) {
      throw InvalidInput(
          R"(terms: each must be a pair (c, (i, j, k)) or {"c": c, "e": (i, j, k)})");
    }
    return py::sequence(value);
  };
  for (std::size_t n = 0; n < list.size(); ++n) {
    const py::sequence pair = sequence_of(PairOfTerm(list[n]), 2), e = sequence_of(pair[1], 3);
    PolynomialTerm term{Real(pair[0], "the coefficient of a term"), {}};
    for (std::size_t k = 0; k < 3; ++k) {
      term.exponents[k] =
          static_cast<int>(std::clamp(Integer(e[k], "the exponent of a term"), -100L, 100L));
    }
    terms.push_back(term);
  }
  return terms;
}

Solid CombinationOf(const std::string& shape, std::vector<Solid> children) {
  if (shape == "union") return children.empty() ? Solid() : Union(std::move(children));
  if (shape == "intersection") return Intersection(std::move(children));
  if (shape == "difference" && !children.empty()) {
    return Difference(children.front(), {children.begin() + 1, children.end()});
  }
  if (shape == "complement" && children.size() == 1) return Complement(children.front());
  throw InvalidInput("a pickled solid has the unknown shape " + shape);
}

Solid NodeOf(const py::tuple& node, std::vector<Solid> children) {
  const std::string shape = node[0].cast<std::string>();
  Solid solid;
  if (shape == "mesh") {
    const py::tuple arrays = node[3].cast<py::tuple>();
    TriangleMesh mesh = MeshOf(arrays[0], arrays[1]);
    if (arrays.size() > 2) mesh.deviations = arrays[2].cast<std::vector<double>>();
    solid = Mesh(mesh);
  } else if (shape == "polynomial") {
    solid = PolynomialSolid(TermsOf(node[2].cast<py::sequence>()));
  } else if (shape == "union" || shape == "intersection" || shape == "difference" ||
             shape == "complement") {
    solid = CombinationOf(shape, std::move(children));
  } else {
    solid = PrimitiveOf(shape, node[1].cast<std::vector<double>>());
  }
  const py::list poses = node[4].cast<py::list>();
  for (std::size_t i = poses.size(); i > 0; --i) {
    const auto x = poses[i - 1].cast<std::vector<double>>();
    if (x.size() != 7) throw InvalidInput("a pickled solid has a pose without seven numbers");
    solid = solid.Posed({{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}});
  }
  return solid;
}

// The solid of NodesOf: from the last node to the first, so that children come before their parent.
Solid FromNodes(const py::list& nodes) {
  std::vector<Solid> made;
  for (std::size_t n = nodes.size(); n > 0; --n) {
    const py::tuple node = nodes[n - 1].cast<py::tuple>();
    const auto count = node[5].cast<std::size_t>();
    if (count > made.size()) throw InvalidInput("a pickled solid lacks a child");
    std::vector<Solid> children(made.rbegin(), made.rbegin() + static_cast<std::ptrdiff_t>(count));
    made.resize(made.size() - count);
    made.push_back(NodeOf(node, std::move(children)));
  }
  if (made.size() != 1) throw InvalidInput("a pickled solid is damaged");
  return made.front();
}

py::object Located(const Solid& self, py::handle points) {
  const Doubles p = Array(points, "points");
  const Extents shape = ShapeOf(p);
  if (shape.empty() || shape.back() != 3) {
    throw InvalidInput("points has shape " + Text(shape) + "; it must be (..., 3)");
  }
  ArrayOf(p, "points", shape);
  const Extents batch(shape.begin(), shape.end() - 1);
  RequireRoom(batch, sizeof(signed char), "points");
  py::array_t<signed char> result(batch);
  signed char* const to = result.mutable_data();
  const double* const from = p.data();
  const std::size_t count = SizeOf(batch);
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) {
      const Membership m = self.Locate({from[3 * i], from[3 * i + 1], from[3 * i + 2]});
      to[i] = m == Membership::kInside ? 1 : m == Membership::kBoundary ? 0 : -1;
    }
  }
  if (batch.empty()) return py::int_(static_cast<int>(*to));
  return std::move(result);
}

py::array_t<double> BoundsOf(const Solid& self) {
  const Aabb box = self.Bounds();
  py::array_t<double> bounds({2, 3});
  for (int k = 0; k < 3; ++k) {
    bounds.mutable_at(0, k) = box.min[k];
    bounds.mutable_at(1, k) = box.max[k];
  }
  return bounds;
}

// What CheckMesh finds is refused, in its words.
void CheckSound(const TriangleMesh& mesh) {
  const MeshReport report = CheckMesh(mesh);
  if (report.ok()) return;
  const std::size_t all =
      std::accumulate(report.counts.begin(), report.counts.end(), std::size_t{0});
  throw InvalidInput(fmt::format(
      "vertices ({}, 3), faces ({}, 3): {}{}. volcontact.repair mends what can be mended safely; "
      "accept_defects=True takes a closed mesh as it is",
      mesh.vertices.size(), mesh.faces.size(), report.defects.front().message,
      all > 1 ? fmt::format(" ({} defects in all; volcontact.check lists them)", all) : ""));
}

Solid MeshFrom(py::handle vertices, py::handle faces, py::handle scale, bool accept_defects,
               py::handle threads) {
  const double metres = Real(scale, "scale");
  if (!(metres > 0.0 && std::isfinite(metres))) {
    throw InvalidInput(
        fmt::format("scale is {}; it must be positive and finite, in metres per unit", metres));
  }
  TriangleMesh mesh = MeshOf(vertices, faces);
  const long number = Integer(threads, "threads");
  const py::gil_scoped_release release;
  for (auto& vertex : mesh.vertices) vertex *= metres;
  if (!accept_defects) CheckSound(mesh);
  return Mesh(mesh, static_cast<int>(std::clamp(number, 0L, 1000000L)));
}

Solid PosedBy(const Solid& self, py::handle X) {
  const Rows<Pose> poses = Poses(X, "X");
  if (!poses.shape.empty()) {
    throw InvalidInput("X: one pose is needed, not an array of them with leading shape " +
                       Text(poses.shape));
  }
  return self.Posed(poses[0]);
}

// The operands of a chain such as a | b | c, which makes one combination of all.
std::vector<Solid> Chained(const Solid& left, const Solid& right, const char* shape) {
  const SolidParts parts = PartsOf(left);
  std::vector<Solid> all = {left};
  if (parts.shape == shape && parts.poses.empty() && !parts.children.empty()) all = parts.children;
  all.push_back(right);
  return all;
}

Solid Subtracted(const Solid& left, const Solid& right) {
  const std::vector<Solid> all = Chained(left, right, "difference");
  return Difference(all.front(), {all.begin() + 1, all.end()});
}

void BindPrimitives(py::module_* module) {
  module->def("half_space", &HalfSpace, "The half-space z <= 0.");
  module->def(
      "slab", [](py::handle thickness) { return Slab(Real(thickness, "thickness")); },
      py::arg("thickness"), "The slab |z| <= thickness/2 [m].");
  module->def(
      "sphere", [](py::handle radius) { return Sphere(Real(radius, "radius")); }, py::arg("radius"),
      "The ball about the origin, radius in metres.");
  module->def(
      "ellipsoid", [](py::handle axes) { return Ellipsoid(Sizes(axes, "semi_axes")); },
      py::arg("semi_axes"), "The ellipsoid with semi-axes (a, b, c) along x, y, z [m].");
  module->def(
      "box", [](py::handle size) { return Box(Sizes(size, "size")); }, py::arg("size"),
      "The box centred at the origin with full edge lengths (lx, ly, lz) [m].");
  module->def(
      "cylinder",
      [](py::handle radius, py::handle height) {
        const double r = Real(radius, "radius");
        return height.is_none() ? InfiniteCylinder(r) : Cylinder(r, Real(height, "height"));
      },
      py::arg("radius"), py::arg("height") = py::none(),
      "The cylinder about z, |z| <= height/2 [m]; infinite without a height.");
  module->def(
      "cone",
      [](py::handle radius, py::handle height, py::handle top) {
        return Cone(Real(radius, "radius"), Real(height, "height"), Real(top, "radius_top"));
      },
      py::arg("radius"), py::arg("height"), py::arg("radius_top") = 0.0,
      "The cone about z between z = 0 with `radius` and z = height with `radius_top` [m].");
  module->def(
      "capsule",
      [](py::handle radius, py::handle height) {
        return Capsule(Real(radius, "radius"), Real(height, "height"));
      },
      py::arg("radius"), py::arg("height"),
      "All points within `radius` of the segment |z| <= height/2 on the z axis [m].");
  module->def(
      "torus",
      [](py::handle major, py::handle minor) {
        return Torus(Real(major, "major_radius"), Real(minor, "minor_radius"));
      },
      py::arg("major_radius"), py::arg("minor_radius"),
      "The torus about z, 0 < minor_radius <= major_radius [m].");
  module->def(
      "quadric",
      [](py::handle matrix) {
        const Doubles Q = ArrayOf(matrix, "matrix", {4, 4});
        return PrimitiveOf("quadric", {Q.data(), Q.data() + 16});
      },
      py::arg("matrix"), "x'Qx <= 0 with x = (x, y, z, 1); matrix (4, 4), symmetric.");
  module->def(
      "polynomial", [](const py::sequence& terms) { return PolynomialSolid(TermsOf(terms)); },
      py::arg("terms"), "sum c x^i y^j z^k <= 0 of terms (c, (i, j, k)), total degree at most 4.");
  module->def(
      "_mesh",
      [](py::handle vertices, py::handle faces, py::handle scale, py::handle accept_defects,
         py::handle threads) {
        return MeshFrom(vertices, faces, scale, Truth(accept_defects, "accept_defects"), threads);
      },
      py::arg("vertices"), py::arg("faces"), py::arg("scale"), py::arg("accept_defects"),
      py::arg("threads"));
}

}  // namespace

void BindSolids(py::module_* module) {
  py::class_<Solid> type(
      *module, "Solid",
      R"(An exact, immutable set of points: a primitive, a closed mesh, or a combination.

a & b, a | b, a - b and ~a combine solids; chains such as a | b | c make one union. Lengths in metres.)");
  type.def(py::init<>(), "The empty solid.");
  type.def(
      "__and__",
      [](const Solid& a, const Solid& b) { return Intersection(Chained(a, b, "intersection")); },
      py::is_operator());
  type.def(
      "__or__", [](const Solid& a, const Solid& b) { return Union(Chained(a, b, "union")); },
      py::is_operator());
  type.def("__sub__", &Subtracted, py::is_operator());
  type.def("__invert__", &Complement, py::is_operator());
  type.def("posed", &PosedBy, py::arg("X"),
           "The same solid moved by a pose: (7,), (4, 4), or a pair (t, q) of (3,) and (4,).");
  type.def("_locate", &Located, py::arg("points"),
           "Membership of points (..., 3) [m]: 1 inside, 0 on the boundary, -1 outside; int8, "
           "shape (...).");
  type.def_property_readonly(
      "bounds", &BoundsOf, "A box around the solid, array (2, 3): least and greatest x, y, z [m].");
  type.def_property_readonly("is_convex", &Solid::IsConvex, "Convex by construction.");
  type.def_property_readonly("cells", &DisjointCells,
                             "The disjoint cells of a union, for cellular contact: list of Solid.");
  type.def("_nodes", &NodesOf);
  type.def(py::pickle([](const Solid& self) { return py::make_tuple(NodesOf(self, true)); },
                      [](const py::tuple& state) {
                        return FromPickle("Solid", state, 1,
                                          [&] { return FromNodes(state[0].cast<py::list>()); });
                      }));
  type.def_property_readonly(
      "mesh",
      [](const Solid& self) -> py::object {
        const auto mesh = MeshOf(self);
        if (!mesh || !PartsOf(self).poses.empty()) return py::none();
        return MeshArrays(*mesh);
      },
      "(vertices, faces) of a solid that is one mesh and was not moved, else None.");
  BindPrimitives(module);
  module->def(
      "union", [](std::vector<Solid> solids) { return Union(std::move(solids)); },
      py::arg("solids"), "Union of at least one solid.");
  module->def(
      "intersection", [](std::vector<Solid> solids) { return Intersection(std::move(solids)); },
      py::arg("solids"), "Intersection of at least one solid.");
  module->def("difference", &Difference, py::arg("base"), py::arg("cuts"),
              "base minus every cut of a list.");
  module->def("complement", &Complement, py::arg("solid"), "Everything outside.");
}

}  // namespace volcontact::python
