// What the makers of scenes share.
#pragma once

#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// The greatest of 1, 2 and 5 times a power of ten that is not above x > 0.
double RoundLength(double x);

/// The rod between two points of a frame, added to a mesh.
void AddRod(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius,
            DisplayMesh* mesh);

/// Adds the points and triangles of a mesh to another.
void AppendMesh(const DisplayMesh& part, DisplayMesh* mesh);

inline constexpr Color kNormalColor = {0.10, 0.10, 0.10}, kAreaColor = {0.45, 0.45, 0.50};
inline constexpr Color kPushColor = {0.30, 0.30, 0.75};
inline constexpr Color kForceColor = {0.80, 0.10, 0.10}, kNormalForceColor = {0.90, 0.45, 0.40};
inline constexpr Color kFrictionColor = {0.85, 0.45, 0.05}, kTorqueColor = {0.55, 0.20, 0.65};
inline constexpr Color kVelocityColor = {0.05, 0.50, 0.35};

}  // namespace view
VOLCONTACT_NAMESPACE_END
