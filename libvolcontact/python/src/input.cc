#include "input.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "volcontact/math/error.h"
#include "volcontact/math/isometry.h"

namespace volcontact::python {
namespace {

static_assert(sizeof(Pose) == 7 * sizeof(double));
static_assert(sizeof(RawTwist) == 6 * sizeof(double));

constexpr double kMostInteger = 9007199254740992.0;  // 2^53

// Rows of one call; their results take half a kilobyte each.
constexpr double kMostPoses = 1e8;

// As SizeOf, of any shape without overflow.
double CountOf(const Extents& shape) {
  double count = 1.0;
  for (const py::ssize_t extent : shape) count *= static_cast<double>(extent);
  return count;
}

[[noreturn]] void WrongType(const char* name, const std::string& what) {
  throw py::type_error(fmt::format("{}: {}", name, what));
}

// Without its module, as Python's own messages have it.
std::string TypeName(py::handle value) {
  const std::string name = Py_TYPE(value.ptr())->tp_name;
  return name.substr(name.rfind('.') + 1);
}

[[noreturn]] void WrongShape(const char* name, const Extents& shape, const char* needed) {
  throw InvalidInput(fmt::format("{} has shape {}; it must be {}", name, Text(shape), needed));
}

void CheckPose(const Pose& pose, const char* name, std::size_t i, const Extents& batch,
               const Extents& shape) {
  const auto& q = pose.q;
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  const bool finite = std::isfinite(pose.t.x() + pose.t.y() + pose.t.z()) || pose.t.allFinite();
  if (finite && std::abs(norm - 1.0) <= kUnitQuaternionTolerance) return;
  const std::string where = fmt::format("{}{}", name, Place(i, batch));
  if (!pose.t.allFinite() || !std::isfinite(q[0]) || !std::isfinite(q[1]) || !std::isfinite(q[2]) ||
      !std::isfinite(q[3])) {
    throw InvalidInput(
        fmt::format("{}: not all numbers are finite ({} has shape {})", where, name, Text(shape)));
  }
  throw InvalidInput(fmt::format(
      "{}: the quaternion (w, x, y, z) = ({}, {}, {}, {}) has the length {}; it must be 1 to {} "
      "({} has shape {})",
      where, q[0], q[1], q[2], q[3], norm, kUnitQuaternionTolerance, name, Text(shape)));
}

void CheckPoses(const Rows<Pose>& poses, const char* name, const Extents& shape) {
  const std::size_t count = SizeOf(poses.shape);
  for (std::size_t i = 0; i < count; ++i) CheckPose(poses[i], name, i, poses.shape, shape);
}

Pose PoseOfMatrix(const double* X, const std::string& where, const Extents& shape) {
  Eigen::Matrix3d R;
  Eigen::Vector3d t;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = X[4 * i + j];
    t[i] = X[4 * i + 3];
  }
  if (!(X[12] == 0.0 && X[13] == 0.0 && X[14] == 0.0 && X[15] == 1.0)) {
    throw InvalidInput(
        fmt::format("{}: the last row of a homogeneous matrix must be 0, 0, 0, 1, "
                    "but is {}, {}, {}, {} (shape {})",
                    where, X[12], X[13], X[14], X[15], Text(shape)));
  }
  try {
    return PoseFromRotation(R, t, where);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} (shape {})", error.what(), Text(shape)));
  }
}

Rows<Pose> PosesOfMatrices(const Doubles& array, const Extents& shape, const char* name) {
  Rows<Pose> poses;
  poses.shape.assign(shape.begin(), shape.end() - 2);
  poses.stride = poses.shape.empty() ? 0 : 1;
  const std::size_t count = SizeOf(poses.shape);
  poses.own.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    poses.own.push_back(PoseOfMatrix(array.data() + 16 * i,
                                     fmt::format("{}{}", name, Place(i, poses.shape)), shape));
  }
  poses.data = poses.own.data();
  return poses;
}

// A pair of positions and quaternions as one array (..., 7).
Doubles Joined(py::handle value, const char* name) {
  const Doubles t = Array(value[py::int_(0)], name), q = Array(value[py::int_(1)], name);
  const Extents shape_t = ShapeOf(t), shape_q = ShapeOf(q);
  if (shape_t.empty() || shape_t.back() != 3 || shape_q.empty() || shape_q.back() != 4) {
    throw InvalidInput(
        fmt::format("{}: a pair (t, q) with shapes {} and {}; they must be (..., 3) "
                    "and (..., 4), the quaternion w, x, y, z",
                    name, Text(shape_t), Text(shape_q)));
  }
  const Extents batch = BroadcastShape({shape_t.begin(), shape_t.end() - 1},
                                       {shape_q.begin(), shape_q.end() - 1}, name);
  Extents full_t = batch, full_q = batch;
  full_t.push_back(3);
  full_q.push_back(4);
  RequireRoom(batch, sizeof(Pose), name);
  const py::module_ numpy = py::module_::import("numpy");
  const auto broadcast = numpy.attr("broadcast_to");
  return numpy.attr("concatenate")(py::make_tuple(broadcast(t, full_t), broadcast(q, full_q)),
                                   py::arg("axis") = -1);
}

}  // namespace

std::string Text(const Extents& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::string Place(std::size_t i, const Extents& shape) {
  if (shape.empty()) return "";
  std::vector<std::size_t> index(shape.size());
  for (std::size_t d = shape.size(); d > 0; --d) {
    const auto extent = static_cast<std::size_t>(shape[d - 1]);
    index[d - 1] = i % extent;
    i /= extent;
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

Extents ShapeOf(const py::array& array) { return {array.shape(), array.shape() + array.ndim()}; }

std::size_t SizeOf(const Extents& shape) {
  std::size_t size = 1;
  for (const py::ssize_t extent : shape) size *= static_cast<std::size_t>(extent);
  return size;
}

void RequireRoom(const Extents& shape, std::size_t bytes, const char* what) {
  const bool is_shape =
      std::all_of(shape.begin(), shape.end(), [](py::ssize_t extent) { return extent >= 0; });
  if (!is_shape) throw InvalidInput(fmt::format("{}: shape {} is none", what, Text(shape)));
  const double count = CountOf(shape);
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double bytes_of_all = count * static_cast<double>(bytes);
  if (bytes_of_all <= memory) return;
  throw InvalidInput(
      fmt::format("{}: {:.3g} elements of shape {} need {:.3g} GB, more than the memory of this "
                  "machine ({:.3g} GB); pass fewer at a time",
                  what, count, Text(shape), bytes_of_all * 1e-9, memory * 1e-9));
}

double Real(py::handle value, const char* name) {
  if (PyFloat_CheckExact(value.ptr())) return PyFloat_AS_DOUBLE(value.ptr());
  if (PyLong_Check(value.ptr()) && !PyBool_Check(value.ptr())) {
    const double number = PyLong_AsDouble(value.ptr());
    if (!(number == -1.0 && PyErr_Occurred())) return number;
    PyErr_Clear();
    throw InvalidInput(fmt::format("{}: the integer is too large", name));
  }
  if (PyFloat_Check(value.ptr()) || py::isinstance<py::array>(value) ||
      py::hasattr(value, "dtype")) {
    const Doubles array = Array(value, name);
    if (array.ndim() == 0) return *array.data();
    throw InvalidInput(
        fmt::format("{} has shape {}; one number is needed", name, Text(ShapeOf(array))));
  }
  WrongType(name, "a number is needed, not " + TypeName(value));
}

long Integer(py::handle value, const char* name) {
  if (!PyBool_Check(value.ptr())) {
    const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (index) {
      const long number = PyLong_AsLong(index.ptr());
      if (!(number == -1 && PyErr_Occurred())) return number;
      PyErr_Clear();
      throw InvalidInput(fmt::format("{}: the integer is too large", name));
    }
    PyErr_Clear();
    if (PyFloat_Check(value.ptr())) {
      const double number = PyFloat_AS_DOUBLE(value.ptr());
      if (number == std::floor(number) && std::abs(number) < kMostInteger) {
        return static_cast<long>(number);
      }
    }
  }
  WrongType(name, "an integer is needed, not " + TypeName(value));
}

std::string TextOf(py::handle value, const char* name) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  const py::object path = py::reinterpret_steal<py::object>(PyOS_FSPath(value.ptr()));
  if (path && py::isinstance<py::str>(path)) return path.cast<std::string>();
  PyErr_Clear();
  WrongType(name, "a text is needed, not " + TypeName(value));
}

bool Truth(py::handle value, const char* name) {
  if (value.ptr() == Py_True) return true;
  if (value.ptr() == Py_False) return false;
  if (std::strcmp(Py_TYPE(value.ptr())->tp_name, "numpy.bool_") == 0) {
    return PyObject_IsTrue(value.ptr()) == 1;
  }
  WrongType(name, "True or False is needed, not " + TypeName(value));
}

Doubles Array(py::handle value, const char* name) {
  if (Doubles::check_(value)) return py::reinterpret_borrow<Doubles>(value);
  py::array array;
  try {
    array = py::module_::import("numpy").attr("asarray")(value);
  } catch (py::error_already_set&) {
    const bool is_list = PyList_Check(value.ptr()) || PyTuple_Check(value.ptr());
    WrongType(name, "an array of numbers is needed, not " +
                        (is_list ? "a list whose rows differ in length" : TypeName(value)));
  }
  RequireRoom(ShapeOf(array), sizeof(double), name);  // of a copy that may have to be made
  const char kind = array.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u') {
    WrongType(name, fmt::format("has dtype {} and shape {}; real numbers are needed",
                                py::str(array.dtype()).cast<std::string>(), Text(ShapeOf(array))));
  }
  return py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(array);
}

Doubles ArrayOf(py::handle value, const char* name, const Extents& shape) {
  Doubles array = Array(value, name);
  if (ShapeOf(array) != shape) WrongShape(name, ShapeOf(array), Text(shape).c_str());
  const double* const data = array.data();
  for (py::ssize_t i = 0; i < array.size(); ++i) {
    if (std::isfinite(data[i])) continue;
    throw InvalidInput(
        fmt::format("{} has shape {}, and not all its numbers are finite", name, Text(shape)));
  }
  return array;
}

Eigen::Vector3d Vector3(py::handle value, const char* name) {
  const Doubles array = ArrayOf(value, name, {3});
  return {array.data()[0], array.data()[1], array.data()[2]};
}

Eigen::VectorXd Column(py::handle value, const char* name) {
  const Doubles array = Array(value, name);
  if (array.ndim() != 1 || array.size() == 0) {
    WrongShape(name, ShapeOf(array), "(n,), with one number at least");
  }
  ArrayOf(array, name, ShapeOf(array));
  return Eigen::Map<const Eigen::VectorXd>(array.data(), array.size());
}

TriangleMesh MeshOf(py::handle vertices, py::handle faces) {
  const Doubles V = Array(vertices, "vertices");
  if (V.ndim() != 2 || V.shape(1) != 3) WrongShape("vertices", ShapeOf(V), "(n, 3)");
  const Doubles F = Array(faces, "faces");
  if (F.ndim() != 2 || F.shape(1) != 3) WrongShape("faces", ShapeOf(F), "(n, 3), of integers");
  TriangleMesh mesh;
  const double* const numbers = V.data();
  for (py::ssize_t i = 0; i < V.shape(0); ++i) {
    mesh.vertices.emplace_back(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  }
  mesh.faces.resize(static_cast<std::size_t>(F.shape(0)));
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double index = F.data()[3 * f + k];
      if (!(index == std::floor(index) && std::abs(index) < 2147483648.0)) {
        throw InvalidInput(
            fmt::format("faces[{}, {}] is {}; faces must be integers, numbers of vertices from 0",
                        f, k, index));
      }
      mesh.faces[f][k] = static_cast<int>(index);
    }
  }
  return mesh;
}

Rows<Pose> Poses(py::handle value, const char* name) {
  static const Pose identity;
  if (value.is_none()) return {{}, &identity, 0, {}, {}};
  const bool is_pair = PyTuple_Check(value.ptr()) && PyTuple_GET_SIZE(value.ptr()) == 2;
  const Doubles array = is_pair ? Joined(value, name) : Array(value, name);
  const Extents shape = ShapeOf(array);
  const bool matrices =
      shape.size() >= 2 && shape[shape.size() - 1] == 4 && shape[shape.size() - 2] == 4;
  if (matrices) return PosesOfMatrices(array, shape, name);
  if (shape.empty() || shape.back() != 7) {
    WrongShape(name, shape,
               "(..., 7), position and quaternion w, x, y, z, or (..., 4, 4), homogeneous "
               "matrices, or a pair (t, q) of (..., 3) and (..., 4)");
  }
  Rows<Pose> poses;
  poses.shape.assign(shape.begin(), shape.end() - 1);
  poses.stride = poses.shape.empty() ? 0 : 1;
  poses.data = reinterpret_cast<const Pose*>(array.data());
  poses.owner = array;
  CheckPoses(poses, name, shape);
  return poses;
}

Rows<RawTwist> Twists(py::handle value, const char* name) {
  static const RawTwist rest = {};
  if (value.is_none()) return {{}, &rest, 0, {}, {}};
  const Doubles array = Array(value, name);
  const Extents shape = ShapeOf(array);
  if (shape.empty() || shape.back() != 6) {
    WrongShape(name, shape, "(..., 6), the velocity of the origin and the angular velocity");
  }
  ArrayOf(array, name, shape);
  Rows<RawTwist> twists;
  twists.shape.assign(shape.begin(), shape.end() - 1);
  twists.stride = twists.shape.empty() ? 0 : 1;
  twists.data = reinterpret_cast<const RawTwist*>(array.data());
  twists.owner = array;
  return twists;
}

Extents BroadcastShape(const Extents& a, const Extents& b, const char* names) {
  const Extents& longer = a.size() < b.size() ? b : a;
  const Extents& shorter = a.size() < b.size() ? a : b;
  Extents result = longer;
  const std::size_t offset = longer.size() - shorter.size();
  for (std::size_t d = 0; d < shorter.size(); ++d) {
    py::ssize_t& extent = result[offset + d];
    if (extent == 1) extent = shorter[d];
    if (shorter[d] == 1 || shorter[d] == extent) continue;
    throw InvalidInput(fmt::format("{}: leading shapes {} and {} cannot be broadcast together",
                                   names, Text(a), Text(b)));
  }
  const double count = CountOf(result);
  if (count > kMostPoses) {
    throw InvalidInput(fmt::format(
        "{}: leading shapes {} and {} are broadcast to {:.3g} poses; a call takes {:.0e}; pass "
        "fewer at a time",
        names, Text(a), Text(b), count, kMostPoses));
  }
  return result;
}

template <class Row>
void BroadcastTo(const Extents& shape, const char* name, Rows<Row>* rows) {
  if (rows->shape == shape) return;
  const Extents from = rows->shape;
  if (shape.empty() && SizeOf(from) > 1) {
    throw InvalidInput(fmt::format(
        "{}: has the leading shape {}; this call takes one pair of poses: call it for each", name,
        Text(from)));
  }
  if (BroadcastShape(from, shape, name) != shape) {
    throw InvalidInput(fmt::format("{}: its leading shape {} cannot be broadcast to {}", name,
                                   Text(from), Text(shape)));
  }
  rows->shape = shape;
  if (SizeOf(from) == 1) {
    rows->stride = 0;
    return;
  }
  const std::size_t offset = shape.size() - from.size();
  std::vector<Row> made(SizeOf(shape));
  for (std::size_t i = 0; i < made.size(); ++i) {
    std::size_t rest = i, index = 0, step = 1;
    for (std::size_t d = shape.size(); d > offset; --d) {
      const auto extent = static_cast<std::size_t>(shape[d - 1]);
      const auto own = static_cast<std::size_t>(from[d - 1 - offset]);
      index += (own == 1 ? 0 : rest % extent) * step;
      step *= own;
      rest /= extent;
    }
    made[i] = (*rows)[index];
  }
  rows->own = std::move(made);
  rows->data = rows->own.data();
  rows->stride = 1;
}

template void BroadcastTo<Pose>(const Extents&, const char*, Rows<Pose>*);
template void BroadcastTo<RawTwist>(const Extents&, const char*, Rows<RawTwist>*);

}  // namespace volcontact::python
