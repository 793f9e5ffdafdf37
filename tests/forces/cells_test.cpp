// Forces over cells: they do not depend on how a volume is cut, and states follow their cells.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <utility>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/contact/cell_contacts.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::cells_test {
namespace {

using Eigen::Vector3d;

constexpr double kStiffness = 1e8;

ContactModel Model() {
  ContactParameters parameters;
  VolumetricNormal normal{kStiffness};
  normal.damping.restitution = 0.6;
  parameters.normal = normal;
  parameters.friction = CoulombFriction{0.3, 1e-6};
  parameters.contact_plate = false;
  return ContactModel(parameters);
}

struct Total {
  Vector3d force = Vector3d::Zero(), torque = Vector3d::Zero();
};

// The sum of the wrenches of all pairs of cells, about the world's origin.
Total Sum(const ContactModel& model, const std::vector<CellContact>& contacts, const Twist& V_A) {
  Total total;
  for (const CellContact& contact : contacts) {
    const ContactGeometry geometry = GeometryOf(contact.metrics);
    const ContactMotion motion =
        MotionAt(geometry.point_W, geometry.normal_W, Pose{}, V_A, Pose{}, Twist{});
    ContactState state = model.Touch(geometry, motion);
    state.impact_speed = 0.1;
    const ContactForce force = model.Evaluate(geometry, motion, state);
    total.force += force.force_W;
    total.torque += force.torque_W + force.point_W.cross(force.force_W);
  }
  return total;
}

// A plate pressed flat onto the ground, cut into tiles: the tiles' forces and torques are those of
// the plate, damped, sliding and rolling.
TEST(Cells, TheForceDoesNotDependOnTheCut) {
  const auto tiles = [](int columns, int rows) {
    std::vector<Solid> result;
    for (int i = 0; i < columns; ++i) {
      for (int j = 0; j < rows; ++j) {
        const Vector3d place(1.2 * (i + 0.5) / columns, 0.8 * (j + 0.5) / rows, 0.05 - 1e-3);
        result.push_back(Box({1.2 / columns, 0.8 / rows, 0.1}).Posed(Pose{place}));
      }
    }
    return result;
  };
  const std::vector<Solid> ground = {HalfSpace()};
  const Twist sliding{{0.2, 0.1, -0.03}, {0.0, 0.0, 0.0}};
  const Total whole = Sum(Model(), CellContacts(tiles(1, 1), ground).Find(Pose{}, Pose{}), sliding);
  EXPECT_GT(whole.force.z(), kStiffness * 1.2 * 0.8 * 1e-3);
  for (const auto& [columns, rows] : {std::pair{2, 1}, {3, 2}, {5, 4}}) {
    const CellContacts cells(tiles(columns, rows), ground);
    const std::vector<CellContact> contacts = cells.Find(Pose{}, Pose{});
    EXPECT_EQ(contacts.size(), static_cast<std::size_t>(columns * rows));
    const Total cut = Sum(Model(), contacts, sliding);
    EXPECT_LT((cut.force - whole.force).norm(), 1e-9 * whole.force.norm());
    EXPECT_LT((cut.torque - whole.torque).norm(), 1e-9 * whole.torque.norm());
  }
}

// Tipping: a tile's own rolling resistance and the damping of its own speed make up the plate's
// rolling resistance, exactly with the exact inertia.
TEST(Cells, RollingResistanceOfACutPlateIsThatOfThePlate) {
  ContactParameters parameters;
  VolumetricNormal normal{kStiffness};
  normal.damping.restitution = 0.6;
  parameters.normal = normal;
  const ContactModel model(parameters);
  const Twist tipping{{0.0, 0.0, -0.01}, {0.004, 0.003, 0.0}};
  const auto torque = [&](const std::vector<Solid>& tiles) {
    const CellContacts cells(tiles, std::vector<Solid>{HalfSpace()});
    return Sum(model, cells.Find(Pose{}, Pose{}), tipping).torque;
  };
  const double low = 0.05 - 1e-3;
  const Vector3d whole = torque({Box({1.0, 0.8, 0.1}).Posed(Pose{Vector3d(0.0, 0.0, low)})});
  const Vector3d cut = torque({Box({0.3, 0.8, 0.1}).Posed(Pose{Vector3d(-0.35, 0.0, low)}),
                               Box({0.7, 0.8, 0.1}).Posed(Pose{Vector3d(0.15, 0.0, low)})});
  EXPECT_GT(whole.norm(), 1.0);
  EXPECT_LT((cut - whole).norm(), 1e-9 * whole.norm());
}

// A state for every touching pair, kept by its indices: a ball that rolls from one plate to the
// next hands over, and the force never jumps.
TEST(Cells, StatesFollowTheirCells) {
  const std::vector<Solid> plates = {Box({1.0, 1.0, 0.2}).Posed(Pose{Vector3d(-0.5, 0.0, -0.1)}),
                                     Box({1.0, 1.0, 0.2}).Posed(Pose{Vector3d(0.5, 0.0, -0.1)})};
  const CellContacts cells(std::vector<Solid>{Sphere(0.1)}, plates);
  const ContactModel model = Model();
  std::map<std::pair<int, int>, ContactState> states;
  std::vector<CellPair> pairs;
  Vector3d previous = Vector3d::Zero();
  int created = 0, lost = 0;
  for (int step = 0; step <= 400; ++step) {
    const Pose X_WA{Vector3d(-0.05 + 0.1 * step / 400.0, 0.0, 0.0995)};
    const std::vector<CellContact> contacts = cells.Find(X_WA, Pose{});
    const std::vector<CellPair> now = PairsOf(contacts);
    const CellPairChanges changes = Compare(pairs, now);
    created += static_cast<int>(changes.created.size());
    lost += static_cast<int>(changes.lost.size());
    for (const CellPair& pair : changes.lost) states.erase({pair.a, pair.b});
    Vector3d force = Vector3d::Zero();
    for (const CellContact& contact : contacts) {
      const ContactGeometry geometry = GeometryOf(contact.metrics);
      const ContactMotion motion =
          MotionAt(geometry.point_W, geometry.normal_W, X_WA, Twist{}, Pose{}, Twist{});
      ContactState& state = states[{contact.cells.a, contact.cells.b}];
      if (!state.touching) state = model.Touch(geometry, motion);
      force += model.Evaluate(geometry, motion, state).force_W;
    }
    if (step > 0) {
      EXPECT_LT((force - previous).norm(), 0.1 * previous.norm()) << step;
    }
    previous = force;
    pairs = now;
  }
  EXPECT_EQ(created, 2);
  EXPECT_EQ(lost, 1);
}

}  // namespace
}  // namespace volcontact::testing::cells_test
