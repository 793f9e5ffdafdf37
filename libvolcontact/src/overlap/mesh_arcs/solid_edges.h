// The parts of a solid's edges, and of the seams of its tori, that lie in a mesh.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>
#include <vector>

#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/edges/edge_finder.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/edges/torus_seams.h"
#include "overlap/frame/local_problem.h"
#include "overlap/mesh_arcs/face_trim.h"

namespace volcontact {

/// Finds the edges of a solid in the unit cube, and cuts them where they cross the faces of a mesh.
class SolidEdges {
 public:
  /// The part of a piece of an edge, from 0 to 1, that lies in the mesh. Where the mesh crosses
  /// itself, a part is there as often as the mesh encloses it.
  struct Part {
    int piece;
    double from, to;
  };

  /// The edges of the problem's region, which may reach out of the cube, and where seams of tori
  /// run on its faces: along whole curves where these do, else edges in cells. False when they were
  /// not all found.
  bool Find(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
            const TorusSeams& seams, int threads);
  /// What the edges are trimmed by.
  struct Mesh {
    const TrimmedFaces& faces;
    const std::vector<TrimSurface>& surfaces;  ///< the solid's, some of them aside
    std::function<std::optional<int>(const Eigen::Vector3d&)> winding;  ///< none on a face
  };
  /// The parts inside a mesh. False when how often it encloses them is not known, or does not agree
  /// with the faces that are crossed.
  bool Trim(const LocalProblem& problem, const Mesh& mesh, int threads);

  /// Leaves nothing found.
  void Clear() {
    by_curves_ = false;
    finder_.Clear();
    parts_.clear();
    seams_.Clear();
    seam_parts_.clear();
  }

  const Edges& edges() const { return by_curves_ ? curves_.edges() : finder_.edges(); }
  const std::vector<Part>& parts() const { return parts_; }
  /// Pieces with the torus first and the plane of its seam second, as cuts have them.
  const Edges& seams() const { return seams_; }
  const std::vector<Part>& seam_parts() const { return seam_parts_; }

 private:
  struct Crossing {
    double u;
    bool entering;
  };
  struct Trimming {
    const LocalProblem& problem;
    const Edges& edges;
    const Mesh& mesh;
  };
  // What a thread finds of a piece alone.
  struct OnPiece {
    std::vector<Crossing> crossings;  // of faces, in the order along it
    Eigen::Vector3d middle, aside;    // by how much the edge is off where it lies
    bool found = false;
  };

  bool TrimAll(const LocalProblem& problem, const Mesh& mesh, const Edges& edges, int threads,
               std::vector<Part>* parts);
  void FindFaceCrossings(const LocalProblem& problem, const Edges& edges, const EdgePiece& piece,
                         const Mesh& mesh, std::vector<double>* parameters,
                         OnPiece* on_piece) const;
  std::optional<int> WindingAt(const Trimming& trimming, int piece, double u) const;
  std::optional<int> WindingAtStart(const Trimming& trimming, int piece) const;
  bool AddParts(const Trimming& trimming, int piece, int* winding, std::vector<Part>* parts) const;

  bool by_curves_ = false;
  CurveFinder curves_;
  EdgeFinder finder_;
  std::vector<OnPiece> on_pieces_;
  std::vector<std::vector<double>> zeros_;  // by worker
  std::vector<Part> parts_;
  Edges seams_;
  std::vector<Part> seam_parts_;
};

}  // namespace volcontact
