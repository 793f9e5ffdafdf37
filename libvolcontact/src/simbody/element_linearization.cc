// How the forces of an element change with the motion of its bodies.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "simbody/contact_element.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;

// Of the height of a contact: how far A is moved for differences of its geometry.
constexpr double kGeometryStep = 1e-3;

// A displaced by a step along, or about, an axis of W through the point.
Pose Displaced(const Pose& X_WA, const Vector3d& point_W, int i, double step) {
  const Vector3d axis = Vector3d::Unit(i % 3);
  if (i < 3) return {X_WA.t + step * axis, X_WA.q};
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(step, axis).toRotationMatrix();
  return MakePose(turn * X_WA.Rotation(), point_W + turn * (X_WA.t - point_W));
}

// The patch that is nearest to where this one was; nothing where it does not touch any more.
ContactGeometry NearestTo(const ContactGeometry& geometry, const std::vector<FoundPatch>& found) {
  const auto nearest =
      std::min_element(found.begin(), found.end(), [&](const FoundPatch& a, const FoundPatch& b) {
        return (a.geometry.point_W - geometry.point_W).squaredNorm() <
               (b.geometry.point_W - geometry.point_W).squaredNorm();
      });
  return nearest == found.end() ? ContactGeometry() : nearest->geometry;
}

// (8 (c − b) − (d − a)) / 12 h, by fields.
ContactGeometry SlopeOf(const std::array<ContactGeometry, 4>& at, double h) {
  const auto slope = [&](auto field) {
    return ((8.0 * (at[2].*field - at[1].*field) - (at[3].*field - at[0].*field)) / (12.0 * h));
  };
  ContactGeometry rate;
  rate.point_W = slope(&ContactGeometry::point_W);
  rate.normal_W = slope(&ContactGeometry::normal_W);
  rate.depth = slope(&ContactGeometry::depth);
  rate.volume = slope(&ContactGeometry::volume);
  rate.inertia_W = slope(&ContactGeometry::inertia_W);
  rate.contact_area = slope(&ContactGeometry::contact_area);
  rate.gyration_radius = slope(&ContactGeometry::gyration_radius);
  return rate;
}

// By differences of fourth order.
ContactGeometryDerivatives DifferencesOf(const PairGeometry& pair, const ContactGeometry& geometry,
                                         const Pose& X_WA, const Pose& X_WB,
                                         const std::vector<LastPatch>& last) {
  const bool has_volume = geometry.volume > 0.0;
  const double height = has_volume ? MeanHeight(geometry) : geometry.depth;
  const double arm = has_volume ? std::sqrt(geometry.inertia_W.trace() / geometry.volume)
                                : (X_WA.t - geometry.point_W).norm();
  ContactGeometryDerivatives rates;
  for (int i = 0; i < 6; ++i) {
    const double h = kGeometryStep * height / (i < 3 ? 1.0 : std::max(arm, height));
    std::array<ContactGeometry, 4> values;
    for (std::size_t k = 0; k < 4; ++k) {
      const double steps[] = {-2.0, -1.0, 1.0, 2.0};
      const Pose X = Displaced(X_WA, geometry.point_W, i, steps[k] * h);
      values[k] = NearestTo(geometry, pair.FindExactly(X, X_WB, last));
    }
    rates[At(i)] = SlopeOf(values, h);
  }
  return rates;
}

}  // namespace

std::vector<PairLinearization> ContactElement::Linearize(const SimTK::State& state) const {
  const ElementMoment& moment = MomentOf(state);
  std::vector<PairLinearization> all;
  for (const PatchRange& range : ByPairs(moment.patches)) {
    const ElementParts::Pair& pair = parts_.pairs[At(moment.patches[range.first].pair)];
    const BodyInstant &A = moment.motions[At(pair.a)], &B = moment.motions[At(pair.b)];
    const auto exact = pair.geometry->Derivatives(A.X_WB, B.X_WB);
    const bool from_hessian = exact && exact->size() == range.second - range.first;
    std::vector<LastPatch> last;
    for (std::size_t i = range.first; i < range.second; ++i) {
      last.push_back({moment.patches[i].mark, moment.patches[i].evaluation.geometry.normal_W});
    }
    for (std::size_t i = range.first; i < range.second; ++i) {
      const ContactEvaluation& now = moment.patches[i].evaluation;
      const ContactGeometryDerivatives derivatives =
          from_hessian ? (*exact)[i - range.first]
                       : DifferencesOf(*pair.geometry, now.geometry, A.X_WB, B.X_WB, last);
      PairLinearization& of = all.emplace_back();
      of.pair = moment.patches[i].pair;
      of.contact = volcontact::Linearize(*pair.model, now.geometry, derivatives, now.state, A.X_WB,
                                         A.V_W, B.X_WB, B.V_W);
      of.contact.from_hessian = from_hessian;
    }
  }
  return all;
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
