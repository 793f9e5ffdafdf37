#include "volcontact/simbody/simbody_contact_set.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "simbody/contact_element.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using simbody::At;
using SimTK::State;

void Require(bool is_so, int pair, const std::string& otherwise) {
  if (!is_so) throw InvalidInput("pair " + std::to_string(pair) + " of the set: " + otherwise);
}

// Checks the places that a pair names.
void RequirePlaces(int p, const ContactSetPair& pair, std::size_t num_bodies,
                   std::size_t num_laws) {
  for (const int i : {pair.a, pair.b}) {
    Require(i >= 0 && At(i) < num_bodies, p,
            "there is no body " + std::to_string(i) + "; the set has " +
                std::to_string(num_bodies) + ", counted from 0");
  }
  Require(pair.law >= 0 && At(pair.law) < num_laws, p,
          "there is no law " + std::to_string(pair.law) + "; the set has " +
              std::to_string(num_laws) + ", counted from 0");
}

simbody::ElementParts PartsOf(const std::vector<ContactSetBody>& bodies,
                              const std::vector<ContactSetPair>& pairs,
                              const std::vector<ContactSetLaw>& laws, int most_contacts) {
  if (most_contacts < 1) {
    throw InvalidInput("most_contacts is " + std::to_string(most_contacts) +
                       "; give the number of contacts that may touch at a time");
  }
  simbody::ElementParts parts;
  parts.num_slots = most_contacts;
  for (const ContactSetBody& body : bodies) {
    parts.shapes.push_back({body.body, simbody::ShapeExtent(body.solid.Bounds())});
  }
  std::vector<std::shared_ptr<const ContactModel>> models;
  for (const ContactSetLaw& law : laws) {
    models.push_back(std::make_shared<const ContactModel>(law.parameters));
  }
  // By the solids, which are shared by their copies, and the law.
  using Key = std::tuple<const SolidNode*, const SolidNode*, int>;
  std::map<Key, std::shared_ptr<const simbody::PairGeometry>> made;
  for (int p = 0; p < static_cast<int>(pairs.size()); ++p) {
    const ContactSetPair& pair = pairs[At(p)];
    RequirePlaces(p, pair, bodies.size(), laws.size());
    const ContactSetBody &a = bodies[At(pair.a)], &b = bodies[At(pair.b)];
    Require(!a.body.isSameMobilizedBody(b.body), p, "a body cannot touch itself");
    Require(a.solid.Bounds().IsBounded() || b.solid.Bounds().IsBounded(), p,
            "both solids are unbounded, so their overlap may be unbounded; make one of them a box");
    auto& geometry = made[{&a.solid.node(), &b.solid.node(), pair.law}];
    const ContactSetLaw& law = laws[At(pair.law)];
    if (geometry == nullptr) {
      try {
        geometry = simbody::MakeGeometry(
            SolidPair{a.solid, b.solid, law.tolerance, law.most_patches}, law.parameters);
      } catch (const InvalidInput& error) {
        Require(false, p, error.what());
      }
    }
    parts.pairs.push_back({pair.a, pair.b, models[At(pair.law)], geometry});
  }
  return parts;
}

}  // namespace

std::vector<ContactSetPair> AllPairs(int num_bodies, int first_moving) {
  if (num_bodies < 0 || first_moving < 0 || first_moving > num_bodies) {
    throw InvalidInput("of " + std::to_string(num_bodies) + " bodies, those from " +
                       std::to_string(first_moving) + " on cannot be paired");
  }
  std::vector<ContactSetPair> pairs;
  for (int b = first_moving; b < num_bodies; ++b) {
    for (int a = 0; a < b; ++a) pairs.push_back({b, a, 0});
  }
  return pairs;
}

SimbodyContactSet::SimbodyContactSet(SimTK::MultibodySystem* system,
                                     SimTK::GeneralForceSubsystem* forces,
                                     const std::vector<ContactSetBody>& bodies,
                                     const std::vector<ContactSetPair>& pairs,
                                     const std::vector<ContactSetLaw>& laws, int most_contacts,
                                     Events events)
    : element_(simbody::AddElement(system, forces, PartsOf(bodies, pairs, laws, most_contacts),
                                   events == Events::kLocated)) {}

std::vector<PairEvaluation> SimbodyContactSet::Evaluate(const State& state) const {
  std::vector<PairEvaluation> evaluations;
  for (const simbody::SlotEvaluation& patch : element_->MomentOf(state).patches) {
    evaluations.push_back({patch.pair, patch.evaluation});
  }
  return evaluations;
}

std::vector<PairLinearization> SimbodyContactSet::Linearize(const State& state) const {
  return element_->Linearize(state);
}

bool SimbodyContactSet::Converged(const State& state) const {
  return element_->MomentOf(state).none.converged;
}

ContactEnergies SimbodyContactSet::Energies(const State& state) const {
  return element_->Energies(state);
}

double SimbodyContactSet::StoredEnergy(const State& state) const {
  return element_->StoredEnergy(state);
}

int SimbodyContactSet::TouchCount(const State& state) const {
  return element_->LatchesOf(state).TouchCount();
}

void SimbodyContactSet::SetErrorWeights(State* state, double energy_scale) const {
  element_->SetErrorWeights(state, energy_scale);
}

bool SimbodyContactSet::Begin(State* state, const std::optional<FrictionState>& friction) const {
  return element_->Begin(state, friction);
}

std::vector<double> SimbodyContactSet::Save(const State& state) const {
  return element_->Save(state);
}

void SimbodyContactSet::Load(const std::vector<double>& saved, State* state) const {
  element_->Load(saved, state);
}

VOLCONTACT_NAMESPACE_END
