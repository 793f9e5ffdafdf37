#include "io/scad/scad_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {

std::string ScadSource::Place(std::size_t offset) const {
  return fmt::format("{}: {}", origin, LineAndColumn(text, offset));
}

void ScadSource::Fail(std::size_t offset, const std::string& what) const {
  throw InvalidInput(Place(offset) + ": " + what);
}

ScadArguments::ScadArguments(const ScadStatement& statement, const ScadSource& source,
                             std::span<const std::string_view> parameters)
    : statement_(statement), source_(source) {
  constexpr std::string_view kIgnored[] = {"$fa", "$fs", "convexity"};
  std::size_t position = 0;
  for (const ScadArgument& argument : statement.arguments) {
    std::string_view name = argument.name;
    if (name.empty()) {
      if (position == parameters.size()) {
        source.Fail(argument.value.offset, statement.name + "() has too many arguments");
      }
      name = parameters[position++];
    } else if (name == "$fn") {
      if (const double* fn = std::get_if<double>(&argument.value.data)) fn_ = *fn;
      continue;
    } else if (std::ranges::find(kIgnored, name) != std::end(kIgnored)) {
      continue;
    } else if (std::ranges::find(parameters, name) == parameters.end()) {
      source.Fail(argument.value.offset,
                  fmt::format("{}() has no parameter {}{}; its parameters: {}", statement.name,
                              Quoted(name), Suggestion(name, parameters), Listed(parameters)));
    }
    if (!values_.emplace(name, &argument.value).second) {
      source.Fail(
          argument.value.offset,
          fmt::format("parameter {} of {}() is given twice; keep one", name, statement.name));
    }
  }
}

const ScadValue* ScadArguments::Find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : found->second;
}

double ScadArguments::Number(const ScadValue& value, std::string_view name) const {
  const double* number = std::get_if<double>(&value.data);
  if (!number || !std::isfinite(*number)) {
    source_.Fail(value.offset,
                 fmt::format("{} of {}() must be a finite number", name, statement_.name));
  }
  return *number;
}

const std::vector<ScadValue>& ScadArguments::Vector(const ScadValue& value, std::size_t size,
                                                    std::string_view name) const {
  const auto* items = std::get_if<std::vector<ScadValue>>(&value.data);
  if (!items || items->size() != size) {
    source_.Fail(value.offset,
                 fmt::format("{} of {}() must have {} items", name, statement_.name, size));
  }
  return *items;
}

double ScadArguments::NumberOr(std::string_view name, double otherwise) const {
  const ScadValue* value = Find(name);
  return value ? Number(*value, name) : otherwise;
}

bool ScadArguments::BoolOr(std::string_view name, bool otherwise) const {
  const ScadValue* value = Find(name);
  if (!value) return otherwise;
  const bool* flag = std::get_if<bool>(&value->data);
  if (!flag) {
    source_.Fail(value->offset,
                 fmt::format("{} of {}() must be true or false", name, statement_.name));
  }
  return *flag;
}

std::array<bool, 3> ScadArguments::Flags3Or(std::string_view name, bool otherwise) const {
  const ScadValue* value = Find(name);
  if (!value) return {otherwise, otherwise, otherwise};
  const auto flag = [&](const ScadValue& one) {
    const bool* truth = std::get_if<bool>(&one.data);
    return truth ? *truth : Number(one, name) != 0.0;
  };
  if (!std::holds_alternative<std::vector<ScadValue>>(value->data)) {
    return {flag(*value), flag(*value), flag(*value)};
  }
  const auto& items = Vector(*value, 3, name);
  return {flag(items[0]), flag(items[1]), flag(items[2])};
}

Eigen::Vector3d ScadArguments::Vector3Or(std::string_view name, double otherwise) const {
  const ScadValue* value = Find(name);
  if (!value) return Eigen::Vector3d::Constant(otherwise);
  if (std::holds_alternative<double>(value->data)) {
    return Eigen::Vector3d::Constant(Number(*value, name));
  }
  const auto& items = Vector(*value, 3, name);
  return {Number(items[0], name), Number(items[1], name), Number(items[2], name)};
}

Eigen::Vector2d ScadArguments::Vector2Or(std::string_view name, double otherwise) const {
  const ScadValue* value = Find(name);
  if (!value) return Eigen::Vector2d::Constant(otherwise);
  if (std::holds_alternative<double>(value->data)) {
    return Eigen::Vector2d::Constant(Number(*value, name));
  }
  const auto& items = Vector(*value, 2, name);
  return {Number(items[0], name), Number(items[1], name)};
}

bool ScadArguments::IsGiven(std::string_view name) const {
  const ScadValue* value = Find(name);
  return value && !std::holds_alternative<std::monostate>(value->data);
}

Eigen::Matrix4d ScadArguments::Matrix4(std::string_view name) const {
  const ScadValue* value = Find(name);
  if (!value) source_.Fail(statement_.offset, statement_.name + "() needs a matrix of 4 rows");
  Eigen::Matrix4d matrix;
  const auto& rows = Vector(*value, 4, name);
  for (int i = 0; i < 4; ++i) {
    const auto& row = Vector(rows[i], 4, name);
    for (int j = 0; j < 4; ++j) matrix(i, j) = Number(row[j], name);
  }
  return matrix;
}

const std::vector<ScadValue>& ScadArguments::Items(const ScadValue* value,
                                                   std::string_view name) const {
  const auto* items = value ? std::get_if<std::vector<ScadValue>>(&value->data) : nullptr;
  if (!items) {
    source_.Fail(value ? value->offset : statement_.offset,
                 fmt::format("{}() needs a vector of vectors {}", statement_.name, name));
  }
  return *items;
}

std::vector<Eigen::Vector3d> ScadArguments::Points(std::string_view name) const {
  std::vector<Eigen::Vector3d> points;
  for (const ScadValue& item : Items(Find(name), name)) {
    const auto& point = Vector(item, 3, name);
    points.emplace_back(Number(point[0], name), Number(point[1], name), Number(point[2], name));
  }
  return points;
}

std::vector<Eigen::Vector2d> ScadArguments::Points2(std::string_view name) const {
  std::vector<Eigen::Vector2d> points;
  for (const ScadValue& item : Items(Find(name), name)) {
    const auto& point = Vector(item, 2, name);
    points.emplace_back(Number(point[0], name), Number(point[1], name));
  }
  return points;
}

std::vector<std::vector<int>> ScadArguments::IndexLists(std::string_view name) const {
  constexpr double kLargestIndex = 1e9;
  std::vector<std::vector<int>> lists;
  for (const ScadValue& item : Items(Find(name), name)) {
    std::vector<int>& list = lists.emplace_back();
    for (const ScadValue& entry : Items(&item, name)) {
      const double index = Number(entry, name);
      if (!(index >= 0.0 && index < kLargestIndex && index == std::floor(index))) {
        source_.Fail(entry.offset, fmt::format("{} of {}() must be vertex numbers, from 0", name,
                                               statement_.name));
      }
      list.push_back(static_cast<int>(index));
    }
  }
  return lists;
}

}  // namespace volcontact
