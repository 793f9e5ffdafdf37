// The rim of a projection: the part of the contour at which a line along the direction starts or
// stops meeting the region.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "overlap/arcs/projection/contour.h"
#include "overlap/arcs/projection/contour_crossings.h"
#include "overlap/arcs/projection/rim_sweep.h"
#include "solids/mesh_check/disjoint_sets.h"

namespace volcontact {

/// Integrates over the rim of a contour. The projection lies on the left of every part, and on the
/// right of those that are not the rim. What lies on the right of a part changes only where others
/// cross it. So around a place where parts meet, each sector either lies on the left of one of
/// them, or on the right of both beside it: then these are the rim together, or not. A few lines
/// decide those that are connected so. Keeps its memory.
class RimStretches {
 public:
  /// The area swept by the rim of `contour`, whose crossings along the direction are known, but for
  /// ambiguous parts. Nothing where lines do not agree with the contour. The result does not depend
  /// on the number of threads.
  std::optional<RimSweep::Swept> Run(const Eigen::Vector3d& along,
                                     const std::vector<ContourPart>& contour,
                                     const ContourCrossings& crossings, const RimSweep& sweep,
                                     int threads);

 private:
  // Whether a stretch is the rim; kOpen: lines decide.
  enum class State { kOpen, kRim, kCovered };
  // A piece of a part of the contour between two crossings, traversed with the region on its left.
  struct Stretch {
    std::size_t part;
    double from, to;
    double length;
    int step;           // intervals on its left minus those on its right; 0 if not a whole number
    bool is_ambiguous;  // others may cross it unseen
    State state;
  };
  // The projected start or end point of a stretch, and the direction into the stretch.
  struct End {
    Eigen::Vector2d p, way;
    int stretch;
    bool is_begin, is_inner;
    bool CoversBehind() const { return is_begin || is_inner; }   // counterclockwise of it
    bool CoversBefore() const { return !is_begin || is_inner; }  // clockwise
  };
  // The longest of some stretches, in order.
  struct Longest {
    std::array<int, 3> asked;
    int count = 0;
  };

  void Cut(const std::vector<ContourPart>& contour, const ContourCrossings& crossings);
  void FindPlaces();
  bool SortAround();
  void GoAround();
  void JoinStretches();
  void Take(int stretch, Longest* longest) const;
  void FindSets();
  bool IsCovered(const Stretch& stretch, double share) const;
  State Ask(const Stretch& stretch) const;
  void AskLines(std::size_t set);
  bool AreMarkedCovered() const;

  ContourView view_;
  const std::vector<ContourPart>* contour_ = nullptr;
  const RimSweep* sweep_ = nullptr;
  std::vector<Stretch> stretches_;
  std::vector<End> ends_;
  std::vector<std::pair<double, int>> across_;  // ends, across the view
  DisjointSets joined_{0};                      // ends, by their places; then stretches
  std::vector<std::pair<int, int>> by_place_;   // places and their ends
  std::vector<std::pair<double, int>> around_;  // angles and ends of the present place
  std::vector<Longest> sets_;                   // by stretch
  std::vector<std::pair<int, int>> by_set_;     // sets and their open stretches
  std::vector<std::size_t> begin_;              // of by_set_, by set
  Longest confirming_;                          // of those of which no line has to be asked
  std::vector<RimSweep::Swept> swept_;
};

}  // namespace volcontact
