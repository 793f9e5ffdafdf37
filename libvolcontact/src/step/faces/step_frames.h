// Frames of Open CASCADE's surfaces as ours.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <gp_Ax3.hxx>

#include "step/faces/step_units.h"
#include "step/step_solid.h"

namespace volcontact {

inline Eigen::Vector3d DirectionOf(const gp_Dir& d) { return {d.X(), d.Y(), d.Z()}; }

inline void SetFrame(const gp_Ax3& frame, StepFace* face) {
  face->origin = InMetres(frame.Location().XYZ());
  face->axes.col(2) = DirectionOf(frame.Direction());
  face->axes.col(0) = DirectionOf(frame.XDirection());
  face->axes.col(1) = face->axes.col(2).cross(face->axes.col(0));
}

}  // namespace volcontact
