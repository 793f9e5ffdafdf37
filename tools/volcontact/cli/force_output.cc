#include "cli/force_output.h"

#include "cli/table.h"

namespace volcontact::tool {
namespace {

// What --state reads.
Json StateJson(const ContactState& state) {
  if (!state.touching) return {{"touching", false}};
  return {{"touching", true},
          {"impact_speed", state.impact_speed},
          {"normal", VectorJson(state.normal_W)},
          {"deflection", VectorJson(state.friction.deflection_W)},
          {"twist", state.friction.twist},
          {"dwell", state.friction.dwell},
          {"relaxation", state.relaxation}};
}

Json StateRateJson(const ContactStateRate& rate) {
  return {{"deflection", VectorJson(rate.deflection_W)},
          {"twist", rate.twist},
          {"dwell", rate.dwell},
          {"relaxation", rate.relaxation}};
}

Json PowersJson(const ContactPowers& p) {
  return {{"elastic", p.elastic},
          {"normal_damping", p.normal_damping},
          {"rolling", p.rolling},
          {"bristle_elastic", p.bristle_elastic},
          {"bristle", p.bristle},
          {"viscous", p.viscous},
          {"spin_elastic", p.spin_elastic},
          {"spin", p.spin},
          {"clutch", p.clutch}};
}

void AddWrenchJson(const ContactForce& force, Json* answer) {
  Json& json = *answer;
  json["force"] = VectorJson(force.force_W);
  json["torque"] = VectorJson(force.torque_W);
  json["parts"] = {{"normal", VectorJson(force.normal_W)},
                   {"tangential", VectorJson(force.tangential_W)},
                   {"rolling", VectorJson(force.rolling_W)},
                   {"spinning", VectorJson(force.spinning_W)}};
}

void AddWrench(const ContactForce& force, Table* table) {
  table->Add("point", force.point_W, "m");
  table->Add("force on A", force.force_W, "N");
  table->Add("torque on A", force.torque_W, "N m");
  table->Add("  normal", force.normal_W, "N");
  table->Add("  tangential", force.tangential_W, "N");
  table->Add("  rolling", force.rolling_W, "N m");
  table->Add("  spinning", force.spinning_W, "N m");
}

void AddPowers(const ContactPowers& powers, Table* table) {
  table->Add("power stored", powers.Total() - powers.Dissipated(), "W");
  table->Add("power dissipated", powers.Dissipated(), "W");
}

}  // namespace

void AddForceJson(const ContactForce& force, const ContactState& state, const Metrics& metrics,
                  Json* answer) {
  Json& json = *answer;
  json["point"] = state.touching ? VectorJson(force.point_W) : Json(nullptr);
  AddWrenchJson(force, answer);
  json["friction_point"] = state.touching ? VectorJson(force.plate_W) : Json(nullptr);
  json["state"] = StateJson(state);
  json["state_rate"] = StateRateJson(force.rate);
  json["powers"] = PowersJson(force.powers);
  json["metrics"] = QueryJson(metrics);
}

void AddDividedForceJson(const ContactForce& total, const std::vector<ForceAnswer>& pieces,
                         const Metrics& metrics, Json* answer) {
  Json& json = *answer;
  json["point"] = metrics.overlap ? VectorJson(total.point_W) : Json(nullptr);
  AddWrenchJson(total, answer);
  for (const char* of_each : {"friction_point", "state", "state_rate"}) json[of_each] = nullptr;
  json["sectors"] = Json::array();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].geometry.touching) continue;
    Json sector = {{"sector", i}, {"point", VectorJson(pieces[i].force.point_W)}};
    AddWrenchJson(pieces[i].force, &sector);
    json["sectors"].push_back(std::move(sector));
  }
  json["powers"] = PowersJson(total.powers);
  json["metrics"] = QueryJson(metrics);
}

std::string DividedForceTable(const ContactForce& total, const Metrics& metrics) {
  Table table;
  table.Add("contact", metrics.overlap ? "yes" : "no");
  if (metrics.overlap) {
    AddWrench(total, &table);
    AddPowers(total.powers, &table);
  }
  return table.text() + QueryTable(metrics);
}

std::string ForceTable(const ContactForce& force, const ContactState& state,
                       const Metrics& metrics) {
  Table table;
  table.Add("contact", state.touching ? "yes" : "no");
  if (state.touching) {
    AddWrench(force, &table);
    table.Add("bristle rate", force.rate.deflection_W, "m/s");
    table.Add("twist rate", force.rate.twist, "rad/s");
    table.Add("dwell rate", force.rate.dwell, "1/s");
    AddPowers(force.powers, &table);
  }
  return table.text() + QueryTable(metrics);
}

}  // namespace volcontact::tool
