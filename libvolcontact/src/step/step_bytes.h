// Plain values as bytes, for a pipe between two processes of one program.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "step/step_solid.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Appends what it is given.
class StepPacker {
 public:
  std::string bytes;

  void Raw(void* data, std::size_t count) { bytes.append(static_cast<const char*>(data), count); }
};

/// Fills in what it is given, in the same order. Throws std::runtime_error at the end of the bytes.
class StepUnpacker {
 public:
  explicit StepUnpacker(std::string bytes) : bytes_(std::move(bytes)) {}

  void Raw(void* data, std::size_t count) {
    if (count > bytes_.size() - at_) throw std::runtime_error("the answer ends early");
    std::memcpy(data, bytes_.data() + at_, count);
    at_ += count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// One list of a value's members serves both ways.

template <class Archive, class Number>
requires(std::is_arithmetic_v<Number> || std::is_enum_v<Number>) void Pass(Archive* archive,
                                                                           Number* value) {
  archive->Raw(value, sizeof(Number));
}

template <class Archive, int kRows, int kColumns>
void Pass(Archive* archive, Eigen::Matrix<double, kRows, kColumns>* matrix) {
  archive->Raw(matrix->data(), sizeof(double) * static_cast<std::size_t>(matrix->size()));
}

template <class Archive>
void Pass(Archive* archive, std::array<int, 3>* triangle) {
  archive->Raw(triangle->data(), sizeof(*triangle));
}

template <class Archive>
void Pass(Archive* archive, StepPoint* point) {
  Pass(archive, &point->p);
  Pass(archive, &point->inside);
}

template <class Archive>
void Pass(Archive* archive, std::string* text) {
  std::size_t size = text->size();
  Pass(archive, &size);
  text->resize(size);
  archive->Raw(text->data(), size);
}

template <class Archive>
void Pass(Archive* archive, StepFace* face);

template <class Archive>
void Pass(Archive* archive, StepInstance* instance);

template <class Archive, class Item>
void Pass(Archive* archive, std::vector<Item>* list) {
  std::size_t size = list->size();
  Pass(archive, &size);
  list->resize(size);
  for (Item& item : *list) Pass(archive, &item);
}

template <class Archive>
void Pass(Archive* archive, std::set<int>* numbers) {
  std::vector<int> list(numbers->begin(), numbers->end());
  Pass(archive, &list);
  *numbers = {list.begin(), list.end()};
}

template <class Archive>
void Pass(Archive* archive, StepFace* face) {
  Pass(archive, &face->surface);
  Pass(archive, &face->origin);
  Pass(archive, &face->axes);
  Pass(archive, &face->radius);
  Pass(archive, &face->minor);
  Pass(archive, &face->quadric);
  Pass(archive, &face->inside);
  Pass(archive, &face->inner);
  Pass(archive, &face->samples);
  Pass(archive, &face->neighbours);
  Pass(archive, &face->numbers);
}

template <class Archive>
void Pass(Archive* archive, StepInstance* instance) {
  Pass(archive, &instance->name);
  Pass(archive, &instance->solid);
  Pass(archive, &instance->X_FS.t);
  for (double& component : instance->X_FS.q) Pass(archive, &component);
}

template <class Archive>
void Pass(Archive* archive, StepSolid* solid) {
  Pass(archive, &solid->faces);
  Pass(archive, &solid->separators);
  Pass(archive, &solid->bounds.min);
  Pass(archive, &solid->bounds.max);
  Pass(archive, &solid->mass.volume);
  Pass(archive, &solid->mass.centroid);
  Pass(archive, &solid->mass.inertia);
  Pass(archive, &solid->mass.doubt);
  Pass(archive, &solid->gap);
}

template <class Archive>
void Pass(Archive* archive, TriangleMesh* mesh) {
  Pass(archive, &mesh->vertices);
  Pass(archive, &mesh->faces);
  Pass(archive, &mesh->deviations);
}

template <class Archive>
void Pass(Archive* archive, StepMesh* mesh) {
  Pass(archive, &mesh->mesh);
  Pass(archive, &mesh->origins);
}

}  // namespace volcontact
