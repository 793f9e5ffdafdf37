// The contacts of one model, as MuJoCo's callbacks see them.
#pragma once

#include <mujoco/mujoco.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "mujoco/contact_sensors.h"
#include "mujoco/data_track.h"
#include "mujoco/model_shapes.h"
#include "mujoco/passive/contact_track.h"
#include "mujoco/passive/step_limits.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// What was made of a MujocoContactSpec.
struct GeomContact {
  std::string name;
  int body_A, body_B;
  ContactTrack track;
  StepLimits limits;
  std::size_t law;  ///< the first contact that has the same
};

/// Any number of threads, each with a data of its own.
class ModelContacts {
 public:
  /// Throws InvalidInput as MujocoContacts.
  ModelContacts(const mjModel* model, const std::vector<MujocoContactSpec>& specs);

  const mjModel* model() const { return model_; }
  const std::vector<GeomContact>& contacts() const { return contacts_; }

  const std::vector<std::string>& notes() const { return notes_; }

  /// Whether MuJoCo's own contact of two geoms is taken out.
  bool Replaces(int geom1, int geom2) const;
  /// Evaluates all contacts and adds their forces to qfrc_passive. What goes wrong is kept for
  /// Last, and told as a warning of MuJoCo: exceptions cannot pass through its frames. So is a step
  /// that is too long for a contact, once for each law.
  void AddForces(mjData* data) noexcept;
  /// Writes the user sensors of a stage.
  void FillSensors(mjData* data, int stage) noexcept;

  const MujocoContactMoment& Last(int contact, const mjData* data) const;
  void CopyState(const mjData* from, const mjData* to);
  void Forget(const mjData* data);

 private:
  DataTrack* TrackOf(const mjData* data);
  void AddContact(const MujocoContactSpec& given);
  ContactDivision DivisionOf(const MujocoContactSpec& spec, const FoundSide& A, const FoundSide& B);
  void Evaluate(mjData* data, DataTrack* track);
  bool GoesOn(const mjData* data, const DataMoment* last) const;
  std::vector<StepPatch> PatchesOf(const mjData* data, std::vector<TrackStep>* steps) const;
  std::vector<TrackStep> StepsOf(const mjData* data, const DataMoment* last) const;
  void Push(mjData* data, const StepPatch& patch) const;
  bool IsTooFast(const mjData* data, const std::vector<TrackStep>& steps, bool is_followed,
                 const std::vector<StepPatch>& patches) const;
  std::vector<SteppedPairState> PushToTheEnd(mjData* data, const DataMoment* last,
                                             const std::vector<TrackStep>& steps) const;
  // Of the patches what IsFollowed says.
  void WarnOfLongSteps(const mjData* data, bool is_followed, const std::vector<StepPatch>& patches,
                       DataTrack* track);
  std::string StepFault(double time, std::size_t contact, bool is_followed,
                        std::span<const StepPatch> patches, DataTrack* track) const;

  const mjModel* model_;
  std::vector<GeomContact> contacts_;
  std::vector<std::string> notes_;  // of meshes that were mended, and divisions
  struct DeleteData {
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjData, DeleteData> start_;  // where bodies are in qpos0, while contacts are made
  std::vector<bool> has_replaced_;             // by geom
  std::vector<std::pair<int, int>> replaced_;  // ascending, the lesser geom first
  std::vector<ContactSensor> sensors_;
  std::unique_ptr<std::atomic<bool>[]> has_warned_;  // by law
  mutable std::mutex mutex_;  // of the map; each track is its data's thread's
  std::unordered_map<const mjData*, std::unique_ptr<DataTrack>> tracks_;
};

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
