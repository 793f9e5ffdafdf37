// The module `display`: triangulated surfaces from exact solids.
//
// A solid, or two, in the scaled coordinates of what is to be drawn: surfaces, meshes and what they
// mean together.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "display/polyhedral_overlap.h"
#include "math/arithmetic/polynomial.h"
#include "math/rigid.h"
#include "solids/implicit/expression.h"
#include "solids/implicit/implicit_solid.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"
#include "volcontact/display/display.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// A literal of the expressions: a polynomial surface, or the whole boundary of a mesh.
struct FieldSurface {
  SurfacePolynomial exact;      ///< in the frame of the first solid; of no meaning for a mesh
  Polynomial<double> psi;       ///< in scaled coordinates; of no meaning for a mesh
  double gradient_bound = 0.0;  ///< of |∇psi| over the cube
  SurfaceKind kind = SurfaceKind::kOther;
  std::shared_ptr<const MeshTree> mesh;   ///< null for a polynomial
  Rigid X_AM = {};                        ///< of the mesh's frame
  std::vector<Eigen::Vector3d> vertices;  ///< of the mesh, in scaled coordinates
  Eigen::Matrix3d M_from_scaled = Eigen::Matrix3d::Identity();  ///< with `origin_M`: to M [m]
  Eigen::Vector3d origin_M = Eigen::Vector3d::Zero();
  bool is_side = false;  ///< of the box that clips: no face of a solid
  bool in_a = false, in_b = false;
  std::vector<DisplayOwner> owners;  ///< of a whole overlap's mesh, by face; else empty

  Eigen::Vector3d ToMesh(const Eigen::Vector3d& y) const { return M_from_scaled * y + origin_M; }
};

/// What is drawn: where `expression` holds, A ∩ B within the box. All coordinates but those of
/// `exact` and of meshes' frames are scaled: x_A = center + size·y, and the box lies in [−1, 1]³.
class DisplayField {
 public:
  /// One solid (`b` null), or two. Merges surfaces that coincide.
  DisplayField(const Solid& a, const Solid* b, const Rigid& X_AB);

  /// An overlap whose mesh is known.
  explicit DisplayField(PolyhedralOverlap overlap_A);

  /// Goes over to the scaled coordinates of a bounded box of A's frame. Where `clips`, what lies
  /// outside is cut away.
  void Localize(const Aabb& box, const Aabb& clip);

  /// A box around what the solids' own bounds and surfaces leave, in A's frame; infinite where none
  /// is known.
  Aabb Bounds(const Aabb& hint) const;

  const std::vector<FieldSurface>& surfaces() const { return surfaces_; }
  const Expression& expression() const { return expression_; }
  const Expression& of_a() const { return of_a_; }
  const Expression& of_b() const { return of_b_; }
  bool is_pair() const { return is_pair_; }
  double size() const { return size_; }
  /// The half extents of the box, in scaled coordinates, a little wider.
  const Eigen::Vector3d& half() const { return half_; }

  Eigen::Vector3d FromA(const Eigen::Vector3d& p_A) const { return (p_A - center_) / size_; }
  Eigen::Vector3d ToA(const Eigen::Vector3d& y) const { return center_ + size_ * y; }

 private:
  Expression Visit(const SolidNode& node, const Rigid& X_AP, double length, bool in_b);
  Expression VisitPrimitive(const Shape& shape, const Rigid& X_AS, double length, bool in_b);
  Expression AddMesh(std::shared_ptr<const MeshTree> mesh, const Rigid& X_AS, bool in_b);
  int FindOrAdd(const SurfacePolynomial& psi, double length, bool in_b, bool* opposite);
  void LocalizeMesh(FieldSurface* surface) const;
  void LocalizePolynomial(FieldSurface* surface) const;

  std::vector<FieldSurface> surfaces_;
  std::vector<double> lengths_;  // of the surfaces
  Expression expression_, of_a_, of_b_;
  Eigen::Vector3d center_ = Eigen::Vector3d::Zero(), half_ = Eigen::Vector3d::Ones();
  double size_ = 1.0;
  bool is_pair_ = false;
};

}  // namespace volcontact
