#include "metrics_array.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace volcontact::python {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// By rows.
template <class Matrix>
void CopyRows(const Matrix& m, double* to) {
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) *to++ = m(i, j);
  }
}

void SetDerivatives(const Metrics& metrics, DerivativesRecord* record) {
  if (!metrics.hessian_W) {
    std::fill_n(record->hessian, 36, kNaN);
    std::fill_n(record->centroid, 18, kNaN);
    std::fill_n(record->inertia, 54, kNaN);
    return;
  }
  CopyRows(*metrics.hessian_W, record->hessian);
  CopyRows(*metrics.centroid_derivative_W, record->centroid);
  for (int k = 0; k < 6; ++k) {
    CopyRows((*metrics.inertia_derivative_W)[static_cast<std::size_t>(k)], record->inertia + 9 * k);
  }
}

#define VC_FIELD(member, type, ...) \
#member, FieldType::type, offsetof(MetricsRecord, member), Extents __VA_ARGS__

const std::vector<Field>& MetricsFields() {
  static const std::vector<Field> fields = {
      {VC_FIELD(overlap, kTruth, {}), "Whether the solids overlap: bool, shape (...)."},
      {VC_FIELD(undecided, kTruth, {}),
       "Whether effort or time ended before that was known: then V is the middle of its bracket: "
       "bool, shape (...)."},
      {VC_FIELD(volume, kReal, {}), "V [m^3], shape (...)."},
      {VC_FIELD(volume_bounds, kReal, {2}),
       "Certified bracket of V [m^3], shape (..., 2); 0 and infinity where there is none."},
      {VC_FIELD(volume_error, kReal, {}), "Estimated absolute error of V [m^3], shape (...)."},
      {VC_FIELD(centroid, kReal, {3}), "Centroid of the overlap in W [m], shape (..., 3)."},
      {VC_FIELD(inertia, kReal, {3, 3}),
       "Inertia about the centroid at unit density in W [m^5], shape (..., 3, 3)."},
      {VC_FIELD(normal, kReal, {3}),
       "Unit contact normal from B toward A, the eigenvector of the inertia nearest the area "
       "vector, shape (..., 3)."},
      {VC_FIELD(area_normal, kReal, {3}),
       "Unit vector along the area vector, shape (..., 3); 0 if that is below rounding."},
      {VC_FIELD(area_vector, kReal, {3}),
       "a [m^2], shape (..., 3): moving A by d changes V by -a.d."},
      {VC_FIELD(area_moment, kReal, {3}),
       "m [m^3], shape (..., 3): turning A by w about the centroid changes V by -m.w."},
      {VC_FIELD(contact_area, kReal, {}),
       "Area of the projection along the normal [m^2], shape (...)."},
      {VC_FIELD(mean_height, kReal, {}), "V over the contact area [m], shape (...)."},
      {VC_FIELD(gyration_radius, kReal, {}),
       "Radius of gyration about the normal [m], shape (...)."},
      {"distance_lower_bound",
       FieldType::kReal,
       offsetof(MetricsRecord, distance),
       {},
       "Lower bound of the distance without overlap [m], shape (...); NaN where it is not known."},
      {VC_FIELD(distance, kReal, {}),
       "distance_lower_bound by its old name, for one version, shape (...)."},
      {VC_FIELD(nearest, kReal, {2, 3}),
       "A point of A and one of B about as near as any, in W [m], shape (..., 2, 3); NaN where "
       "none "
       "are known."},
      {VC_FIELD(converged, kTruth, {}), "Whether the tolerance was reached: bool, shape (...)."},
      {VC_FIELD(tolerance, kReal, {}), "Relative tolerance as asked for, shape (...)."},
      {VC_FIELD(cells, kInteger, {}), "Octree cells classified: int64, shape (...)."},
      {VC_FIELD(leaves, kInteger, {}),
       "Pieces summed, see the C++ Statistics: int64, shape (...)."},
      {VC_FIELD(edges, kInteger, {}), "Pieces of edges summed: int64, shape (...)."},
      {VC_FIELD(seconds, kReal, {}), "Wall time inside the library [s], shape (...)."},
      {VC_FIELD(threads, kInteger, {}), "Threads allowed for one query: int64, shape (...)."},
      {VC_FIELD(origins, kReal, {2, 3}),
       "Origins of A's and of B's frame in W [m], shape (..., 2, 3): what gradients refer to."},
  };
  return fields;
}

#undef VC_FIELD

// The name of one method, or an array of names.
py::object MethodNames(const MetricsArray& self) {
  if (self.shape().empty()) return py::str(MethodName(static_cast<Method>(self.data()->method)));
  py::list names;
  for (std::size_t i = 0; i < self.size(); ++i) {
    names.append(MethodName(static_cast<Method>(self.data()[i].method)));
  }
  const py::module_ numpy = py::module_::import("numpy");
  return numpy.attr("array")(names, "U11").attr("reshape")(py::cast(self.shape()));
}

// The number of each method must be one of a method; those of old results are brought up to date.
void ReadMethods(MetricsArray* metrics) {
  for (std::size_t i = 0; i < metrics->size(); ++i) {
    std::int64_t& number = metrics->data()[i].method;
    const std::optional<Method> method = MethodOfNumber(number);
    if (!method) throw InvalidInput("a pickled result has an unknown method");
    number = static_cast<std::int64_t>(*method);
  }
}

py::dict TextsOf(const MetricsArray& self) {
  py::dict texts;
  for (const auto& [i, text] : self.texts) {
    texts[py::int_(i)] = py::make_tuple(text.warnings, text.fallback);
  }
  return texts;
}

py::tuple MetricsState(const MetricsArray& self) {
  const py::tuple records = StateOf<MetricsRecord>(self);
  py::object derivatives = py::none();
  if (self.has_derivatives()) derivatives = StateOf(self.derivatives())[1];
  return py::make_tuple(records[0], records[1], derivatives, TextsOf(self));
}

}  // namespace

MetricsArray MetricsFromState(const py::tuple& state) {
  const Extents shape = state[0].cast<Extents>();
  MetricsArray metrics(
      FromState<MetricsRecord>(shape, state[1].cast<py::bytes>(), MetricsFields()));
  ReadMethods(&metrics);
  if (!state[2].is_none()) {
    metrics.derivatives_ = std::make_unique<RecordArray<DerivativesRecord>>(
        FromState<DerivativesRecord>(shape, state[2].cast<py::bytes>(), {}));
  }
  for (const auto& [place, texts] : state[3].cast<py::dict>()) {
    const py::tuple both = texts.cast<py::tuple>();
    if (place.cast<std::size_t>() >= metrics.size()) {
      throw InvalidInput("a pickled result has texts of none of its queries");
    }
    metrics.texts[place.cast<std::size_t>()] = {both[0].cast<std::vector<std::string>>(),
                                                both[1].cast<std::string>()};
  }
  return metrics;
}

MetricsArray::MetricsArray(Extents shape, bool derivatives) : RecordArray(std::move(shape)) {
  Reset(derivatives);
}

void MetricsArray::Reset(bool derivatives) {
  texts.clear();
  if (!derivatives) {
    derivatives_.reset();
  } else if (derivatives_ == nullptr) {
    derivatives_ = std::make_unique<RecordArray<DerivativesRecord>>(shape());
  }
}

void MetricsArray::Set(std::size_t i, const Metrics& metrics, const Pose& X_WA, const Pose& X_WB) {
  MetricsRecord& r = data()[i];
  r.volume = metrics.volume;
  r.volume_bounds[0] = metrics.volume_bounds ? (*metrics.volume_bounds)[0] : 0.0;
  r.volume_bounds[1] = metrics.volume_bounds ? (*metrics.volume_bounds)[1] : kInfinity;
  r.volume_error = metrics.volume_error;
  Copy(metrics.centroid_W, r.centroid);
  CopyRows(metrics.inertia_W, r.inertia);
  Copy(metrics.normal_W, r.normal);
  Copy(metrics.area_normal_W, r.area_normal);
  Copy(metrics.area_vector_W, r.area_vector);
  Copy(metrics.area_moment_W, r.area_moment);
  r.contact_area = metrics.contact_area;
  r.mean_height = metrics.mean_height;
  r.gyration_radius = metrics.gyration_radius;
  r.distance = metrics.distance.value_or(kNaN);
  if (metrics.nearest_W) {
    Copy((*metrics.nearest_W)[0], r.nearest);
    Copy((*metrics.nearest_W)[1], r.nearest + 3);
  } else {
    std::fill_n(r.nearest, 6, kNaN);
  }
  r.tolerance = metrics.tolerance;
  r.seconds = metrics.stats.seconds;
  Copy(X_WA.t, r.origins);
  Copy(X_WB.t, r.origins + 3);
  r.cells = metrics.stats.cells;
  r.leaves = metrics.stats.leaves;
  r.edges = metrics.stats.edges;
  r.threads = metrics.stats.threads;
  r.method = static_cast<std::int64_t>(metrics.method);
  r.overlap = metrics.overlap;
  r.undecided = metrics.undecided;
  r.converged = metrics.converged;
  if (derivatives_ != nullptr) SetDerivatives(metrics, derivatives_->data() + i);
}

void MetricsArray::AddTexts(std::size_t i, const Metrics& metrics) {
  texts[i] = {metrics.warnings, metrics.stats.fallback};
}

MetricsArray MetricsArray::Take(const py::array_t<std::int64_t, py::array::c_style>& places) const {
  MetricsArray taken(Taken<MetricsRecord>(*this, places));
  if (has_derivatives()) {
    taken.derivatives_ =
        std::make_unique<RecordArray<DerivativesRecord>>(Taken(*derivatives_, places));
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto found = texts.find(static_cast<std::size_t>(places.data()[i]));
    if (found != texts.end()) taken.texts[i] = found->second;
  }
  taken.pair = pair;
  return taken;
}

Metrics MetricsOf(const MetricsArray& array, std::size_t i) {
  using Vector = Eigen::Map<const Eigen::Vector3d>;
  using RowMatrix = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;
  const MetricsRecord& r = array.data()[i];
  Metrics metrics;
  metrics.overlap = r.overlap;
  metrics.undecided = r.undecided;
  metrics.volume = r.volume;
  metrics.centroid_W = Vector(r.centroid);
  metrics.inertia_W = RowMatrix(r.inertia);
  metrics.normal_W = Vector(r.normal);
  metrics.area_normal_W = Vector(r.area_normal);
  metrics.area_vector_W = Vector(r.area_vector);
  metrics.area_moment_W = Vector(r.area_moment);
  metrics.contact_area = r.contact_area;
  metrics.mean_height = r.mean_height;
  metrics.gyration_radius = r.gyration_radius;
  metrics.converged = r.converged;
  if (!array.has_derivatives()) return metrics;
  const DerivativesRecord& d = array.derivatives().data()[i];
  if (d.hessian[0] != d.hessian[0]) return metrics;
  metrics.hessian_W = Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>>(d.hessian);
  metrics.centroid_derivative_W =
      Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>(d.centroid);
  metrics.inertia_derivative_W.emplace();
  for (std::size_t k = 0; k < 6; ++k) {
    (*metrics.inertia_derivative_W)[k] = RowMatrix(d.inertia + 9 * k);
  }
  return metrics;
}

void BindMetrics(py::module_* module) {
  py::class_<MetricsArray> type(*module, "Metrics",
                                "The metrics of overlaps, by field, in the world frame W. Arrays "
                                "share the memory of this object.");
  py::list names;
  for (const Field& field : MetricsFields()) {
    names.append(field.name);
    type.def_property_readonly(
        field.name,
        [field](const py::object& self) {
          RecordArray<MetricsRecord>* const records = self.cast<MetricsArray*>();
          return FieldOf(self, records, field);
        },
        field.doc);
  }
  names.append("method");
  type.attr("fields") = py::tuple(names);
  type.def_property_readonly("method", &MethodNames,
                             "Method that answered: str, or an array of them, shape (...).");
  type.def_property_readonly(
      "shape", [](const MetricsArray& self) { return py::tuple(py::cast(self.shape())); },
      "Leading shape of all fields; () of a single query.");
  type.def_property_readonly("_texts", &TextsOf);
  type.def("_take", &MetricsArray::Take);
  type.def(py::pickle(&MetricsState, [](const py::tuple& state) {
    return FromPickle("Metrics", state, 4, [&] { return MetricsFromState(state); });
  }));
  BindMetricsDerivatives(&type);
}

}  // namespace volcontact::python
