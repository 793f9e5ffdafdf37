// Volumetric contact between chosen geoms of a MuJoCo model (https://mujoco.org), instead of
// MuJoCo's own (docs/engines.md).
//
// Component volcontact::mujoco.
//
//   mjModel* m = mj_loadXML("model.xml", nullptr, error, sizeof error);
//   {
//     const MujocoContacts contacts(m, ReadMujocoContacts("contacts.json"));
//     mjData* d = mj_makeData(m);
//     while (d->time < 1.0) mj_step(m, d);
//     …
//   }
//   mj_deleteModel(m);
//
// Forces are added to qfrc_passive in MuJoCo's callback for passive forces, so that limits,
// equality constraints and MuJoCo's other contacts see them in the same step. States of contacts
// go on with accepted steps only, and belong to a pair of model and data.
#pragma once

#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/contact/division.h"
#include "volcontact/contact/patch_tracking.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_energies.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/solids/solid.h"

struct mjModel_;
struct mjData_;

VOLCONTACT_NAMESPACE_BEGIN

/// One side of a contact: a geom by its name, or by its body and its place among the body's geoms;
/// or a whole body, with a solid. MuJoCo's own contact is taken out for the geom, or for all geoms
/// of the body. A plain value.
///
/// Or many geoms: names may be patterns, in which `*` stands for any text and `?` for one
/// character. A contact of many is one for each pair of them that MuJoCo itself would let collide
/// (by contype and conaffinity, exclude, and parents), but for pairs that another contact names, or
/// that an earlier pattern has; its name is "name/geom/geom", with "body.0" for a geom without one.
struct MujocoSide {
  std::string geom;  ///< name or pattern; empty: see `body`
  std::string body;  ///< name or pattern, where `geom` is empty
  int index = -1;    ///< of the geom in the body, from 0; less: all of the body, with `solid`
  /// In the body's frame, instead of the geom's shape.
  std::optional<Solid> solid = {};
  /// Name of a body, where `geom` and `body` are empty: its geoms, and those of all below it.
  std::string subtree = {};
};

/// A stiffness that is chosen for a contact: by the depth at rest of the lighter side, a body with
/// all below it, under its weight, as of spheres of the shapes' volumes. A plain value.
struct MujocoStiffness {
  /// [m]; without it that of the materials, without these a thousandth of the smaller shape's size.
  std::optional<double> rest_depth = {};
  /// E* of the materials [Pa] (EffectiveModulus).
  double effective_modulus = std::numeric_limits<double>::infinity();
};

/// A contact of a model. A plain value.
struct MujocoContactSpec {
  std::string name;
  MujocoSide a, b;
  ContactParameters parameters;  ///< with the volumetric law
  /// Instead of the stiffness that the law has; MujocoContacts::Notes tells which it is.
  std::optional<MujocoStiffness> stiffness = {};
  double tolerance = 1e-6;  ///< of a query, as QueryOptions::tolerance
  /// Not 0: every contact patch (PreparedPair::QueryPatches) is a contact of its own, up to so many
  /// at a time. Does not go with PatchCoulombFriction.
  int most_patches = 0;
  /// Where the contact goes around a body (ChooseDivision), by the places that bodies have in
  /// mjModel::qpos0. kAuto does not go with patches and PatchCoulombFriction, and then is none.
  DivisionChoice division = {DivisionChoice::Kind::kAuto};
  /// Mend meshes of geoms that are no closed solids (RepairMesh); MujocoContacts::Notes tells what
  /// was done.
  bool repair_meshes = false;
};

/// Reads a file of contacts (docs/engines.md). Throws InvalidInput that names the file, the place
/// in it and the cure.
VOLCONTACT_EXPORT std::vector<MujocoContactSpec> ReadMujocoContacts(
    const std::filesystem::path& file);
/// The contacts that the model names itself, in `<custom><text name="volcontact" data="…"/>`: the
/// text of such a file, or the name of one, relative to `folder`. Throws as ReadMujocoContacts, and
/// where the model has no such text.
VOLCONTACT_EXPORT std::vector<MujocoContactSpec> ReadMujocoContacts(
    const mjModel_* model, const std::filesystem::path& folder = {});

/// The shape of a geom in the frame of its body, as the model has it when this is called: planes
/// are half-spaces without bounds; meshes are taken as they are, and not their convex hulls. Throws
/// InvalidInput for height fields and for meshes that are not closed, and names the geom.
VOLCONTACT_EXPORT Solid SolidOfGeom(const mjModel_* model, int geom);

/// What a patch, or a piece of a divided contact, does. Of others there is one at most. A plain
/// value.
struct MujocoPatch {
  ContactGeometry geometry;
  ContactMotion motion;
  ContactState state;
  ContactForce force;  ///< on A; B gets the opposite at the same point
  PatchMark mark;
};

/// What a contact does at one time. A plain value.
struct MujocoContactMoment {
  double time = 0.0;                 ///< [s]
  std::vector<MujocoPatch> patches;  ///< that touch
  /// The books since the start, to second order in the step (docs/engines.md). What patches left
  /// is booked when the last of them has ended.
  ContactEnergies energies;
  int touches = 0;        ///< how often contact has been made
  bool converged = true;  ///< the query reached its tolerance
  /// The solids overlap, but nothing tells where to push: one has been inside the other since the
  /// contact began. There is no force.
  bool without_direction = false;

  VOLCONTACT_EXPORT ContactForce
  Total() const;  ///< forces of all patches added, at the point of the largest
};

/// The contacts of one model, which get their forces as long as this object lives. Made after the
/// model has been compiled, and destroyed before it is deleted; what is changed later in the sizes
/// and places of its geoms is not seen.
///
/// Where steps are too long for a contact, its forces are those at the end of the step, which make
/// no energy, and a warning of MuJoCo says so, once for each law, with the longest step and the
/// cure (docs/engines.md).
///
/// Threads: any number may step different datas of one model, or different models, at the same
/// time. One data is one thread's at a time. Objects may be made and destroyed while others are
/// stepped, but not while a data of the same model is.
class VOLCONTACT_EXPORT MujocoContacts {
 public:
  /// Throws InvalidInput that names the contact and the cure: for unknown names, geoms of one body,
  /// bodies that cannot move against each other, a `pair` element of MuJoCo's for such geoms, laws
  /// that need a depth, sensors of unknown quantities, disabled passive forces, a model that has
  /// contacts already, and a MuJoCo library of another version than this was compiled for.
  MujocoContacts(const mjModel_* model, const std::vector<MujocoContactSpec>& contacts);
  ~MujocoContacts();
  MujocoContacts(MujocoContacts&&) noexcept;
  MujocoContacts& operator=(MujocoContacts&&) noexcept;

  int NumContacts() const;
  /// The index of a contact. Throws InvalidInput for an unknown name, and lists the names.
  int IndexOf(const std::string& name) const;

  /// What was done to meshes that were mended, one line for each geom, which contacts were divided
  /// on their own account, and which stiffnesses were chosen; empty where nothing was.
  const std::vector<std::string>& Notes() const;

  /// What a contact did when MuJoCo last asked for forces: of Euler's and the implicit method at
  /// the beginning of the last step, unless mj_forward has been called since. Valid until it asks
  /// again. Throws InvalidInput where it never has, and std::runtime_error with what went wrong in
  /// a step, until the data is forgotten.
  const MujocoContactMoment& Last(int contact, const mjData_* data) const;

  /// Copies the states of all contacts, for a data that mj_copyData has copied.
  void CopyState(const mjData_* from, const mjData_* to);
  /// Drops the states of a data: contacts begin anew. To be called before mj_deleteData, as another
  /// data may come to lie at its address, and where a data is set to an unrelated state at a later
  /// time. An earlier time is noticed.
  void Forget(const mjData_* data);

 private:
  class VOLCONTACT_LOCAL Engine;
  std::unique_ptr<Engine> engine_;
};

VOLCONTACT_NAMESPACE_END
