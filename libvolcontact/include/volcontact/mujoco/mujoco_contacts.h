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
// Forces are added to qfrc_passive in MuJoCo's callback for passive forces. So limits, equality
// constraints and MuJoCo's other contacts see them in the same step. States of contacts continue
// with accepted steps only, and belong to a pair of model and data.
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

/// One side of a contact: a geom by its name, or by its body and its index among the body's geoms;
/// or a whole body, with a solid. MuJoCo's own contact is disabled for the geom, or for all geoms
/// of the body. A plain value.
///
/// A side may also name many geoms. Names may be patterns, in which `*` stands for any text and `?`
/// for one character. Such a contact is one for each pair that MuJoCo itself would let collide (by
/// contype and conaffinity, exclude, and parents), except for pairs that another contact names or
/// an earlier pattern has. Its name is "name/geom/geom", with "body.0" for a geom without a name.
struct MujocoSide {
  std::string geom;  ///< name or pattern; empty: see `body`
  std::string body;  ///< name or pattern, if `geom` is empty
  int index = -1;    ///< of the geom in the body, from 0; -1: the whole body, with `solid`
  /// In the body's frame, instead of the geom's shape.
  std::optional<Solid> solid = {};
  /// Name of a body, if `geom` and `body` are empty: its geoms, and those of all bodies below it.
  std::string subtree = {};
};

/// A stiffness that is chosen for a contact, by the depth at rest of the lighter side (a body with
/// all bodies below it) under its weight, for spheres with the volumes of the shapes. A plain
/// value.
struct MujocoStiffness {
  /// [m]; empty: that of the materials, or without materials a thousandth of the smaller shape's
  /// size.
  std::optional<double> rest_depth = {};
  /// E* of the materials [Pa] (EffectiveModulus).
  double effective_modulus = std::numeric_limits<double>::infinity();
};

/// A contact of a model. A plain value.
struct MujocoContactSpec {
  std::string name;
  MujocoSide a, b;
  ContactParameters parameters;  ///< with the volumetric law
  /// Chosen instead of the law's stiffness; MujocoContacts::Notes has the value.
  std::optional<MujocoStiffness> stiffness = {};
  double tolerance = 1e-6;  ///< of a query, as QueryOptions::tolerance
  /// Not 0: every contact patch (PreparedPair::QueryPatches) is a contact of its own, at most this
  /// many at a time. Does not work with PatchCoulombFriction.
  int most_patches = 0;
  /// Division if the contact goes around a body (ChooseDivision), for the poses in mjModel::qpos0,
  /// and later where it begins to (DivisionFinder::Follow). With patches and PatchCoulombFriction,
  /// kAuto means no division.
  DivisionChoice division = {DivisionChoice::Kind::kAuto};
  /// Repair meshes of geoms that are not closed solids (RepairMesh); MujocoContacts::Notes lists
  /// the changes.
  bool repair_meshes = false;
};

/// Reads a file of contacts (docs/engines.md). Throws InvalidInput that says what is wrong, where
/// in the file, and what to do.
VOLCONTACT_EXPORT std::vector<MujocoContactSpec> ReadMujocoContacts(
    const std::filesystem::path& file);
/// The contacts that the model itself names, in `<custom><text name="volcontact" data="…"/>`: the
/// text of such a file, or the name of one, relative to `folder`. Throws as ReadMujocoContacts
/// does, and if the model has no such text.
VOLCONTACT_EXPORT std::vector<MujocoContactSpec> ReadMujocoContacts(
    const mjModel_* model, const std::filesystem::path& folder = {});

/// The shape of a geom in the frame of its body, as the model has it at the time of the call.
/// Planes are unbounded half-spaces. Meshes are used as they are, without a convex hull. Throws
/// InvalidInput that names the geom for height fields and for meshes that are not closed.
VOLCONTACT_EXPORT Solid SolidOfGeom(const mjModel_* model, int geom);

/// The state of a patch, or of a piece of a divided contact. Other contacts have at most one. A
/// plain value.
struct MujocoPatch {
  ContactGeometry geometry;
  ContactMotion motion;
  ContactState state;
  ContactForce force;  ///< on A; B gets the opposite at the same point
  PatchMark mark;
};

/// A contact at one time. A plain value.
struct MujocoContactMoment {
  double time = 0.0;                 ///< [s]
  std::vector<MujocoPatch> patches;  ///< those that touch
  /// The energy ledger since the start, to second order in the step (docs/engines.md). The
  /// remaining energy of patches is booked when the last of them has ended.
  ContactEnergies energies;
  int touches = 0;              ///< how often contact has been made
  DivisionState division = {};  ///< since the start; number 0 also if it was divided in qpos0
  bool converged = true;        ///< the query reached its tolerance
  /// The solids overlap, but no direction to push is known: one has been inside the other since the
  /// contact began. There is no force.
  bool without_direction = false;

  VOLCONTACT_EXPORT ContactForce
  Total() const;  ///< sum of the forces of all patches, at the point of the largest
};

/// The contacts of one model; they have forces as long as this object lives. Make it after the
/// model has been compiled, and destroy it before the model is deleted. Later changes of sizes and
/// poses of its geoms are not seen.
///
/// If steps are too long for a contact, its forces are those at the end of the step, which create
/// no energy. A warning of MuJoCo says so, once for each law, with the longest step and the cure
/// (docs/engines.md).
///
/// Threads: any number may step different datas of one model, or different models, at the same
/// time. One data belongs to one thread at a time. Objects may be made and destroyed while other
/// models are stepped, but not while a data of the same model is.
class VOLCONTACT_EXPORT MujocoContacts {
 public:
  /// Throws InvalidInput that names the contact and the cure for: unknown names, geoms of one body,
  /// bodies that cannot move against each other, a `pair` element of MuJoCo for such geoms, laws
  /// that need a depth, sensors of unknown quantities, disabled passive forces, a model that has
  /// contacts already, and a MuJoCo library of another version than at compile time.
  MujocoContacts(const mjModel_* model, const std::vector<MujocoContactSpec>& contacts);
  ~MujocoContacts();
  MujocoContacts(MujocoContacts&&) noexcept;
  MujocoContacts& operator=(MujocoContacts&&) noexcept;

  int NumContacts() const;
  /// The index of a contact. Throws InvalidInput for an unknown name, and lists the names.
  int IndexOf(const std::string& name) const;

  /// Notes: the changes of repaired meshes, one line for each geom, the contacts that were divided
  /// by default, and the stiffnesses that were chosen. Empty if there are none.
  const std::vector<std::string>& Notes() const;

  /// A contact when MuJoCo last asked for forces. For Euler's and the implicit method that is the
  /// beginning of the last step, unless mj_forward has been called since. Valid until MuJoCo asks
  /// again. Throws InvalidInput if it never has, and std::runtime_error with the reason if a step
  /// failed, until the data is forgotten.
  const MujocoContactMoment& Last(int contact, const mjData_* data) const;

  /// Copies the states of all contacts, for a data that mj_copyData has copied.
  void CopyState(const mjData_* from, const mjData_* to);
  /// Drops the states of a data, so that contacts begin again. Call it before mj_deleteData,
  /// because another data may get the same address, and when a data is set to an unrelated state at
  /// a later time. An earlier time is noticed.
  void Forget(const mjData_* data);

 private:
  class VOLCONTACT_LOCAL Engine;
  std::unique_ptr<Engine> engine_;
};

VOLCONTACT_NAMESPACE_END
