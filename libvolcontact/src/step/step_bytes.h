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

template <class Archive, class... Values>
void PassAll(Archive* archive, Values*... values) {
  (Pass(archive, values), ...);
}

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
  PassAll(archive, &point->p, &point->inside);
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
  PassAll(archive, &face->surface, &face->origin, &face->axes, &face->radius, &face->minor,
          &face->quadric, &face->inside, &face->inner, &face->samples, &face->neighbours,
          &face->numbers);
}

template <class Archive>
void Pass(Archive* archive, StepInstance* instance) {
  PassAll(archive, &instance->name, &instance->solid, &instance->X_FS.t);
  for (double& component : instance->X_FS.q) Pass(archive, &component);
}

template <class Archive>
void Pass(Archive* archive, StepSolid* solid) {
  PassAll(archive, &solid->faces, &solid->separators, &solid->bounds.min, &solid->bounds.max,
          &solid->mass.volume, &solid->mass.centroid, &solid->mass.inertia, &solid->mass.doubt,
          &solid->gap);
}

template <class Archive>
void Pass(Archive* archive, TriangleMesh* mesh) {
  PassAll(archive, &mesh->vertices, &mesh->faces, &mesh->deviations);
}

template <class Archive>
void Pass(Archive* archive, StepMesh* mesh) {
  PassAll(archive, &mesh->mesh, &mesh->origins);
}

}  // namespace volcontact
