#include "volcontact/simbody/simbody_contact.h"

#include <algorithm>
#include <utility>

#include "simbody/contact_element.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using SimTK::State;

simbody::ElementParts PartsOf(const SimTK::MobilizedBody& A, const SimTK::MobilizedBody& B,
                              const ContactPair& pair, const ContactParameters& parameters) {
  const auto* solids = std::get_if<SolidPair>(&pair);
  const bool is_divided = solids != nullptr && solids->division.sectors > 0;
  auto model =
      std::make_shared<const ContactModel>(is_divided ? LawsOfPieces(parameters) : parameters);
  std::shared_ptr<const simbody::PairGeometry> geometry = simbody::MakeGeometry(pair, parameters);
  simbody::ElementParts parts;
  parts.num_slots = std::max(1, geometry->MostPatches());
  parts.shapes = {{A, simbody::ShapeExtent(geometry->BoundsA())},
                  {B, simbody::ShapeExtent(geometry->BoundsB())}};
  parts.pairs = {{0, 1, std::move(model), std::move(geometry)}};
  return parts;
}

}  // namespace

SimbodyContact::SimbodyContact(SimTK::MultibodySystem* system, SimTK::GeneralForceSubsystem* forces,
                               const SimTK::MobilizedBody& A, const SimTK::MobilizedBody& B,
                               const ContactPair& pair, const ContactParameters& parameters,
                               Events events)
    : element_(simbody::AddElement(system, forces, PartsOf(A, B, pair, parameters),
                                   events == Events::kLocated)) {}

ContactEvaluation SimbodyContact::Evaluate(const State& state) const {
  const simbody::ElementMoment& moment = element_->MomentOf(state);
  const ContactEvaluation* leading = &moment.none;
  double most = -1.0;
  for (const simbody::SlotEvaluation& patch : moment.patches) {
    const double force = patch.evaluation.force.normal_W.norm();
    if (force <= most) continue;
    most = force;
    leading = &patch.evaluation;
  }
  return *leading;
}

std::vector<ContactEvaluation> SimbodyContact::EvaluatePatches(const State& state) const {
  std::vector<ContactEvaluation> evaluations;
  for (const simbody::SlotEvaluation& patch : element_->MomentOf(state).patches) {
    evaluations.push_back(patch.evaluation);
  }
  return evaluations;
}

std::vector<ContactLinearization> SimbodyContact::Linearize(const State& state) const {
  std::vector<ContactLinearization> all;
  for (const PairLinearization& of : element_->Linearize(state)) all.push_back(of.contact);
  return all;
}

ContactEnergies SimbodyContact::Energies(const State& state) const {
  return element_->Energies(state);
}

double SimbodyContact::StoredEnergy(const State& state) const {
  return element_->StoredEnergy(state);
}

double SimbodyContact::GreatestForce(const State& state) const {
  return element_->GreatestForce(state);
}

int SimbodyContact::TouchCount(const State& state) const {
  return element_->LatchesOf(state).TouchCount();
}

void SimbodyContact::SetErrorWeights(State* state, double energy_scale) const {
  element_->SetErrorWeights(state, energy_scale);
}

bool SimbodyContact::Begin(State* state, const std::optional<FrictionState>& friction) const {
  return element_->Begin(state, friction);
}

std::vector<double> SimbodyContact::Save(const State& state) const { return element_->Save(state); }

void SimbodyContact::Load(const std::vector<double>& saved, State* state) const {
  element_->Load(saved, state);
}

VOLCONTACT_NAMESPACE_END
