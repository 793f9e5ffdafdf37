#include "simbody_foundation.h"

#include <Simbody.h>

namespace volcontact::bench {

struct ElasticFoundation::Scene {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::GeneralContactSubsystem contacts{system};
  SimTK::MobilizedBody::Free body;
  SimTK::State state;
};

ElasticFoundation::ElasticFoundation(const std::vector<std::array<double, 3>>& vertices,
                                     const std::vector<std::array<int, 3>>& faces, double stiffness)
    : scene_(std::make_unique<Scene>()) {
  using namespace SimTK;
  PolygonalMesh mesh;
  for (const auto& v : vertices) mesh.addVertex(Vec3(v[0], v[1], v[2]));
  for (const auto& face : faces) mesh.addFace(Array_<int>(face.begin(), face.end()));
  const ContactSetIndex set = scene_->contacts.createContactSet();
  scene_->body = MobilizedBody::Free(scene_->matter.updGround(),
                                     Body::Rigid(MassProperties(1.0, Vec3(0), Inertia(1.0))));
  scene_->contacts.addBody(set, scene_->body, ContactGeometry::TriangleMesh(mesh), Transform());
  // Simbody's half-space is x > 0.
  scene_->contacts.addBody(set, scene_->matter.updGround(), ContactGeometry::HalfSpace(),
                           Transform(Rotation(0.5 * Pi, YAxis)));
  ElasticFoundationForce foundation(scene_->forces, scene_->contacts, set);
  foundation.setBodyParameters(ContactSurfaceIndex(0), stiffness, 0.0, 0.0, 0.0, 0.0);
  scene_->state = scene_->system.realizeTopology();
}

ElasticFoundation::~ElasticFoundation() = default;

double ElasticFoundation::Force(double height) {
  using namespace SimTK;
  scene_->body.setQToFitTransform(scene_->state, Transform(Vec3(0.0, 0.0, height)));
  scene_->system.realize(scene_->state, Stage::Dynamics);
  const Vector_<SpatialVec>& forces =
      scene_->system.getRigidBodyForces(scene_->state, Stage::Dynamics);
  return forces[scene_->body.getMobilizedBodyIndex()][1][2];
}

}  // namespace volcontact::bench
