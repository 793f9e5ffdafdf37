#include "scenario/urdf/urdf_scenario.h"

#include <filesystem>
#include <set>

#include "io/json/json_document.h"
#include "scenario/urdf/urdf_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

UrdfRequest ReadRequest(const JsonCursor& input) {
  UrdfRequest request;
  request.folder = input.source().folder;
  if (input.value().is_string()) {
    request.file = input.String();
    return request;
  }
  input.ExpectObject({"file", "pose", "fixed", "stops", "solids", "note"});
  request.file = input.Member("file").String();
  request.pose = input.PoseValue("pose", {});
  request.fixed = input.Flag("fixed", request.fixed);
  request.all_solids = input.Choice("solids", {"in_contact", "all"}, 0) == 1;
  if (input.Has("stops")) {
    const JsonCursor stops = input.Member("stops");
    stops.ExpectObject({"stiffness", "damping"});
    stops.Member("stiffness").PositiveNumber();
    stops.Number("damping", 0.0);
    request.stops = stops.value();
  }
  return request;
}

std::set<std::string> BodiesInContact(const JsonCursor& scenario) {
  std::set<std::string> names;
  for (const JsonCursor& contact : scenario.Items("contacts")) {
    for (const char* side : {"a", "b"}) names.insert(contact.String(side, ""));
  }
  return names;
}

nlohmann::json* LinkNamed(const std::string& name, nlohmann::json* links) {
  for (nlohmann::json& link : *links) {
    if (link["name"] == name) return &link;
  }
  return nullptr;
}

// Members of the scenario's bodies replace those of the links of the same name. Returns the other
// bodies.
nlohmann::json ChangeLinks(const JsonCursor& scenario, nlohmann::json* links) {
  nlohmann::json others = nlohmann::json::array();
  std::set<std::string> changed;
  for (const JsonCursor& body : scenario.Items("bodies")) {
    const std::string name = body.String("name", "");
    nlohmann::json* const link = LinkNamed(name, links);
    if (link == nullptr) {
      others.push_back(body.value());
      continue;
    }
    if (!changed.insert(name).second) body.Member("name").Fail("two bodies have this name");
    link->merge_patch(body.value());
  }
  return others;
}

// A joint that mimics another starts where that puts it.
void StartMimics(const nlohmann::json& couplings, nlohmann::json* links) {
  for (const nlohmann::json& coupling : couplings) {
    const nlohmann::json& a = *LinkNamed(coupling["a"], links);
    nlohmann::json* const b = LinkNamed(coupling["b"], links);
    if (a.contains("motion") || b->contains("coordinates")) continue;
    const nlohmann::json start = a.value("coordinates", nlohmann::json{0.0});
    if (start.size() != 1 || !start.begin()->is_number()) continue;  // refused where it is read
    (*b)["coordinates"] = {coupling["ratio"].get<double>() * start.begin()->get<double>() +
                           coupling["offset"].get<double>()};
  }
}

}  // namespace

nlohmann::json WithUrdf(const nlohmann::json& scenario, const std::string& origin) {
  if (!scenario.contains("urdf")) return scenario;
  const JsonDocument document(scenario, origin, std::filesystem::path(origin).parent_path());
  const JsonCursor input = document.Root();
  const JsonCursor urdf = input.Member("urdf");
  UrdfBodies all;
  for (const JsonCursor& item : urdf.value().is_array() ? urdf.Items() : std::vector{urdf}) {
    UrdfRequest request = ReadRequest(item);
    request.touching = BodiesInContact(input);
    const UrdfBodies robot = ReadUrdfBodies(request);
    all.bodies.insert(all.bodies.end(), robot.bodies.begin(), robot.bodies.end());
    all.couplings.insert(all.couplings.end(), robot.couplings.begin(), robot.couplings.end());
  }
  const nlohmann::json others = ChangeLinks(input, &all.bodies);
  StartMimics(all.couplings, &all.bodies);
  all.bodies.insert(all.bodies.end(), others.begin(), others.end());
  for (const JsonCursor& own : input.Items("couplings")) all.couplings.push_back(own.value());
  nlohmann::json result = scenario;
  result.erase("urdf");
  result["bodies"] = std::move(all.bodies);
  if (!all.couplings.empty()) result["couplings"] = std::move(all.couplings);
  return result;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
