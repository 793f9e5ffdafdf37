// The rim of a shadow, found from how many lumps of a region lie behind each other.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "overlap/arcs/contour.h"
#include "overlap/arcs/contour_crossings.h"
#include "overlap/arcs/rim_sweep.h"
#include "solids/mesh_check/disjoint_sets.h"

namespace volcontact {

/// Sums what the rim sweeps of a contour. The number of intervals in which lines meet the region
/// changes across its contour alone, by half of how often that counts. Around a place where parts
/// of the contour end or cross, what it is beside one of them thus tells what it is beside the
/// others, and a few lines tell it of all that hangs together. Keeps its memory.
class RimLayers {
 public:
  /// Of a contour whose crossings along the direction were found. The same for any number of
  /// threads.
  RimSweep::Swept Run(const Eigen::Vector3d& along, const std::vector<ContourPart>& contour,
                      const ContourCrossings& crossings, RimSweep* sweep, int threads);

 private:
  // Of a part of the contour, between crossings, run with the region on its left.
  struct Stretch {
    std::size_t part;
    double from, to;
    double length;
    bool is_ambiguous;
    int step;  // intervals on its left less those on its right; 0 where that is no whole number
    int set = -1;
    int layers = 0;  // intervals on its left, more than on the left of its set's
  };
  // Where a stretch begins or ends, as it is seen, and the way into it.
  struct End {
    Eigen::Vector2d p, way;
    int stretch;
    bool is_begin;
  };
  // Stretches that hang together, by one of them.
  struct Set {
    bool is_sound = true;      // what is known of it agrees
    int layers = 0;            // on the left of its stretch
    std::array<int, 3> asked;  // of which lines are asked, the longest first
    int count = 0;
  };

  void Cut(const std::vector<ContourPart>& contour, const ContourCrossings& crossings);
  void FindPlaces();
  void HangTogether();
  bool SortAround();
  void GoAround();
  int SetOf(int stretch, int* layers);
  void Join(int first, int second, int difference);
  void FindSets();
  void AskLines(const std::vector<ContourPart>& contour, RimSweep* sweep, Set* set) const;
  RimSweep::Swept Sweep(const Stretch& stretch, const ContourPart& part, RimSweep* sweep) const;

  Eigen::Matrix<double, 2, 3> view_;
  std::vector<Stretch> stretches_;
  std::vector<End> ends_;
  std::vector<std::pair<double, int>> across_;  // ends, across the view
  DisjointSets joined_{0};                      // ends, by their places
  std::vector<std::pair<int, int>> by_place_;   // places and their ends
  std::vector<std::pair<double, int>> around_;  // angles and ends of the present place
  std::vector<Set> sets_;                       // by stretch
  std::vector<int> roots_;
  std::vector<RimSweep::Swept> swept_;
};

}  // namespace volcontact
