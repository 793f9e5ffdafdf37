// Prepared pairs and their queries.
#include <pybind11/stl.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "interruptible.h"
#include "metrics_array.h"
#include "pair.h"
#include "pickled.h"
#include "query_options.h"
#include "volcontact/contact/cell_contacts.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact::python {
namespace {

struct PosePairs {
  Rows<Pose> X_WA, X_WB;
  Extents shape;
};

PosePairs PairsOf(py::handle X_WA, py::handle X_WB) {
  PosePairs poses = {Poses(X_WA, "X_WA"), Poses(X_WB, "X_WB"), {}};
  if (poses.X_WA.shape.empty() && poses.X_WB.shape.empty()) return poses;
  poses.shape = BroadcastShape(poses.X_WA.shape, poses.X_WB.shape, "X_WA and X_WB");
  BroadcastTo(poses.shape, "X_WA", &poses.X_WA);
  BroadcastTo(poses.shape, "X_WB", &poses.X_WB);
  return poses;
}

PosePairs SinglePair(py::handle X_WA, py::handle X_WB, const char* what) {
  PosePairs poses = PairsOf(X_WA, X_WB);
  if (poses.shape.empty()) return poses;
  throw InvalidInput(std::string(what) +
                     " takes one pair of poses, not X_WA and X_WB with the "
                     "leading shape " +
                     Text(poses.shape));
}

// One element after the other in memory.
const Pose* Spread(Rows<Pose>* rows, std::size_t count) {
  if (rows->stride == 0 && count != 1) {
    rows->own.assign(count, rows->data[0]);
    rows->data = rows->own.data();
    rows->stride = 1;
  }
  return rows->data;
}

bool HasTexts(const Metrics& metrics) {
  return !metrics.warnings.empty() || !metrics.stats.fallback.empty();
}

void QueryOne(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB,
              const QueryOptions& options, MetricsArray* to) {
  const py::gil_scoped_release release;
  const Metrics metrics = pair.Query(X_WA, X_WB, options);
  to->Set(0, metrics, X_WA, X_WB);
  if (HasTexts(metrics)) to->AddTexts(0, metrics);
}

// A batch that Control-C, or what `progress` raised, ended.
struct BatchInterrupted {};

// What a batch that ran out of time does not know of a pose.
Metrics Unasked(const QueryOptions& options) {
  Metrics metrics;
  metrics.volume = std::nan("");
  metrics.undecided = true;
  metrics.converged = false;
  metrics.tolerance = options.tolerance;
  return metrics;
}

// From this many on a batch runs in a thread of its own, which takes some 30 µs, so that Control-C
// ends it.
constexpr std::size_t kLongBatch = 1000;

// Queries one pose after the other while the calling thread tells how far it is.
void QueryWatched(const PreparedPair& pair, std::size_t count, const Pose* X_WA, const Pose* X_WB,
                  const QueryArguments& arguments, const PreparedPair::TakeMetrics& take) {
  std::atomic<std::size_t> done = 0;
  const auto tell = [&] {
    if (arguments.progress.ptr() != nullptr) arguments.progress(done.load(), count);
  };
  RunInterruptibly(
      [&](const auto& stop) {
        return pair.QueryEach(count, X_WA, X_WB, arguments.options,
                              [&](std::size_t i, const Metrics& metrics) {
                                if (stop()) throw BatchInterrupted();
                                take(i, metrics);
                                ++done;
                              });
      },
      tell);
  tell();
}

void QueryMany(const PreparedPair& pair, PosePairs* poses, const QueryArguments& arguments,
               MetricsArray* to) {
  const std::size_t count = SizeOf(poses->shape);
  const Pose* const X_WA = Spread(&poses->X_WA, count);
  const Pose* const X_WB = Spread(&poses->X_WB, count);
  if (std::isfinite(arguments.options.max_seconds)) {
    const Metrics unasked = Unasked(arguments.options);
    for (std::size_t i = 0; i < count; ++i) to->Set(i, unasked, X_WA[i], X_WB[i]);
  }
  std::mutex texts;
  const auto take = [&](std::size_t i, const Metrics& metrics) {
    to->Set(i, metrics, X_WA[i], X_WB[i]);
    if (!HasTexts(metrics)) return;
    const std::lock_guard<std::mutex> lock(texts);
    to->AddTexts(i, metrics);
  };
  if (count >= kLongBatch || arguments.progress.ptr() != nullptr) {
    QueryWatched(pair, count, X_WA, X_WB, arguments, take);
  } else {
    const py::gil_scoped_release release;
    pair.QueryEach(count, X_WA, X_WB, arguments.options, take);
  }
}

void Fill(const PreparedPair& pair, PosePairs* poses, const QueryArguments& arguments,
          MetricsArray* to) {
  if (poses->shape.empty()) {
    QueryOne(pair, poses->X_WA[0], poses->X_WB[0], arguments.options, to);
  } else {
    QueryMany(pair, poses, arguments, to);
  }
}

py::object Query(const Pair& self, py::handle X_WA, py::handle X_WB, const py::kwargs& given) {
  const QueryArguments arguments = ReadQueryOptions(given, true);
  PosePairs poses = PairsOf(X_WA, X_WB);
  if (arguments.out.ptr() == nullptr) {
    auto metrics = std::make_unique<MetricsArray>(poses.shape, arguments.options.hessian);
    metrics->pair = self.shared_from_this();
    Fill(self.prepared, &poses, arguments, metrics.get());
    return py::cast(std::move(metrics));
  }
  if (!py::isinstance<MetricsArray>(arguments.out)) {
    throw py::type_error("out: a Metrics is needed, the result of an earlier query");
  }
  MetricsArray& out = arguments.out.cast<MetricsArray&>();
  if (out.shape() != poses.shape) {
    throw InvalidInput("out has shape " + Text(out.shape()) + "; the poses need " +
                       Text(poses.shape));
  }
  out.Reset(arguments.options.hessian);
  out.pair = self.shared_from_this();
  Fill(self.prepared, &poses, arguments, &out);
  return arguments.out;
}

MetricsArray ListOf(const std::vector<Metrics>& all, const PosePairs& poses, bool hessian) {
  MetricsArray metrics({static_cast<py::ssize_t>(all.size())}, hessian);
  for (std::size_t i = 0; i < all.size(); ++i) {
    metrics.Set(i, all[i], poses.X_WA[0], poses.X_WB[0]);
    if (HasTexts(all[i])) metrics.AddTexts(i, all[i]);
  }
  return metrics;
}

MetricsArray Patches(const Pair& self, py::handle X_WA, py::handle X_WB, const py::kwargs& given) {
  const QueryOptions options = ReadQueryOptions(given).options;
  const PosePairs poses = SinglePair(X_WA, X_WB, "patches");
  std::vector<Metrics> patches;
  {
    const py::gil_scoped_release release;
    patches = self.prepared.QueryPatches(poses.X_WA[0], poses.X_WB[0], options);
  }
  return ListOf(patches, poses, options.hessian);
}

// Those of all poses, one after the other, and the place where each pose's begin.
py::tuple PatchesOfEach(const Pair& self, py::handle X_WA, py::handle X_WB,
                        const py::kwargs& given) {
  const QueryOptions options = ReadQueryOptions(given).options;
  PosePairs poses = PairsOf(X_WA, X_WB);
  if (poses.shape.size() != 1) {
    throw InvalidInput(
        "patches_of_each takes a list of n poses, not X_WA and X_WB with the shape " +
        Text(poses.shape) + "; patches takes one pair of poses");
  }
  const std::size_t count = SizeOf(poses.shape);
  const Pose *const A = Spread(&poses.X_WA, count), *const B = Spread(&poses.X_WB, count);
  std::vector<std::vector<Metrics>> found(count);
  RunInterruptibly([&](const auto& stop) {
    for (std::size_t i = 0; i < count && !stop(); ++i) {
      found[i] = self.prepared.QueryPatches(A[i], B[i], options);
    }
  });
  py::array_t<std::int64_t> first(static_cast<py::ssize_t>(count + 1));
  first.mutable_at(0) = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<py::ssize_t>(i);
    first.mutable_at(place + 1) = first.at(place) + static_cast<std::int64_t>(found[i].size());
  }
  MetricsArray metrics({first.at(static_cast<py::ssize_t>(count))}, options.hessian);
  std::size_t to = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (const Metrics& patch : found[i]) {
      metrics.Set(to, patch, A[i], B[i]);
      if (HasTexts(patch)) metrics.AddTexts(to, patch);
      ++to;
    }
  }
  return py::make_tuple(std::move(metrics), first);
}

py::tuple CellContactsOf(const CellContacts& self, py::handle X_WA, py::handle X_WB,
                         const py::kwargs& given) {
  const QueryOptions options = ReadQueryOptions(given).options;
  const PosePairs poses = SinglePair(X_WA, X_WB, "cell contacts");
  std::vector<CellContact> contacts;
  {
    const py::gil_scoped_release release;
    contacts = self.Find(poses.X_WA[0], poses.X_WB[0], options);
  }
  std::vector<Metrics> metrics;
  py::array_t<int> cells({static_cast<py::ssize_t>(contacts.size()), py::ssize_t{2}});
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    metrics.push_back(contacts[i].metrics);
    cells.mutable_at(static_cast<py::ssize_t>(i), 0) = contacts[i].cells.a;
    cells.mutable_at(static_cast<py::ssize_t>(i), 1) = contacts[i].cells.b;
  }
  return py::make_tuple(cells, ListOf(metrics, poses, options.hessian));
}

// A function of one pair of poses for each of them, in the shape of the poses.
template <class Number, class Function>
py::object ForEach(py::handle X_WA, py::handle X_WB, const Function& function) {
  const PosePairs poses = PairsOf(X_WA, X_WB);
  py::array_t<Number> result(poses.shape);
  Number* const to = result.mutable_data();
  const std::size_t count = SizeOf(poses.shape);
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) to[i] = function(poses.X_WA[i], poses.X_WB[i]);
  }
  if (poses.shape.empty()) return py::cast(*to);
  return std::move(result);
}

py::tuple SeparationOf(const Pair& self, py::handle X_WA, py::handle X_WB) {
  const PosePairs poses = PairsOf(X_WA, X_WB);
  Extents shape = poses.shape;
  Doubles bound(shape);
  shape.insert(shape.end(), {2, 3});
  Doubles nearest(shape);
  double* const to = bound.mutable_data();
  double* points = nearest.mutable_data();
  const std::size_t count = SizeOf(poses.shape);
  {
    const py::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) {
      const Separation found = self.prepared.Separate(poses.X_WA[i], poses.X_WB[i]);
      to[i] = found.distance_bound;
      for (std::size_t body = 0; body < 2; ++body) {
        for (int k = 0; k < 3; ++k) {
          *points++ = found.nearest_W ? (*found.nearest_W)[body][k] : std::nan("");
        }
      }
    }
  }
  if (poses.shape.empty()) return py::make_tuple(*to, nearest);
  return py::make_tuple(bound, nearest);
}

py::tuple SamplesOf(const Pair& self, py::handle X_WA, py::handle X_WB, py::handle about,
                    const py::kwargs& given) {
  const QueryOptions options = ReadQueryOptions(given).options;
  const PosePairs poses = SinglePair(X_WA, X_WB, "samples");
  SampleAxis axis;
  if (!about.is_none()) {
    if (!PySequence_Check(about.ptr()) || py::len(about) != 2) {
      throw py::type_error("about: a pair (point, direction) is needed");
    }
    const py::object pair = py::reinterpret_borrow<py::object>(about);
    axis = {Vector3(pair[py::int_(0)], "about[0], the point"),
            Vector3(pair[py::int_(1)], "about[1], the direction")};
  }
  std::vector<VolumeSample> samples;
  {
    const py::gil_scoped_release release;
    const PreparedPair& pair = self.prepared;
    samples = about.is_none() ? pair.SampleVolume(poses.X_WA[0], poses.X_WB[0], options)
                              : pair.SampleVolumeAbout(axis, poses.X_WA[0], poses.X_WB[0], options);
  }
  const auto count = static_cast<py::ssize_t>(samples.size());
  py::array_t<double> points({count, py::ssize_t{3}}), volumes(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    const VolumeSample& sample = samples[static_cast<std::size_t>(i)];
    for (py::ssize_t k = 0; k < 3; ++k) points.mutable_at(i, k) = sample.point_W[k];
    volumes.mutable_at(i) = sample.volume;
  }
  return py::make_tuple(points, volumes);
}

py::dict MassOf(const Solid& solid, const py::kwargs& given) {
  const QueryOptions options = ReadQueryOptions(given).options;
  MassProperties mass;
  {
    const py::gil_scoped_release release;
    mass = ComputeMassProperties(solid, options);
  }
  const auto vector = [](const Eigen::Vector3d& v) { return py::array_t<double>(3, v.data()); };
  const auto matrix = [](const Eigen::Matrix3d& m) {
    py::array_t<double> rows({3, 3});
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) rows.mutable_at(i, j) = m(i, j);
    }
    return rows;
  };
  py::dict result;
  result["volume"] = mass.volume;
  result["volume_bounds"] = py::none();
  if (mass.volume_bounds) result["volume_bounds"] = py::cast(*mass.volume_bounds);
  result["volume_error"] = mass.volume_error;
  result["centroid"] = vector(mass.centroid_W);
  result["inertia"] = matrix(mass.inertia_W);
  result["principal_moments"] = vector(mass.principal_moments);
  result["principal_axes"] = matrix(mass.principal_axes);
  result["converged"] = mass.converged;
  result["method"] = MethodName(mass.method);
  result["warnings"] = py::cast(mass.warnings);
  return result;
}

std::shared_ptr<Pair> MakePair(const Solid& A, const Solid& B) {
  const py::gil_scoped_release release;
  return std::make_shared<Pair>(A, B);
}

using PairType = py::class_<Pair, std::shared_ptr<Pair>>;

void BindDistances(PairType* type) {
  type->def(
      "distance",
      [](const Pair& self, py::handle X_WA, py::handle X_WB) {
        return ForEach<double>(X_WA, X_WB, [&](const Pose& a, const Pose& b) {
          return self.prepared.DistanceBound(a, b);
        });
      },
      py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
      "Lower bound of the distance [m], shape (...); 0 where the solids touch or overlap.");
  type->def("separation", &SeparationOf, py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
            "That bound, shape (...), with a point of A and one of B about as near as any, "
            "(..., 2, 3), NaN where none are known [m].");
  type->def(
      "_overlap_proof",
      [](const Pair& self, py::handle X_WA, py::handle X_WB) {
        return ForEach<std::int8_t>(X_WA, X_WB, [&](const Pose& a, const Pose& b) {
          const OverlapProof proof = self.prepared.Overlaps(a, b);
          return static_cast<std::int8_t>(proof == OverlapProof::kOverlap     ? 1
                                          : proof == OverlapProof::kSeparated ? -1
                                                                              : 0);
        });
      },
      py::arg("X_WA"), py::arg("X_WB"),
      "1 where the interiors were proved to meet, -1 where not to, else 0; int8, shape (...).");
  type->def(
      "event",
      [](const Pair& self, py::handle X_WA, py::handle X_WB) {
        return ForEach<double>(X_WA, X_WB, [&](const Pose& a, const Pose& b) {
          return self.prepared.EventFunction(a, b);
        });
      },
      py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
      "Continuous through first contact [m], shape (...): the distance bound, or minus the cube "
      "root of the volume.");
}

}  // namespace

void BindPairs(py::module_* module) {
  module->def("_check_poses", [](py::handle X, const char* name) { Poses(X, name); });
  module->def("_mass_properties", &MassOf, py::arg("solid"));
  PairType type(*module, "PreparedPair",
                "Two solids made ready for many queries. Immutable: threads may share one.");
  type.def(py::init(&MakePair), py::arg("a"), py::arg("b"));
  type.def_readonly("a", &Pair::A, "The solid A.");
  type.def_readonly("b", &Pair::B, "The solid B.");
  type.def("query", &Query, py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
           R"(The metrics of the overlap of A and B at poses in the world.

Poses are arrays (..., 7), (..., 4, 4), or pairs (t, q); leading dimensions broadcast, and all fields
of the returned Metrics have them. None, or no pose, is the identity. Options, with their defaults: tolerance=1e-6,
threads=1 (of one query, or over a batch), hessian=False, method='auto', certify=False,
bracket_width=0, max_cells=2000000, max_seconds, bound_distance=True, bound_volume=True, contact_area=True, check_hessian=True, voxel_size, previous_normal (3,), and
out, a Metrics of the right shape that is filled and returned, and progress(done, total). Releases the interpreter's lock.)");
  type.def(
      "patches", &Patches, py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
      "The metrics of each contact patch, largest first, of shape (n,), for one pair of poses. "
      "Options as of query.");
  type.def("patches_of_each", &PatchesOfEach, py::arg("X_WA") = py::none(),
           py::arg("X_WB") = py::none(),
           "The patches of n pairs of poses: their metrics, of shape (m,), pose after pose, and "
           "offsets (n + 1,): those of pose i are metrics[offsets[i]:offsets[i + 1]]. Options as "
           "of query.");
  type.def("samples", &SamplesOf, py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
           py::arg("about") = py::none(),
           R"(A quadrature of the overlap: points (n, 3) [m] and their volumes (n,) [m^3], in W.

about=(point, direction) takes columns along that line, for functions that are smooth around it.)");
  BindDistances(&type);
  type.def(py::pickle([](const Pair& self) { return py::make_tuple(self.A, self.B); },
                      [](const py::tuple& state) {
                        return FromPickle("PreparedPair", state, 2, [&] {
                          return MakePair(state[0].cast<Solid>(), state[1].cast<Solid>());
                        });
                      }));
  py::class_<CellContacts, std::shared_ptr<CellContacts>>(
      *module, "CellContacts",
      "Two solids as disjoint cells: every pair of cells that overlap is a contact of its own.")
      .def(py::init<const std::vector<Solid>&, const std::vector<Solid>&>(), py::arg("cells_a"),
           py::arg("cells_b"))
      .def("query", &CellContactsOf, py::arg("X_WA") = py::none(), py::arg("X_WB") = py::none(),
           "Indices of the cells in contact (n, 2), and their Metrics of shape (n,), for one pair "
           "of poses. Options as of PreparedPair.query.");
}

}  // namespace volcontact::python
