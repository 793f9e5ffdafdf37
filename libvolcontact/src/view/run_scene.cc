#include "volcontact/view/run_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "view/body_shapes.h"
#include "view/run_files.h"
#include "view/run_plots.h"
#include "view/scene_parts.h"
#include "volcontact/math/error.h"
#include "volcontact/view/contact_scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;
using scenario::BodySpec;
using scenario::ContactSpec;
using scenario::TimeSeries;

// Told apart on white and on black, by all eyes; the bodies that stay are grey.
constexpr Color kMovingColors[] = {{0.20, 0.45, 0.75}, {0.80, 0.40, 0.20}, {0.25, 0.60, 0.45},
                                   {0.70, 0.40, 0.65}, {0.75, 0.65, 0.20}, {0.40, 0.70, 0.85}};
constexpr Color kStayingColor = {0.60, 0.60, 0.58};
constexpr std::size_t kMostEvents = 200;

class RunSceneMaker {
 public:
  RunSceneMaker(RunFiles run, const RunView& view) : run_(std::move(run)), view_(view) {}

  Scene Make() {
    ChooseRows();
    const std::vector<BodySpec>& bodies = run_.scenario.bodies;
    for (std::size_t i = 0; i < bodies.size(); ++i) motions_.push_back(MotionOf(bodies[i]));
    AddBodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) AddMotionOf(bodies[i], motions_[i]);
    for (const ContactSpec& contact : run_.scenario.contacts) AddContact(contact);
    scene_.title = run_.file.title;
    if (!run_.variant.empty()) scene_.title += " – " + run_.variant;
    if (!run_.state.empty()) scene_.title += " (" + run_.state + ")";
    scene_.state = run_.state;
    scene_.notes.insert(scene_.notes.begin(), run_.notes.begin(), run_.notes.end());
    FinishScene(&scene_);
    scene_.plots = PlotsOf(run_, rows_, scene_.size);
    return std::move(scene_);
  }

 private:
  void ChooseRows();
  void AddBodies();
  std::vector<Pose> MotionOf(const BodySpec& body) const;
  void AddMotionOf(const BodySpec& body, const std::vector<Pose>& motion);
  void AddContact(const ContactSpec& contact);
  void AddEvents(const std::string& contact);
  std::string NameOf(int body) const {
    return body < 0 ? "ground" : run_.scenario.bodies[static_cast<std::size_t>(body)].name;
  }
  bool Has(const std::string& column) const {
    const auto& names = run_.series.names;
    return std::find(names.begin(), names.end(), column) != names.end();
  }
  // Three columns at the rows that are kept.
  std::vector<Vector3d> Vectors(const std::string& prefix, const char* x, const char* y,
                                const char* z) const;

  RunFiles run_;
  const RunView& view_;
  Scene scene_;
  std::vector<std::size_t> rows_;
  std::vector<std::vector<Pose>> motions_;  // empty: it stays
};

// Files have times as floats: they must ascend as such, too.
void RunSceneMaker::ChooseRows() {
  const std::vector<double>& t = run_.series.Column("t");
  if (t.empty()) throw InvalidInput("the run has no rows yet; let it run longer");
  scene_.rows = t.size();
  scene_.every = view_.every;
  if (scene_.every == 0) {
    scene_.every = std::max<std::size_t>(1, (t.size() + view_.most_times - 1) / view_.most_times);
  }
  for (std::size_t i = 0; i < t.size(); i += scene_.every) rows_.push_back(i);
  if (rows_.back() + 1 != t.size()) rows_.push_back(t.size() - 1);
  std::vector<std::size_t> apart;
  for (const std::size_t row : rows_) {
    if (!apart.empty() && !(static_cast<float>(t[row]) > static_cast<float>(t[apart.back()]))) {
      continue;
    }
    apart.push_back(row);
    scene_.times.push_back(t[row]);
  }
  rows_ = std::move(apart);
  if (rows_.size() == 1) scene_.notes.push_back("the run has one time only, and does not move");
}

std::vector<Vector3d> RunSceneMaker::Vectors(const std::string& prefix, const char* x,
                                             const char* y, const char* z) const {
  const std::vector<double>&xs = run_.series.Column(prefix + x),
        &ys = run_.series.Column(prefix + y), &zs = run_.series.Column(prefix + z);
  std::vector<Vector3d> vectors;
  for (const std::size_t row : rows_) vectors.emplace_back(xs[row], ys[row], zs[row]);
  return vectors;
}

std::vector<Pose> RunSceneMaker::MotionOf(const BodySpec& body) const {
  if (body.fixed || !Has(body.name + ".x")) return {};
  const std::vector<Vector3d> t = Vectors(body.name, ".x", ".y", ".z");
  const std::vector<Vector3d> q = Vectors(body.name, ".qx", ".qy", ".qz");
  const std::vector<double>& w = run_.series.Column(body.name + ".qw");
  std::vector<Pose> motion;
  for (std::size_t i = 0; i < t.size(); ++i) {
    motion.push_back({t[i], {w[rows_[i]], q[i][0], q[i][1], q[i][2]}});
  }
  return motion;
}

// What a body shows of itself in the picture, wherever it is.
Aabb ClipOf(const Aabb& picture, const BodyItem& body) {
  Aabb clip = InFrame(picture, body.X_WB);
  for (const Pose& X : body.motion) clip = Hull(clip, InFrame(picture, X));
  return clip;
}

// The bounded solids decide how much of the others is drawn.
void RunSceneMaker::AddBodies() {
  std::vector<BodyShape> shapes = ShapesOf(run_.scenario);
  Aabb box = Aabb::Nothing();
  const auto motion_of = [&](const BodyShape& shape) {
    return shape.body < 0 ? std::vector<Pose>() : motions_[static_cast<std::size_t>(shape.body)];
  };
  for (const BodyShape& shape : shapes) {
    const Aabb bounds = shape.Bounds();
    if (bounds.IsEmpty() || !bounds.IsBounded()) continue;
    std::vector<Pose> poses = motion_of(shape);
    if (poses.empty()) poses.push_back(shape.X_WB);
    for (const Pose& X : poses) box = Hull(box, InFrame(bounds, Inverse(X)));
  }
  const Aabb picture = DrawnBox(box);
  std::size_t moving = 0;
  for (BodyShape& shape : shapes) {
    BodyItem item;
    item.name = NameOf(shape.body);
    item.motion = motion_of(shape);
    item.X_WB = item.motion.empty() ? shape.X_WB : item.motion.front();
    item.color = kStayingColor;
    if (!item.motion.empty()) item.color = kMovingColors[moving++ % std::size(kMovingColors)];
    item.thin = !shape.solid;
    if (shape.solid) {
      DisplayOptions options;
      options.deviation = view_.deviation;
      item.unbounded = !shape.solid->Bounds().IsBounded();
      item.mesh = DisplaySurface(*shape.solid, options,
                                 item.unbounded ? ClipOf(picture, item) : Aabb::Everything());
    }
    AppendMesh(shape.rods, &item.mesh);
    if (!item.mesh.triangles.empty()) scene_.bodies.push_back(std::move(item));
  }
}

// The trail and the velocity of the centre of mass.
void RunSceneMaker::AddMotionOf(const BodySpec& body, const std::vector<Pose>& motion) {
  const bool is_drawn = std::any_of(scene_.bodies.begin(), scene_.bodies.end(),
                                    [&](const BodyItem& item) { return item.name == body.name; });
  if (motion.empty() || !is_drawn) return;
  const std::vector<Vector3d> v = Vectors(body.name, ".vx", ".vy", ".vz");
  const std::vector<Vector3d> w = Vectors(body.name, ".wx", ".wy", ".wz");
  LinesItem trail;
  trail.kind = "trail";
  trail.label = "trail of " + body.name;
  trail.body = body.name;
  trail.lines.emplace_back();
  ArrowItem velocity;
  velocity.quantity = "velocity";
  velocity.unit = "m/s";
  velocity.label = "velocity of " + body.name;
  velocity.contact = body.name;
  velocity.color = kVelocityColor;
  for (std::size_t i = 0; i < motion.size(); ++i) {
    const Vector3d r = motion[i].Rotation() * body.center_of_mass;
    trail.lines[0].push_back(motion[i].t + r);
    velocity.points.push_back(motion[i].t + r);
    velocity.vectors.push_back(v[i] + w[i].cross(r));
  }
  for (const BodyItem& item : scene_.bodies) {
    if (item.name == body.name) trail.color = item.color;
  }
  scene_.lines.push_back(std::move(trail));
  scene_.arrows.push_back(std::move(velocity));
}

// Points of a contact that is not there are those of the nearest time at which it is.
void FillPoints(const std::vector<bool>& touching, std::vector<Vector3d>* points) {
  std::size_t known = points->size();
  for (std::size_t i = 0; i < points->size(); ++i) {
    if (touching[i]) {
      for (std::size_t k = known == points->size() ? 0 : i; k < i; ++k) (*points)[k] = (*points)[i];
      known = i;
    } else if (known < points->size()) {
      (*points)[i] = (*points)[known];
    }
  }
}

void RunSceneMaker::AddContact(const ContactSpec& contact) {
  const std::string& name = contact.name;
  if (!Has(name + ".touching")) return;
  std::vector<bool> touching;
  for (const std::size_t row : rows_) {
    touching.push_back(run_.series.Column(name + ".touching")[row] > 0.5);
  }
  ContactHistory history{name,
                         NameOf(contact.a),
                         NameOf(contact.b),
                         Vectors(name, ".px", ".py", ".pz"),
                         Vectors(name, ".fx", ".fy", ".fz"),
                         Vectors(name, ".tx", ".ty", ".tz")};
  FillPoints(touching, &history.points);
  const auto add = [&](const char* quantity, const char* unit, const char* label,
                       const Color& color, const std::vector<Vector3d>& vectors) {
    if (std::all_of(vectors.begin(), vectors.end(),
                    [](const Vector3d& v) { return v == Vector3d::Zero(); })) {
      return;
    }
    ArrowItem arrow;
    arrow.quantity = quantity;
    arrow.unit = unit;
    arrow.label = fmt::format("{} on {}, {}", label, history.body_a, name);
    arrow.contact = name;
    arrow.color = color;
    arrow.points = history.points;
    arrow.vectors = vectors;
    scene_.arrows.push_back(std::move(arrow));
  };
  add("normal", "", "normal", kNormalColor, Vectors(name, ".nx", ".ny", ".nz"));
  add("force", "N", "force", kForceColor, history.forces);
  add("torque", "N m", "torque", kTorqueColor, history.torques);
  AddEvents(name);
  scene_.contacts.push_back(std::move(history));
}

// For all rows, kept or not. If contact was made between two rows, only `touches` shows it.
void RunSceneMaker::AddEvents(const std::string& contact) {
  const std::vector<double>&t = run_.series.Column("t"),
        &touching = run_.series.Column(contact + ".touching"),
        &touches = Has(contact + ".touches") ? run_.series.Column(contact + ".touches") : touching;
  std::size_t count = 0;
  const auto add = [&](std::size_t row, const char* what) {
    if (++count <= kMostEvents) scene_.events.push_back({t[row], contact + what});
  };
  for (std::size_t i = 1; i < t.size(); ++i) {
    const bool touched = touching[i - 1] > 0.5, touches_now = touching[i] > 0.5;
    if (touches[i] > touches[i - 1] || (touches_now && !touched)) add(i, " begins");
    if (touched && !touches_now) add(i, " ends");
  }
  if (count > kMostEvents) {
    scene_.notes.push_back(
        fmt::format("{} begins and ends {} times; the first {} of these are marked", contact, count,
                    kMostEvents));
  }
}

}  // namespace

Scene MakeRunScene(const std::filesystem::path& folder, const RunView& view) {
  RunFiles run = ReadRun(folder, view.solids);
  try {
    return RunSceneMaker(std::move(run), view).Make();
  } catch (const InvalidInput& error) {
    throw InvalidInput(
        fmt::format("{}: {}; `volcontact simulate` writes it anew", folder.string(), error.what()));
  }
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
