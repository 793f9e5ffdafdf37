// From a tree of outlines to a tree of solids.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "io/outlines/outline.h"
#include "io/outlines/polygon_formula.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// No solid at all, or one.
using MaybeSolid = std::optional<Solid>;

/// A solid, or everything (true) or nothing (false) of the space that matters.
using TernarySolid = std::variant<Solid, bool>;

/// All parts (conjunction) or any.
inline TernarySolid Combined(bool conjunction, const std::vector<TernarySolid>& parts) {
  std::vector<Solid> solids;
  for (const TernarySolid& part : parts) {
    if (const bool* truth = std::get_if<bool>(&part)) {
      if (*truth != conjunction) return *truth;
    } else {
      solids.push_back(std::get<Solid>(part));
    }
  }
  if (solids.empty()) return conjunction;
  if (solids.size() == 1) return solids.front();
  return conjunction ? Intersection(std::move(solids)) : Union(std::move(solids));
}

inline TernarySolid Without(const TernarySolid& part) {
  if (const bool* truth = std::get_if<bool>(&part)) return !*truth;
  return Complement(std::get<Solid>(part));
}

/// The formula of a polygon with solids for its edges: `side(edge)`.
template <class Side>
TernarySolid OfFormula(const PolygonFormula& formula, const Side& side) {
  if (formula.edge >= 0) return side(formula.edge);
  std::vector<TernarySolid> parts;
  for (const PolygonFormula& part : formula.parts) parts.push_back(OfFormula(part, side));
  return Combined(formula.conjunction, parts);
}

/// The tree with solids for its discs and polygons: `leaf(outline)`.
template <class Leaf>
TernarySolid OfOutline(const Outline& outline, const Leaf& leaf) {
  using Kind = Outline::Kind;
  if (outline.kind == Kind::kDisc || outline.kind == Kind::kPolygon) return leaf(outline);
  std::vector<TernarySolid> parts;
  for (const Outline& part : outline.parts) {
    const TernarySolid solid = OfOutline(part, leaf);
    const bool cut = outline.kind == Kind::kDifference && !parts.empty();
    parts.push_back(cut ? Without(solid) : solid);
  }
  if (parts.empty()) return false;
  return Combined(outline.kind != Kind::kUnion, parts);
}

}  // namespace volcontact
