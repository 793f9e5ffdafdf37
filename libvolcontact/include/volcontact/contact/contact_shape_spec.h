// What touches in a contact: the overlap of two solids, or a point pair.
#pragma once

#include <optional>

#include "volcontact/contact/division.h"
#include "volcontact/contact/point_pairs.h"
#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The member "geometry" of a contact (docs/contact_files.md). A plain value.
struct ContactShapeSpec {
  std::optional<PointPair> point_pair;  ///< without it the solids of the bodies
  Pose frame_a, frame_b;                ///< of the point pair, in the bodies' frames
  double tolerance = 1e-6;              ///< of queries, as QueryOptions::tolerance
  bool cells = false;                   ///< a contact for every pair of disjoint cells
  int most_patches = 0;                 ///< not 0: one for every patch, SolidPair::most_patches
  /// Division if the contact goes around a body (ChooseDivision), for the bodies' poses at the
  /// start. With cells, patches and PatchCoulombFriction, kAuto means no division.
  DivisionChoice division = {DivisionChoice::Kind::kAuto};
};

VOLCONTACT_NAMESPACE_END
