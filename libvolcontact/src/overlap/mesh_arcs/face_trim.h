// One face of a mesh, cut by the surfaces of a solid.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/mesh_arcs/sections/face_polygon.h"
#include "overlap/mesh_arcs/sections/section_arc.h"
#include "overlap/mesh_arcs/sections/section_trace.h"

namespace volcontact {

/// An edge of the overlap between a face of the mesh and a surface of the solid: the part of an
/// arc between two parameters. The face has it on its left with `face_weight`, the surface's face
/// with −weight: 1 where the solid lies where the surface's psi is negative, −1 where it is
/// positive. Both are the same but for an arc that surfaces share, which counts once in the face.
struct TrimArc {
  SectionArc arc;
  double from = 0.0, to = 1.0;
  int surface = 0, weight = 0, face_weight = 0;
  int face = 0;          ///< of the faces trimmed, its number
  Eigen::Vector3d base;  ///< a point of the face's plane, the same for all arcs of one face
};

/// What was found of a mesh's faces: those that the solid's surfaces cut.
struct TrimmedFaces {
  struct Face {
    FacePolygon polygon;
    std::size_t first_surface = 0, end_surface = 0;  ///< of `surfaces`: those that may cross it
    BoundarySums straight;  ///< of the cones from its base over the straight edges inside
    /// The sum of the steps around what is inside: zero where all of it was found.
    Eigen::Vector3d open = Eigen::Vector3d::Zero();
  };
  std::vector<Face> faces;
  std::vector<TrimArc> arcs;
  std::vector<int> surfaces;
  BoundarySums whole;  ///< of faces that are wholly inside
  struct WholeFace {
    Eigen::Vector3d area;
    std::uint32_t face;  ///< its number in the mesh
  };
  std::vector<WholeFace> whole_faces;   ///< these
  std::vector<Eigen::Vector3d> points;  ///< on arcs, and corners inside

  void Clear();

  struct Counts {
    std::size_t faces = 0, arcs = 0, surfaces = 0, whole_faces = 0, points = 0;
    void Add(const TrimmedFaces& found);
  };
  void Resize(const Counts& counts);
  /// Copies the faces and arcs of another, which are so many after the first, into those that there
  /// are, but not its sums. Threads may place others at the same time.
  void Place(const TrimmedFaces& other, const Counts& before);
  /// Adds what was found of other faces.
  void Append(const TrimmedFaces& other);
};

/// Cuts faces. Keeps its memory.
class FaceTrim {
 public:
  enum class Result { kDone, kCoincides, kLost };

  /// `surfaces`: by number, those of the solid.
  void Begin(const std::vector<TrimSurface>* surfaces);
  /// Adds what of the face lies in the solid, of which `solid` is what is undecided near it; where
  /// surfaces coincide with the face, in the solid on the mesh's side of it. kCoincides when one
  /// does that is not, or is on the other side, aside.
  Result Run(const FacePolygon& polygon, const Undecided& solid, TrimmedFaces* found);
  /// The surfaces that coincide with the last face; after kCoincides the one that is not aside.
  const std::vector<int>& coincident() const { return coincident_; }
  int conflicting() const { return conflicting_; }
  /// The side to which a surface has to be aside of a face that coincides with it.
  static int SideOf(const TrimSurface& surface, const FacePolygon& polygon) {
    return polygon.normal.dot(surface.slope) > 0.0 ? -1 : 1;
  }

 private:
  static constexpr int kMost = FacePolygon::kMost;
  // A surface that crosses the face, in Bernstein's form along the edges, or followed.
  struct Form {
    int surface;
    int trace = -1;                         // of traces_
    std::array<double, kMost> at, between;  // at corner k, and between k and the next

    double On(int edge, int next, double t) const {
      const double s = 1.0 - t;
      return s * s * at[edge] + 2.0 * s * t * between[edge] + t * t * at[next];
    }
  };
  struct Crossing {
    int edge;
    double t;
    bool leaving;
    Eigen::Vector3d p;
  };

  bool MakeForm(int surface, Form* form, Truth* state) const;
  void Follow(int surface, Form* form, Truth* state);
  bool FindArcs(const Form& form);
  bool IsBelow(const Form& form, int edge, double t) const;
  void SetAside(int aside, Form* form, double* low, double* high) const;
  bool IsClear(const Form& form) const;
  void FindCrossings(const Form& form);
  Eigen::Vector3d PointOn(int edge, double t) const;
  void AddStraightEdges(const Undecided& solid, TrimmedFaces* found);
  bool MeetsApex(const TrimSurface& surface) const;
  std::size_t EndOfArc(const TrimSurface& surface, std::size_t start) const;
  bool JoinCrossings(const TrimSurface& surface);
  bool AddLoop(const TrimSurface& surface);
  void AddPieces(const SectionArc& arc, int surface, const Undecided& solid, TrimmedFaces* found);
  void AddPiece(const SectionArc& arc, double from, double to, int surface, const Undecided& solid,
                TrimmedFaces* found);

  // How often an arc counts.
  struct Weights {
    int of_surface, of_face;
  };
  Weights WeightsOf(const SectionArc& arc, double from, double to, int surface,
                    const Undecided& solid);
  bool IsIn(const Undecided& solid, const Eigen::Vector3d& p);
  int WeightAt(const Eigen::Vector3d& p, int surface, const Undecided& solid);

  const std::vector<TrimSurface>* surfaces_ = nullptr;
  const FacePolygon* polygon_ = nullptr;
  std::vector<Truth> states_;  // by surface; all unknown between uses
  std::vector<Form> forms_;
  std::vector<int> coincident_;
  int conflicting_ = -1;
  std::vector<Crossing> of_form_;
  std::vector<SectionArc> arcs_;
  std::vector<SectionTrace> traces_;  // those of the present face first
  std::size_t trace_count_ = 0;
  std::vector<double> parameters_;
  std::array<std::vector<double>, kMost> stops_;  // by edge, where surfaces cross it
  std::vector<int> sharing_;                      // with the arc's own, in the order of forms_
  Eigen::Vector3d base_ = Eigen::Vector3d::Zero();
};

}  // namespace volcontact
