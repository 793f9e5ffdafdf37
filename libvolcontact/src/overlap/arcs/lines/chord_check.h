// Holds the edges that were found of a region against straight lines through it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/edges/edge_nodes.h"
#include "overlap/arcs/edges/edges.h"
#include "overlap/arcs/lines/line_probe.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// An independent look at a region's edges. The expression tells exactly where a line enters the
/// region and leaves it, and through which surfaces. On each surface the faces that the edges bound
/// say the same: seen along the line, the edges wind around it as often as it crosses these faces,
/// counted by direction. An edge, a part, or a sector that was lost changes that on lines that pass
/// there. Keeps its memory.
class ChordCheck {
 public:
  static constexpr int kLines = 8;

  /// False if a line meets other faces than those that `edges` and `segments` bound. Lines too near
  /// to an edge to tell are left out.
  bool Run(const LocalProblem& problem, const Edges& edges,
           const std::vector<NodeSegment>& segments);

  /// How many lines of the last run were looked at twice, and how many of these were left out.
  int doubtful() const { return doubtful_; }
  int left_out() const { return left_out_; }

 private:
  // A point of a piece, seen along the lines, with the derivative by u.
  struct Sample {
    double u;
    Eigen::Vector2d p, derivative;
  };

  Eigen::Vector2d Flat(const Eigen::Vector3d& p) const { return across_ * p; }
  void Begin(const LocalProblem& problem, const Edges& edges,
             const std::vector<NodeSegment>& segments);
  void ChoosePlaces();
  bool TakeEnds(int line);
  void CountTurns(const Eigen::Vector2d& from, const Eigen::Vector2d& to,
                  std::span<const EdgeSheet> sheets);
  void CountTurns(const EdgePiece& piece);
  bool IsBalanced(int line);
  std::optional<bool> FitsClosely(int line, int parts);
  std::optional<Sample> SampleOf(const EdgePiece& piece, double u) const;
  std::optional<int> Turns(const EdgePiece& piece, const Sample& from, const Sample& to,
                           const Eigen::Vector2d& q, int depth) const;
  std::optional<int> TurnsOf(const EdgePiece& piece, const Eigen::Vector2d& q, int parts) const;
  bool Fits(int line);
  // Of a line, by surface: how often it leaves the region there less how often it enters it, less
  // the turns of the edges around it.
  std::span<int> BalanceOf(int line);

  const LocalProblem* problem_ = nullptr;
  const Edges* edges_ = nullptr;
  const std::vector<NodeSegment>* segments_ = nullptr;
  Eigen::Matrix<double, 2, 3> across_;
  LineProbe probe_;
  std::array<Eigen::Vector2d, kLines> places_;  // of the lines, seen along them, by height
  std::vector<LineProbe::End> ends_;
  std::vector<char> has_face_;  // by surface: whether it may have one
  std::vector<int> balances_;   // by line and surface
  int doubtful_ = 0, left_out_ = 0;
};

}  // namespace volcontact
