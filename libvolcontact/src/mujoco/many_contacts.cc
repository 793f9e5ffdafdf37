#include "mujoco/many_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "mujoco/model_shapes.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using GeomPair = std::pair<int, int>;

// A star stands for any text, which is longer by one character at each try.
bool Matches(std::string_view pattern, std::string_view name) {
  std::size_t at = 0, star = std::string_view::npos, from = 0;
  for (std::size_t n = 0; n < name.size();) {
    if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == name[n]) &&
        pattern[at] != '*') {
      ++at, ++n;
    } else if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      from = n;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

bool IsOfMany(const MujocoSide& side) {
  if (!side.subtree.empty() || IsPattern(side.geom)) return true;
  return side.geom.empty() && IsPattern(side.body);
}

bool IsBelow(const mjModel* model, int body, int ancestor) {
  while (body != ancestor && body != 0) body = model->body_parentid[body];
  return body == ancestor;
}

// Whether a geom is one of those that a side names.
bool IsOneOf(const mjModel* model, const MujocoSide& side, int subtree, int geom) {
  const int body = model->geom_bodyid[geom];
  if (!side.geom.empty()) return Matches(side.geom, NameOf(model, mjOBJ_GEOM, geom));
  if (subtree >= 0) return IsBelow(model, body, subtree);
  if (!Matches(side.body, NameOf(model, mjOBJ_BODY, body))) return false;
  return side.index < 0 || geom == model->body_geomadr[body] + side.index;
}

std::vector<int> GeomsOf(const mjModel* model, const MujocoSide& side) {
  if (!IsOfMany(side)) return FindGeoms(model, side);
  if (side.solid.has_value()) {
    throw InvalidInput("a solid replaces one shape; name one geom, or one body, with it");
  }
  const int subtree = side.subtree.empty() ? -1 : FindBody(model, side.subtree);
  std::vector<int> geoms;
  for (int geom = 0; geom < model->ngeom; ++geom) {
    if (IsOneOf(model, side, subtree, geom)) geoms.push_back(geom);
  }
  if (!geoms.empty()) return geoms;
  const std::string& name =
      !side.geom.empty() ? side.geom : (!side.subtree.empty() ? side.subtree : side.body);
  throw InvalidInput(fmt::format("the model has no geom that \"{}\" names; correct it", name));
}

bool IsExcluded(const mjModel* model, int body_A, int body_B) {
  const auto [low, high] = Ordered(body_A, body_B);
  const int signature = ((low + 1) << 16) + high + 1;
  return std::find(model->exclude_signature, model->exclude_signature + model->nexclude,
                   signature) != model->exclude_signature + model->nexclude;
}

// MuJoCo leaves out parents and their children, but for what is fixed to the world.
bool AreParentAndChild(const mjModel* model, int weld_A, int weld_B) {
  if ((model->opt.disableflags & mjDSBL_FILTERPARENT) != 0 || weld_A == 0 || weld_B == 0) {
    return false;
  }
  const auto parent = [model](int weld) { return model->body_weldid[model->body_parentid[weld]]; };
  return parent(weld_A) == weld_B || parent(weld_B) == weld_A;
}

// Whether MuJoCo would let two geoms collide.
bool MayCollide(const mjModel* model, int a, int b) {
  const int body_A = model->geom_bodyid[a], body_B = model->geom_bodyid[b];
  const int weld_A = model->body_weldid[body_A], weld_B = model->body_weldid[body_B];
  const bool is_masked = (model->geom_contype[a] & model->geom_conaffinity[b]) == 0 &&
                         (model->geom_contype[b] & model->geom_conaffinity[a]) == 0;
  return weld_A != weld_B && !is_masked && !IsExcluded(model, body_A, body_B) &&
         !AreParentAndChild(model, weld_A, weld_B);
}

MujocoSide SideOf(const mjModel* model, int geom) {
  MujocoSide side;
  side.geom = NameOf(model, mjOBJ_GEOM, geom);
  const int body = model->geom_bodyid[geom];
  side.body = NameOf(model, mjOBJ_BODY, body);
  side.index = geom - model->body_geomadr[body];
  return side;
}

std::string ShortName(const MujocoSide& side) {
  return side.geom.empty() ? fmt::format("{}.{}", side.body, side.index) : side.geom;
}

// Adds the pairs of a contact of many that are not taken, and takes them.
void AddPairs(const mjModel* model, const MujocoContactSpec& spec, std::set<GeomPair>* taken,
              std::vector<MujocoContactSpec>* all) {
  const std::vector<int> geoms_A = GeomsOf(model, spec.a), geoms_B = GeomsOf(model, spec.b);
  const std::size_t before = all->size();
  bool has_taken = false;
  for (const int a : geoms_A) {
    for (const int b : geoms_B) {
      if (a == b || !MayCollide(model, a, b)) continue;
      if (!taken->insert(Ordered(a, b)).second) {
        has_taken = true;
        continue;
      }
      MujocoContactSpec one = spec;
      if (IsOfMany(spec.a)) one.a = SideOf(model, a);
      if (IsOfMany(spec.b)) one.b = SideOf(model, b);
      one.name = fmt::format("{}/{}/{}", spec.name, ShortName(SideOf(model, a)),
                             ShortName(SideOf(model, b)));
      all->push_back(std::move(one));
    }
  }
  if (all->size() > before || has_taken) return;
  throw InvalidInput(
      "MuJoCo lets none of its pairs of geoms collide, because of contype and conaffinity, "
      "exclude, or because nothing moves between them; change the model, or name other geoms");
}

}  // namespace

bool IsPattern(const std::string& name) { return name.find_first_of("*?") != std::string::npos; }

std::vector<MujocoContactSpec> OnePairEach(const mjModel* model,
                                           const std::vector<MujocoContactSpec>& specs) {
  const auto is_of_many = [](const MujocoContactSpec& spec) {
    return IsOfMany(spec.a) || IsOfMany(spec.b);
  };
  std::vector<MujocoContactSpec> all;
  std::set<GeomPair> taken;
  for (const MujocoContactSpec& spec : specs) {
    if (is_of_many(spec)) continue;
    ForContact(spec, [&] {
      for (const int a : GeomsOf(model, spec.a)) {
        for (const int b : GeomsOf(model, spec.b)) taken.insert(Ordered(a, b));
      }
    });
  }
  for (const MujocoContactSpec& spec : specs) {
    ForContact(spec, [&] {
      is_of_many(spec) ? AddPairs(model, spec, &taken, &all) : all.push_back(spec);
    });
  }
  return all;
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
