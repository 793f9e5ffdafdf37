// What Python hands over, checked and turned into the library's values. Everything here throws
// TypeError for what is no array of numbers, and ValueError (InvalidInput) for wrong shapes and
// values; messages begin with the argument's name and tell its shape.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "volcontact/contact/contact_motion.h"
#include "volcontact/math/pose.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::python {

namespace py = pybind11;

using Extents = std::vector<py::ssize_t>;
using Doubles = py::array_t<double, py::array::c_style>;

/// "(1000, 7)".
std::string Text(const Extents& shape);
Extents ShapeOf(const py::array& array);
/// "[3, 1]" of element i of an array with this shape, nothing for a single one.
std::string Place(std::size_t i, const Extents& shape);
/// The number of elements of a shape.
std::size_t SizeOf(const Extents& shape);

/// Throws InvalidInput where the machine has no memory for an array of this shape, of so many bytes
/// an element; `what` begins the message.
void RequireRoom(const Extents& shape, std::size_t bytes, const char* what);

/// A number, an integer, a text, a truth value, or a path.
double Real(py::handle value, const char* name);
long Integer(py::handle value, const char* name);
std::string TextOf(py::handle value, const char* name);
bool Truth(py::handle value, const char* name);

/// Any array-like of real numbers, contiguous; the array itself where it is such.
Doubles Array(py::handle value, const char* name);
/// Finite numbers of exactly this shape.
Doubles ArrayOf(py::handle value, const char* name, const Extents& shape);
Eigen::Vector3d Vector3(py::handle value, const char* name);
/// Finite numbers in one dimension.
Eigen::VectorXd Column(py::handle value, const char* name);
TriangleMesh MeshOf(py::handle vertices, py::handle faces);

/// Rows of numbers that are broadcast to one shape: elements are `stride` rows apart, 0 where one
/// serves all. Holds on to the array they stand in.
template <class Row>
struct Rows {
  Extents shape;
  const Row* data = nullptr;
  std::size_t stride = 0;
  py::object owner;
  std::vector<Row> own;  // where they had to be made

  const Row& operator[](std::size_t i) const { return data[i * stride]; }
};

/// Poses from arrays (..., 7) of position and quaternion (w, x, y, z), (..., 4, 4) of homogeneous
/// matrices, or pairs (t, q) of arrays (..., 3) and (..., 4); None is the identity.
Rows<Pose> Poses(py::handle value, const char* name);

/// Velocity of a frame's origin and angular velocity, both in the world; (..., 6). None is rest.
struct RawTwist {
  double numbers[6];

  Twist Value() const {
    return {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
  }
};
Rows<RawTwist> Twists(py::handle value, const char* name);

/// The shape that two broadcast to, by numpy's rules; `names` says whose shapes they are.
Extents BroadcastShape(const Extents& a, const Extents& b, const char* names);

/// The same rows with one element for each of `shape`.
template <class Row>
void BroadcastTo(const Extents& shape, const char* name, Rows<Row>* rows);

}  // namespace volcontact::python
