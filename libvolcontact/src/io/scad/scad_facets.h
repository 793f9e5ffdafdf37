// Round shapes of few facets: with a stated $fn of 12 or less they are meant as polyhedra.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "io/outlines/polygon_formula.h"
#include "io/scad/scad_primitives.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// How many facets a value of $fn means, three at least; 0 where the shape is meant as round.
int FacetsOf(double fn);

/// The corners of a circle about the origin, from the x axis on.
PolygonRing FacetedCircle(int facets, double radius);

/// The images under L of a cone or cylinder, shifted as that of MappedCone, and of a sphere. The
/// factories' InvalidInput passes through.
Solid FacetedCone(const Eigen::Matrix3d& L, const ConeSize& size, int facets);
Solid FacetedSphere(const Eigen::Matrix3d& L, double radius, int facets);

/// The corners of that sphere.
std::vector<Eigen::Vector3d> FacetedSphereCorners(int facets, double radius);

}  // namespace volcontact
