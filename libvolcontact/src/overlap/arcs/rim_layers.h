// The rim of a projection: the part of the contour at which a line along the direction starts or
// stops meeting the region.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "overlap/arcs/contour.h"
#include "overlap/arcs/contour_crossings.h"
#include "overlap/arcs/rim_sweep.h"
#include "solids/mesh_check/disjoint_sets.h"

namespace volcontact {

/// Integrates over the rim of a contour. Along a line, count the intervals inside the region. This
/// count changes only when the line crosses the contour, by a known step. So where parts of the
/// contour meet, the count on one side of one part gives the counts on all sides of the others. A
/// few lines then decide all parts that are connected. Keeps its memory.
class RimLayers {
 public:
  /// The area swept by the rim of `contour`, whose crossings along the direction are known. Nothing
  /// where lines do not agree with the contour. The result does not
  /// depend on the number of threads.
  std::optional<RimSweep::Swept> Run(const Eigen::Vector3d& along,
                                     const std::vector<ContourPart>& contour,
                                     const ContourCrossings& crossings, const RimSweep& sweep,
                                     int threads);

 private:
  // A piece of a part of the contour between two crossings, traversed with the region on its left.
  struct Stretch {
    std::size_t part;
    double from, to;
    double length;
    int step;  // intervals on its left minus those on its right; 0 if not a whole number
    int set = -1;
    int layers = 0;  // intervals on its left, relative to those of its set
  };
  // The projected start or end point of a stretch, and the direction into the stretch.
  struct End {
    Eigen::Vector2d p, way;
    int stretch;
    bool is_begin;
  };
  // Connected stretches, by one of them.
  struct Set {
    bool is_sound = true;      // what is known of it agrees
    int layers = 0;            // on the left of its stretch
    std::array<int, 3> asked;  // of which lines are asked, the longest first
    int count = 0;
  };

  void Cut(const std::vector<ContourPart>& contour, const ContourCrossings& crossings);
  void FindPlaces();
  void JoinStretches();
  bool SortAround();
  void GoAround();
  int SetOf(int stretch, int* layers);
  void Join(int first, int second, int difference);
  void FindSets();
  void AskLines(const std::vector<ContourPart>& contour, const RimSweep& sweep, Set* set) const;
  std::optional<RimSweep::Swept> Sweep(const Stretch& stretch, const ContourPart& part,
                                       const RimSweep& sweep) const;

  ContourView view_;
  std::vector<Stretch> stretches_;
  std::vector<End> ends_;
  std::vector<std::pair<double, int>> across_;  // ends, across the view
  DisjointSets joined_{0};                      // ends, by their places
  std::vector<std::pair<int, int>> by_place_;   // places and their ends
  std::vector<std::pair<double, int>> around_;  // angles and ends of the present place
  std::vector<Set> sets_;                       // by stretch
  std::vector<int> roots_;
  std::vector<std::optional<RimSweep::Swept>> swept_;
};

}  // namespace volcontact
