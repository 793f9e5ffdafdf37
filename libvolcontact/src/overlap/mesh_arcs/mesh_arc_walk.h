// Finds the faces of a mesh that the surfaces of a solid cut, and the parts that are inside as a
// whole.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"
#include "overlap/mesh_arcs/face_trim.h"
#include "overlap/mesh_arcs/sections/face_polygon.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Walks down the mesh's tree with what is undecided of the solid in each node. Parts of the tree
/// that are undecided are walked by threads; what is found, and in which order it is summed, does
/// not depend on their number. Keeps its memory.
class MeshArcWalk {
 public:
  struct Input {
    const MeshTree& mesh;
    const MeshToCube& to_cube;
    const LocalProblem& solid;
    const Undecided& whole;  ///< the same, with the surfaces that take part
    bool mesh_in_b;          ///< else in A
    int threads;
  };
  enum class Result {
    kDone,
    kLost,       ///< an arc was
    kCoincides,  ///< faces of the mesh lie on a plane of the solid from both sides
  };

  /// Puts those of the solid's surfaces aside on which faces lie.
  Result Run(const Input& input, std::vector<TrimSurface>* surfaces);

  /// The faces cut, and those that are inside as a whole in leaves that are not.
  const TrimmedFaces& found() const { return found_.trimmed; }
  /// Points on their arcs, and corners inside; those of boxes of nodes.
  std::vector<Eigen::Vector3d>* points() { return &found_.trimmed.points; }
  /// What faces of the mesh and planes of the other body have in common, if any lie on each other.
  const TrimmedFaces& common() const { return found_.common; }
  bool is_flush() const { return found_.is_flush; }
  /// Nodes that are wholly inside.
  const std::vector<std::uint32_t>& whole_nodes() const { return found_.whole; }

 private:
  struct Finds {
    TrimmedFaces trimmed, common;
    std::vector<std::uint32_t> whole;
    bool is_flush = false;
    Result result = Result::kDone;
    int plane = -1, side = 0;  // after kCoincides: which is not aside, and where it has to be

    void Clear();
    // All but the faces trimmed.
    void AppendRest(const Finds& other);
  };
  // A node whose children are left to a thread.
  struct Part {
    std::uint32_t node = 0;
    int depth = 0;
    Undecided solid;
    Finds finds;
    TrimmedFaces::Counts before;  // of what was found before it
  };
  // What one thread works with.
  struct Walker {
    FaceTrim trim;
    std::deque<Undecided> levels;
    std::vector<Truth> states;  // by surface; all unknown between uses
    Undecided common_solid;
    std::array<Expression, 2> common_parts;
    bool leaves_parts = false;  // instead of walking them
  };

  void Walk();
  void WalkParts();
  void JoinFinds();
  void WalkPart(const Part& part, Walker* walker, Finds* finds);
  void AddPart(std::uint32_t node, const Undecided& solid, int depth);
  bool Visit(std::uint32_t number, const Undecided& solid, int depth, Walker* walker, Finds* finds);
  bool VisitChildren(std::uint32_t number, const Undecided& solid, int depth, Walker* walker,
                     Finds* finds);
  bool VisitFaces(const MeshNode& node, const Undecided& solid, Walker* walker, Finds* finds) const;
  bool Settle(FaceTrim::Result result, const FacePolygon& polygon, const FaceTrim& trim,
              Finds* finds) const;
  bool TrimCommon(const FacePolygon& polygon, const Undecided& solid, Walker* walker,
                  Finds* finds) const;

  const Input* input_ = nullptr;
  std::vector<TrimSurface>* surfaces_ = nullptr;
  Finds top_, found_;       // down to the parts, and all
  std::deque<Part> parts_;  // the first part_count_ are in use
  std::size_t part_count_ = 0;
  std::vector<Walker> walkers_;  // by worker
};

}  // namespace volcontact
