// Sheets cut along the surfaces that trim them, and what of them is boundary.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "display/edge_cuts.h"
#include "display/field.h"
#include "display/mesh_probe.h"
#include "display/refine.h"
#include "math/arithmetic/polynomial.h"
#include "volcontact/display/display.h"

namespace volcontact {

/// A triangle of the boundary, on a sheet.
struct FacePiece {
  std::array<std::uint32_t, 3> v;  ///< as the sheet's triangles turn: towards rising psi
  std::uint32_t triangle = 0;      ///< of the sheet, which it is part of
  bool is_flipped = false;         ///< the outside is where psi falls
  DisplayOwner owner = DisplayOwner::kA;
};

/// What trims a sheet: a surface, or a face of a mesh among the surfaces.
struct TrimmingSurface {
  int surface = -1;
  std::uint32_t face = 0;

  bool IsNone() const { return surface < 0; }
};

/// Points within this distance of a surface, in scaled coordinates, are on it.
double OnSurface(double deviation);

/// Cuts the triangles of sheets where the signs of surfaces that matter change, one surface after
/// the other, so that a part of a triangle has one sign of each; a part is boundary where crossing
/// the sheet changes the expression's value.
class Trimmer {
 public:
  Trimmer(const DisplayField& field, double deviation);

  /// The boundary on a sheet, to which the points of cuts are added.
  std::vector<FacePiece> Run(Sheet* sheet);

  /// What trims a sheet along an edge of a piece: a surface on which both ends lie. None where
  /// nothing does.
  TrimmingSurface FindTrimming(const Sheet& sheet, const FacePiece& piece, std::uint32_t a,
                               std::uint32_t b);

  /// The function of a trimming surface.
  Polynomial<double> FunctionOf(const TrimmingSurface& trimming) const;

  /// Whether a point is on psi = 0.
  bool IsOn(const Polynomial<double>& psi, const Eigen::Vector3d& y) const;

 private:
  using Corner3 = std::array<std::uint32_t, 3>;
  // What trims one triangle, with its number among all that trim: the edges' key.
  struct Cut {
    TrimmingSurface by;
    Polynomial<double> psi;
    std::uint64_t number;
  };

  void FindCuts(const SheetTriangle& triangle);
  void CutPieces(std::size_t cut);
  bool Matters(int surface, const Corner3& v);
  std::vector<FacePiece> ShareCuts(const std::vector<FacePiece>& pieces);
  void CutPiece(const Corner3& v, std::size_t cut, std::vector<Corner3>* parts);
  std::uint32_t CutPoint(std::uint32_t a, std::uint32_t b, std::size_t cut);
  Eigen::Vector3d FindCrossing(const Eigen::Vector3d& p, const Eigen::Vector3d& q, std::size_t cut);
  Eigen::Vector3d SearchChord(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                              const Polynomial<double>& psi) const;
  int SignAt(const Polynomial<double>& psi, const Eigen::Vector3d& y) const;
  bool Classify(const SheetTriangle& triangle, FacePiece* piece);
  bool SetState(int surface, const TriangleCorners& corners, const Eigen::Vector3d& middle);
  bool SetMeshState(int surface, const TriangleCorners& corners, const Eigen::Vector3d& middle);
  DisplayOwner OwnerOf(std::uint32_t face, const TriangleCorners& corners,
                       const Eigen::Vector3d& middle);
  bool Differs(const Expression& expression, bool* inside_below);

  const DisplayField& field_;
  double tolerance_;
  Sheet* sheet_ = nullptr;
  Polynomial<double> own_;        // of the sheet; of a mesh the face's plane
  Eigen::Vector3d rising_;        // its gradient at the piece's middle
  const Scope* scope_ = nullptr;  // of one triangle
  Expression reduced_;
  std::vector<Cut> cuts_;  // of one triangle
  std::vector<Corner3> parts_, next_parts_;
  EdgeCuts edge_cuts_;
  std::vector<Truth> below_, above_;  // by surface: on both sides of the sheet
  std::vector<std::uint32_t> near_;
};

}  // namespace volcontact
