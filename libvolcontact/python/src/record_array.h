// Results of many elements, by field: records in one block of memory, of which Python sees each
// field as an array without a copy.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "input.h"
#include "pickled.h"
#include "volcontact/math/error.h"

namespace volcontact::python {

/// The types that fields have.
enum class FieldType { kReal, kInteger, kTruth };

/// A field of a record: an array of `dims` numbers at an offset.
struct Field {
  const char* name;
  FieldType type;
  std::size_t offset;
  Extents dims;
  const char* doc;
};

/// Records of one shape; a single one, of shape (), needs no memory of its own. Record must be
/// trivial: what is not set is not initialised.
template <class Record>
class RecordArray {
 public:
  static_assert(std::is_trivially_copyable_v<Record>);

  RecordArray() = default;
  explicit RecordArray(Extents shape) : shape_(std::move(shape)) {
    RequireRoom(shape_, sizeof(Record), "results");
    if (!shape_.empty()) many_.reset(new Record[SizeOf(shape_)]);
  }

  const Extents& shape() const { return shape_; }
  std::size_t size() const { return SizeOf(shape_); }
  Record* data() { return many_ ? many_.get() : &one_; }
  const Record* data() const { return many_ ? many_.get() : &one_; }

 private:
  Extents shape_;
  Record one_;
  std::unique_ptr<Record[]> many_;
};

/// Writes a vector into a field of a record.
inline void Copy(const Eigen::Vector3d& v, double* to) { std::copy(v.data(), v.data() + 3, to); }

inline py::dtype DtypeOf(FieldType type) {
  switch (type) {
    case FieldType::kReal:
      return py::dtype::of<double>();
    case FieldType::kInteger:
      return py::dtype::of<std::int64_t>();
    default:
      return py::dtype::of<bool>();
  }
}

/// One field of all records, as an array that shares their memory and keeps `owner` alive; a number
/// where there is one record and one number.
template <class Record>
py::object FieldOf(py::handle owner, RecordArray<Record>* records, const Field& field) {
  char* const first = reinterpret_cast<char*>(records->data()) + field.offset;
  if (records->shape().empty() && field.dims.empty()) {
    switch (field.type) {
      case FieldType::kReal:
        return py::float_(*reinterpret_cast<const double*>(first));
      case FieldType::kInteger:
        return py::int_(*reinterpret_cast<const std::int64_t*>(first));
      default:
        return py::bool_(*reinterpret_cast<const bool*>(first));
    }
  }
  const py::dtype dtype = DtypeOf(field.type);
  Extents shape = records->shape(), strides(shape.size() + field.dims.size());
  shape.insert(shape.end(), field.dims.begin(), field.dims.end());
  py::ssize_t stride = dtype.itemsize();
  for (std::size_t d = shape.size(); d > records->shape().size(); --d) {
    strides[d - 1] = stride;
    stride *= shape[d - 1];
  }
  stride = sizeof(Record);
  for (std::size_t d = records->shape().size(); d > 0; --d) {
    strides[d - 1] = stride;
    stride *= shape[d - 1];
  }
  return py::array(dtype, shape, strides, first, owner);
}

/// The records at some places, in the shape of the places.
template <class Record>
RecordArray<Record> Taken(const RecordArray<Record>& from,
                          const py::array_t<std::int64_t, py::array::c_style>& places) {
  RecordArray<Record> taken(ShapeOf(places));
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto place = static_cast<std::size_t>(places.data()[i]);
    if (place >= from.size()) throw py::index_error("a place beyond the last record");
    taken.data()[i] = from.data()[place];
  }
  return taken;
}

/// All of it as bytes, and back.
template <class Record>
py::tuple StateOf(const RecordArray<Record>& records) {
  return py::make_tuple(records.shape(), py::bytes(reinterpret_cast<const char*>(records.data()),
                                                   records.size() * sizeof(Record)));
}
/// A byte that is neither 0 nor 1 is no truth value, and reading it as one has no meaning.
inline void RequireTruths(const std::string& bytes, std::size_t size_of_record,
                          const std::vector<Field>& fields) {
  for (const Field& field : fields) {
    if (field.type != FieldType::kTruth) continue;
    for (std::size_t at = field.offset; at < bytes.size(); at += size_of_record) {
      if (static_cast<unsigned char>(bytes[at]) > 1) {
        throw InvalidInput("a pickled result is damaged");
      }
    }
  }
}

template <class Record>
RecordArray<Record> FromState(const Extents& shape, const py::bytes& state,
                              const std::vector<Field>& fields) {
  RecordArray<Record> records(shape);
  const std::string bytes = state;
  if (bytes.size() != records.size() * sizeof(Record)) {
    throw InvalidInput("a pickled result is not of this version of volcontact");
  }
  RequireTruths(bytes, sizeof(Record), fields);
  std::memcpy(static_cast<void*>(records.data()), bytes.data(), bytes.size());
  return records;
}

/// Adds read access to the fields, `shape`, `_take` and pickling to the class of an array of
/// records.
template <class Record>
void BindRecords(py::class_<RecordArray<Record>>* type, const std::vector<Field>& fields) {
  using Array = RecordArray<Record>;
  py::list names;
  for (const Field& field : fields) {
    names.append(field.name);
    type->def_property_readonly(
        field.name,
        [field](const py::object& self) { return FieldOf(self, &self.cast<Array&>(), field); },
        field.doc);
  }
  type->attr("fields") = py::tuple(names);
  type->def_property_readonly(
      "shape", [](const Array& self) { return py::tuple(py::cast(self.shape())); },
      "The leading shape that all fields have; () of a single one.");
  type->def("_take", &Taken<Record>);
  type->def(py::pickle([](const Array& self) { return StateOf(self); },
                       [fields](const py::tuple& state) {
                         return FromPickle("results", state, 2, [&] {
                           return FromState<Record>(state[0].cast<Extents>(),
                                                    state[1].cast<py::bytes>(), fields);
                         });
                       }));
}

}  // namespace volcontact::python
