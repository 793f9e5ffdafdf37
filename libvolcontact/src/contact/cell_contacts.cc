#include "volcontact/contact/cell_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>
#include <utility>

#include "math/rigid.h"
#include "volcontact/contact/cells.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

std::vector<Aabb> BoundsOf(const std::vector<Solid>& cells, std::string_view name) {
  if (cells.empty()) {
    throw InvalidInput(
        fmt::format("CellContacts: the list {} is empty; give at least one solid", name));
  }
  std::vector<Aabb> bounds;
  bounds.reserve(cells.size());
  for (const Solid& cell : cells) bounds.push_back(cell.Bounds());
  return bounds;
}

std::vector<Aabb> Transformed(const std::vector<Aabb>& boxes_B, const Rigid& X_AB) {
  std::vector<Aabb> boxes_A;
  boxes_A.reserve(boxes_B.size());
  for (const Aabb& box : boxes_B) boxes_A.push_back(Transformed(box, X_AB));
  return boxes_A;
}

// The normal that the pair had; zero if it was not in contact.
Eigen::Vector3d NormalOf(const CellPair& cells, const std::vector<CellContact>& contacts) {
  const auto found = std::ranges::lower_bound(contacts, cells, std::less<>(), &CellContact::cells);
  if (found == contacts.end() || found->cells != cells) return Eigen::Vector3d::Zero();
  return found->metrics.normal_W;
}

void RequireAscending(const std::vector<CellPair>& pairs, std::string_view name) {
  const auto fault = std::adjacent_find(
      pairs.begin(), pairs.end(), [](const CellPair& l, const CellPair& r) { return !(l < r); });
  if (fault == pairs.end()) return;
  const CellPair& next = *(fault + 1);
  throw InvalidInput(
      fmt::format("Compare: in the list {} the pair ({}, {}) follows ({}, {}); pairs must ascend, "
                  "without repeats",
                  name, next.a, next.b, fault->a, fault->b));
}

}  // namespace

CellContacts::CellContacts(const Solid& A, const Solid& B)
    : CellContacts(DisjointCells(A), DisjointCells(B)) {}

CellContacts::CellContacts(const std::vector<Solid>& cells_A, const std::vector<Solid>& cells_B)
    : bounds_A_(BoundsOf(cells_A, "cells_A")), bounds_B_(BoundsOf(cells_B, "cells_B")) {
  pairs_.reserve(cells_A.size() * cells_B.size());
  for (const Solid& a : cells_A) {
    for (const Solid& b : cells_B) pairs_.emplace_back(a, b);
  }
}

std::vector<CellContact> CellContacts::Find(const Pose& X_WA, const Pose& X_WB,
                                            const QueryOptions& options,
                                            const std::vector<CellContact>& previous) const {
  ValidatePose(X_WA, "pose of A");
  ValidatePose(X_WB, "pose of B");
  const Rigid X_AB = RelativePose(X_WA, X_WB);
  // Boxes are compared along the axes of either frame: each frame sees gaps the other does not.
  const std::vector<Aabb> B_in_A = Transformed(bounds_B_, X_AB);
  const std::vector<Aabb> A_in_B = Transformed(bounds_A_, X_AB.Inverse());
  QueryOptions pair_options = options;
  pair_options.bound_distance = false;
  std::vector<CellContact> contacts;
  for (int a = 0; a < NumCellsA(); ++a) {
    for (int b = 0; b < NumCellsB(); ++b) {
      if (Intersect(bounds_A_[a], B_in_A[b]).IsEmpty()) continue;
      if (Intersect(bounds_B_[b], A_in_B[a]).IsEmpty()) continue;
      pair_options.previous_normal_W = NormalOf({a, b}, previous);
      Metrics metrics = pairs_[a * bounds_B_.size() + b].Query(X_WA, X_WB, pair_options);
      if (metrics.overlap) contacts.push_back({{a, b}, std::move(metrics)});
    }
  }
  return contacts;
}

std::vector<CellPair> PairsOf(const std::vector<CellContact>& contacts) {
  std::vector<CellPair> pairs;
  pairs.reserve(contacts.size());
  for (const CellContact& contact : contacts) pairs.push_back(contact.cells);
  return pairs;
}

CellPairChanges Compare(const std::vector<CellPair>& previous,
                        const std::vector<CellPair>& current) {
  RequireAscending(previous, "previous");
  RequireAscending(current, "current");
  CellPairChanges changes;
  std::set_difference(current.begin(), current.end(), previous.begin(), previous.end(),
                      std::back_inserter(changes.created));
  std::set_intersection(previous.begin(), previous.end(), current.begin(), current.end(),
                        std::back_inserter(changes.kept));
  std::set_difference(previous.begin(), previous.end(), current.begin(), current.end(),
                      std::back_inserter(changes.lost));
  return changes;
}

VOLCONTACT_NAMESPACE_END
