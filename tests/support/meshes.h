// Closed triangle meshes to test with.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <vector>

#include "support/random_solids.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact::testing {

using Cell = std::array<int, 3>;

/// A box cut by planes at these coordinates (ascending, two at least along each axis): two
/// triangles for each rectangle of its surface.
TriangleMesh GridBox(const std::array<std::vector<double>, 3>& coordinates);
/// A box with n equal parts along each edge.
TriangleMesh BoxMesh(const Eigen::Vector3d& min, const Eigen::Vector3d& max, int n = 1);
/// The boundary of a union of unit cells, given by their least corners. Cells that share no more
/// than an edge or a vertex share its vertices too.
TriangleMesh Polycube(const std::vector<Cell>& cells);
/// An L of three cells.
TriangleMesh LPrism();
/// 20·4^level triangles with their vertices on a sphere about the origin.
TriangleMesh SphereMesh(double radius, int level);
/// The same with every radius multiplied by a random factor in [1 − amplitude, 1 + amplitude].
TriangleMesh StarMesh(Random* random, int level, double amplitude);
/// The hull of random points in [-1, 1]³, by trying every triple.
TriangleMesh HullMesh(Random* random, int points);
/// A prism over a polygon given by its radii at equal angles, from z = −height/2 to height/2.
TriangleMesh StarPrism(const std::vector<double>& radii, double height);
/// A gear of that many teeth.
TriangleMesh GearMesh(int teeth, double radius, double height);
/// A torus about the z axis, n segments along it and m around.
TriangleMesh TorusMesh(double major, double minor, int n, int m);

TriangleMesh Mapped(const TriangleMesh& mesh,
                    const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& map);
TriangleMesh Translated(const TriangleMesh& mesh, const Eigen::Vector3d& t);
/// All faces turned.
TriangleMesh Reversed(const TriangleMesh& mesh);
/// The shells of both.
TriangleMesh Joined(const TriangleMesh& a, const TriangleMesh& b);

}  // namespace volcontact::testing
