// The force element that Simbody calls: pairs of bodies, and slots for their contacts.
#pragma once

#include <SimTKsimbody.h>

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "simbody/pair_geometry.h"
#include "simbody/patch_slots.h"
#include "simbody/step_path.h"
#include "volcontact/simbody/simbody_contact.h"
#include "volcontact/simbody/simbody_contact_set.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// What an element is made of.
struct ElementParts {
  struct Shape {
    SimTK::MobilizedBody body;
    ShapeExtent extent;
  };
  struct Pair {
    int a = 0, b = 0;  ///< shapes
    std::shared_ptr<const ContactModel> model;
    std::shared_ptr<const PairGeometry> geometry;
  };
  std::vector<Shape> shapes;
  std::vector<Pair> pairs;
  int num_slots = 1;
};

/// The discrete variable of an element, as of the last accepted step.
struct ElementMemory {
  SlotLatches latches;
  double time = std::numeric_limits<double>::quiet_NaN();  ///< of the motions; NaN: there are none
  std::vector<BodyInstant> motions;                        ///< of the shapes
  std::vector<int> made;                                   ///< slots of contacts that began with it
  double greatest_force = 0.0;  ///< sum of normal forces, at the end of any step so far [N]
};

/// What all contacts do in one state.
struct ElementMoment {
  std::vector<SlotEvaluation> patches;  ///< those that touch, by pairs
  ContactEvaluation none;               ///< what is known of an element without any
  /// Positive while contacts are as the memory has them; it falls through zero where one is made or
  /// lost. Continuous there but for kLeastGap.
  double witness = std::numeric_limits<double>::infinity();
  std::vector<BodyInstant> motions;  ///< of the shapes
  std::vector<PairLook> looks;       ///< of pairs that were looked at, ascending
};

/// A contact whose states are variables, between two mobilized bodies.
struct ActiveContact {
  int body_A = 0, body_B = 0;
  int first_z = 0;     ///< the place of its first variable in the state's z
  int num_states = 0;  ///< of these, from the first on, on which its force depends
};

/// A pair that touches, or has until the step that ends here.
struct TouchingPair {
  int pair = 0, slot = 0;  ///< and its slot that holds least
  double held = 0.0;   ///< in its springs [J]; negative: it has given back more than it has taken.
                       ///< Along an eigenvector the law does, and it counts as nothing.
  double power = 0.0;  ///< of its force [W]
  SimTK::MobilizedBody A, B;
  SimTK::Vec3 point;  ///< in the ground
  /// The direction of its force, as wrenches about the bodies' origins, for a force of one.
  SimTK::SpatialVec on_A = SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0));
  SimTK::SpatialVec on_B = SimTK::SpatialVec(SimTK::Vec3(0), SimTK::Vec3(0));
};

class ContactElement : public SimTK::Force::Custom::Implementation {
 public:
  /// `has_events`: the witness is asked for.
  ContactElement(SimTK::GeneralForceSubsystem* forces, ElementParts parts, bool has_events);

  void realizeTopology(SimTK::State& state) const override;
  void calcForce(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>& body_forces,
                 SimTK::Vector_<SimTK::Vec3>&, SimTK::Vector&) const override;
  double calcPotentialEnergy(const SimTK::State& state) const override;
  void realizeAcceleration(const SimTK::State& state) const override;

  /// Brings the memory up to date at the end of a step, as Simbody does at the start of the next.
  void Latch(SimTK::State* state) const;
  double Witness(const SimTK::State& state) const { return MomentOf(state).witness; }
  /// When the next step is to end at the latest, so that it does not pass over the force of a
  /// contact that it begins with. Realizes.
  double NextStop(const SimTK::State& state) const;

  /// How the geometry is found from now on. A state that is copied keeps it.
  void SetSight(Sight sight, SimTK::State* state) const;
  /// What pairs were looked at last, and whether all that overlap are known to second order there:
  /// to be put back where steps begin anew from there.
  const std::vector<PairLook>& LooksOf(const SimTK::State& state) const {
    return MomentOf(state).looks;
  }
  static bool AreSecondOrder(const std::vector<PairLook>& looks);
  void PutLooks(std::vector<PairLook> looks, const SimTK::State& state) const;
  /// Of contacts that there are.
  void AddActiveContacts(const SimTK::State& state, std::vector<ActiveContact>* contacts) const;
  /// Whether such a place has one of these, touching or not; false for energies and for others'.
  bool HasState(const SimTK::State& state, int place) const;

  /// At the end of a step, or within: of the contacts that it began with. Stage::Dynamics.
  std::vector<TouchingPair> TouchingPairs(const SimTK::State& state) const;
  /// To what a slot's spring holds [J].
  void AddElasticEnergy(int slot, double energy, SimTK::State* state) const;

  const std::vector<ElementParts::Shape>& shapes() const { return parts_.shapes; }
  const ElementMoment& MomentOf(const SimTK::State& state) const;
  const SlotLatches& LatchesOf(const SimTK::State& state) const;
  ContactEnergies Energies(const SimTK::State& state) const;
  double StoredEnergy(const SimTK::State& state) const;
  double GreatestForce(const SimTK::State& state) const { return MemoryOf(state).greatest_force; }
  std::vector<PairLinearization> Linearize(const SimTK::State& state) const;

  bool Begin(SimTK::State* state, const std::optional<FrictionState>& friction) const;
  void SetErrorWeights(SimTK::State* state, double energy_scale) const;
  std::vector<double> Save(const SimTK::State& state) const;
  void Load(const std::vector<double>& saved, SimTK::State* state) const;

 private:
  using PatchRange = std::pair<std::size_t, std::size_t>;

  const ElementMemory& MemoryOf(const SimTK::State& state) const;
  Sight SightOf(const SimTK::State& state) const;
  void SetMemory(ElementMemory memory, SimTK::State* state) const;
  std::vector<Variables> VariablesOf(const SimTK::State& state) const;
  ElementMemory NextMemory(const SimTK::State& state) const;
  std::vector<PatchRange> ByPairs(const std::vector<SlotEvaluation>& patches) const;
  double StoredEnergyOf(const std::vector<SlotEvaluation>& patches, PatchRange range,
                        const std::vector<BodyInstant>& motions) const;

  TouchingPair BeginPair(int pair, int slot, const SimTK::State& state) const;

  ElementMoment Compute(const SimTK::State& state, std::vector<PairLook> before) const;
  FoundGeometry Find(int pair, const std::vector<int>& touching, const ElementMemory& memory,
                     Sight sight, std::vector<PairLook>* before, ElementMoment* moment) const;
  void Evaluate(int pair, const FoundGeometry& found, const PairSlots& slots,
                const ElementMemory& memory, const std::vector<Variables>& z,
                std::vector<bool>* taken, ElementMoment* moment) const;
  /// What the witness is for a pair: see ElementMoment.
  double WitnessOf(const PairSlots& slots, double gap, const SlotEvaluation* begin,
                   const SlotEvaluation* end) const;
  double LeastThicknessOf(const ElementParts::Pair& pair) const;
  double WitnessOnTheWay(int pair, double box_gap, const ElementMemory& memory,
                         const std::vector<double>& reaches, double time,
                         ElementMoment* moment) const;

  SimTK::GeneralForceSubsystem* forces_;
  ElementParts parts_;
  bool has_events_;
  // Simbody hands these out when it realizes the topology, through a const method.
  mutable SimTK::ZIndex z_;
  mutable SimTK::DiscreteVariableIndex memory_, sight_;
  mutable SimTK::CacheEntryIndex moment_;
};

/// Adds an element to its subsystem, which owns it, and its event to the system.
const ContactElement* AddElement(SimTK::MultibodySystem* system,
                                 SimTK::GeneralForceSubsystem* forces, ElementParts parts,
                                 bool has_events);

/// Simbody prints values of its state.
std::ostream& operator<<(std::ostream& stream, const ElementMemory& memory);
std::ostream& operator<<(std::ostream& stream, const ElementMoment& moment);
std::ostream& operator<<(std::ostream& stream, Sight sight);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
