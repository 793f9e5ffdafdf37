// Values of a simulation as the numbers of its saved state. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include <cstddef>
#include <map>
#include <vector>

#include "volcontact/contact/division.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

using WrenchVector = SimTK::Vector_<SimTK::SpatialVec>;

inline std::vector<double> ToList(const SimTK::Vector& v) {
  std::vector<double> list;
  list.reserve(static_cast<std::size_t>(v.size()));
  for (int i = 0; i < v.size(); ++i) list.push_back(v[i]);
  return list;
}

inline InvalidInput AnotherScenario() {
  return InvalidInput("the saved state belongs to another scenario");
}

inline SimTK::Vector FromList(const std::vector<double>& list, int size) {
  if (static_cast<int>(list.size()) != size) throw AnotherScenario();
  return SimTK::Vector(size, list.data());
}

// Six numbers a body; none where nothing is applied.
inline std::vector<double> ToNumbers(const WrenchVector& wrenches) {
  std::vector<double> list;
  bool applied = false;
  for (int i = 0; i < wrenches.size(); ++i) {
    for (int k = 0; k < 6; ++k) {
      list.push_back(wrenches[i][k / 3][k % 3]);
      applied = applied || list.back() != 0.0;
    }
  }
  return applied ? list : std::vector<double>();
}

inline WrenchVector FromNumbers(const std::vector<double>& list, int bodies) {
  WrenchVector wrenches(bodies, SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0)));
  if (list.empty()) return wrenches;
  if (static_cast<int>(list.size()) != 6 * bodies) throw AnotherScenario();
  for (int i = 0; i < 6 * bodies; ++i) {
    wrenches[i / 6][i % 6 / 3][i % 3] = list[static_cast<std::size_t>(i)];
  }
  return wrenches;
}

// Divisions of contacts, by their places.
using Divisions = std::map<std::size_t, ContactDivision>;

inline std::vector<std::vector<double>> ToNumbers(const Divisions& divisions) {
  std::vector<std::vector<double>> lists;
  for (const auto& [contact, division] : divisions) {
    std::vector<double>& list = lists.emplace_back();
    const DivisionAxis& axis = division.axis;
    list = {static_cast<double>(contact), static_cast<double>(division.sectors),
            axis.of_A ? 1.0 : 0.0};
    list.insert(list.end(), axis.point.data(), axis.point.data() + 3);
    list.insert(list.end(), axis.axis.data(), axis.axis.data() + 3);
  }
  return lists;
}

inline Divisions FromNumbers(const std::vector<std::vector<double>>& lists, std::size_t contacts) {
  Divisions divisions;
  for (const std::vector<double>& list : lists) {
    if (list.size() != 9 || !(list[0] >= 0.0) || !(list[0] < static_cast<double>(contacts)) ||
        !(list[1] >= 3.0) || !(list[1] <= kMostSectors)) {
      throw AnotherScenario();
    }
    ContactDivision& division = divisions[static_cast<std::size_t>(list[0])];
    division.sectors = static_cast<int>(list[1]);
    division.axis.of_A = list[2] != 0.0;
    division.axis.point = {list[3], list[4], list[5]};
    division.axis.axis = {list[6], list[7], list[8]};
  }
  return divisions;
}

// The contact, the way, and the pose of an open contact's last look.
inline std::vector<double> ToNumbers(std::size_t contact, const DivisionState& state) {
  const Pose& X = state.X_seen;
  return {static_cast<double>(contact),
          state.way,
          X.t[0],
          X.t[1],
          X.t[2],
          X.q[0],
          X.q[1],
          X.q[2],
          X.q[3]};
}

// The state of a contact in the lists. A contact that they do not have was never looked at.
inline DivisionState DivisionStateOf(std::size_t contact,
                                     const std::vector<std::vector<double>>& lists) {
  for (const std::vector<double>& list : lists) {
    if (list.size() != 9) throw AnotherScenario();
    if (list[0] != static_cast<double>(contact)) continue;
    return {0, {{list[2], list[3], list[4]}, {list[5], list[6], list[7], list[8]}}, list[1]};
  }
  return {};
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
