// Writes a page to look at of two solids in contact: their files, the pose of A in the world
// (x y z qw qx qy qz), the viewer page (tools/view/bundle.html), and the file to write.
#include <exception>
#include <iostream>
#include <sstream>
#include <string>

#include "cli/output.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/view/contact_scene.h"
#include "volcontact/view/scene_files.h"

namespace volcontact {
namespace {

view::ContactBody ReadBody(const std::string& file) {
  const SolidFile read = ReadSolid(file);
  view::ContactBody body;
  body.name = read.name;
  body.solid = read.solid;
  return body;
}

Pose ParsePose(const std::string& text) {
  std::istringstream stream(text);
  Pose X;
  stream >> X.t.x() >> X.t.y() >> X.t.z() >> X.q[0] >> X.q[1] >> X.q[2] >> X.q[3];
  if (!stream) throw InvalidInput("a pose has seven numbers, x y z qw qx qy qz: " + text);
  return X;
}

void ShowPair(const std::string& a, const std::string& b, const std::string& pose_A,
              const std::string& page, const std::string& out) {
  view::ContactView contact;
  contact.a = ReadBody(a);
  contact.b = ReadBody(b);
  contact.a.X_W = ParsePose(pose_A);
  const PreparedPair pair(contact.a.solid, contact.b.solid);
  contact.metrics = pair.Query(contact.a.X_W, contact.b.X_W);
  contact.normal_W = contact.metrics.area_normal_W;
  contact.metrics_json = tool::QueryJson(contact.metrics).dump();
  view::WriteScene(view::MakeContactScene(contact), out, page);
}

}  // namespace
}  // namespace volcontact

int main(int argc, char** argv) {
  if (argc != 6) {
    std::cerr << "usage: show_pair A B POSE_A PAGE OUT.html\n";
    return 2;
  }
  try {
    volcontact::ShowPair(argv[1], argv[2], argv[3], argv[4], argv[5]);
  } catch (const std::exception& error) {
    std::cerr << "show_pair: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
