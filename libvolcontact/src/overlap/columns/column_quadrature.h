// Adaptive column quadrature over a box, of high order.
//
// Parallel slices are integrated over their position x, by Gauss–Kronrod rules on panels. Within a
// panel the structure of the slice (which surfaces bound its columns, in which order) does not
// change. The x at which it changes are located first. So every integrand is analytic, and every
// rule converges spectrally. (Compare Saye, SISC 37 (2015) A993, who splits by implicit height
// functions instead.)
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "math/time_limit.h"
#include "overlap/columns/region_sums.h"
#include "overlap/columns/slice.h"
#include "overlap/columns/slice_family.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

// Moments are integrated this much more accurately than asked: the box is up to twice the overlap's
// size, so an error in its units weighs up to this much more on the inertia.
inline constexpr double kToleranceMargin = 0.25;
// Surfaces no further off the columns' direction than the (internal) tolerance are integrated as
// exact walls: a wall tilted by t shifts the volume by t/4 at most. A loose tolerance does not go
// all the way.
inline constexpr double kMaxWallTilt = 1e-6;

struct ColumnQuadratureOptions {
  double tolerance = 1e-6;       ///< relative, on all moments in the box's units
  long max_columns = 2'000'000;  ///< and looks at surfaces on slices: budget; exceeding it ends in
                                 ///< converged = false
  int threads = 1;
  SliceFamily family = {};
  /// A covector in the problem's scaled coordinates, see Slice::SetFacing.
  Eigen::Vector3d facing = Eigen::Vector3d::Zero();
};

struct ColumnQuadratureResult {
  RegionSums sums;
  double error = 0.0;       ///< estimate of the error of the moments, in the box's units
  double area_error = 0.0;  ///< and of the area terms
  bool converged = true;
  long panels = 0;
  long slices = 0;
  long columns = 0;  ///< and looks at surfaces on slices, which cost about as much
};

/// An interval of a column in the problem's scaled coordinates, and the volume it stands for.
struct VolumeColumn {
  double x, y, z0, z1;
  double volume;
};

/// Integrates a problem's region, all of which must lie within its box. One object keeps its memory
/// from run to run; results do not depend on the number of threads.
class ColumnQuadrature {
 public:
  ColumnQuadratureResult Run(const LocalProblem& problem, const ColumnQuadratureOptions& options);

  /// The columns of the latest run, whose problem must still stand, in a fixed order: a quadrature
  /// of its region, by the highest rule so that they are dense; about an axis by that of the
  /// panels, in half-slices.
  std::vector<VolumeColumn> SampleColumns();

 private:
  // An interval of x. branch0 <= x0 and branch1 >= x1 are the nearest places where the structure of
  // slices changes, infinite when there is none.
  struct Panel {
    double x0, x1;
    double branch0, branch1;
    std::uint64_t structure;  // of the slice in its middle
    int rule_x = 0;           // indices in kKronrodRules: across slices,
    int rule_v = 0;           // and along them
    int parts = 1;            // of each piece along the slice
    int splits = 0;
    bool done = false;
    bool smooth = false;  // all its slices have its structure
    bool latest = false;  // its jobs are those of the latest round
    std::size_t first_job = 0;
    RegionSums sums;
    double error_x = 0.0, error_v = 0.0;

    // The errors of their area terms. In slivers between walls these are a large part of the whole,
    // although the volume is small.
    double area_error_x = 0.0, area_error_v = 0.0;
    double ErrorX(const RegionSums& total) const;
    double ErrorV(const RegionSums& total) const;
  };
  // Work for one node of one panel, and its outcome.
  struct Job {
    std::size_t panel;
    double x;
    double weight, gauss;
    std::uint64_t structure;
    RegionSums fine, coarse;
    long effort;
  };
  struct Probe {
    double x;
    SliceStructure structure;
  };
  static constexpr int kMaxRule = 3;  // the highest index in kKronrodRules
  // Searches for events that lie next to each other go so deep.
  static constexpr int kMaxEventDepth = 6;
  struct EventScratch {
    Probe trial, previous, middle;
  };

  // A place where the structure of slices changes. `corner`: three surfaces meet there, on either
  // side of it the integrand is analytic up to the place and beyond. Slices up to `margin` away may
  // still show the structure of the other side; zero: the place is exact.
  struct Break {
    double x;
    bool corner;
    double margin;
  };

  void FindStructureAt(double x, SliceStructure* structure);
  void IntegrateSlice(Slice* slice, const SliceStructure& structure, const Panel& panel,
                      SliceSums* fine, SliceSums* coarse) const;
  void FindKnownBreaks();
  void FindCommonPoints();
  void AddPointsOnLine(const Eigen::Vector3d& n, double n_offset, const Eigen::Vector3d& m,
                       double m_offset, int surface, std::initializer_list<int> surfaces);
  bool MattersAt(const Eigen::Vector3d& p, std::initializer_list<int> surfaces);
  void FindPanels();
  void FindPanelsOfExtent();
  bool FindBreaks(double begin, double end, int density);
  void AddFacesAcross(RegionSums* sums);
  bool AddPanel(Panel panel, std::vector<Panel>* panels);
  void AddPanels(const Panel& range, std::vector<Panel>* panels);
  void CutWidePanels();
  void LocateEvent(Probe* left, Probe* right, int depth);
  bool FindMeetingPoint(const Probe& left, const Probe& right, Break* meeting);
  bool FollowGap(const Probe& previous, const Probe& near, const Probe& far, bool beyond,
                 double* x) const;
  void RunJob(Slice* slice, SliceStructure* structure, Job* job) const;
  bool RunJobs();
  void FinishPanels();
  bool CutAtEvents(const Panel& panel, std::vector<Panel>* panels);
  bool Refine(double error_target);
  bool IsSpent() const { return columns_ + effort_ > options_.max_columns || TimeLimit::IsOver(); }
  // The search for breaks and a round that has begun may pass the budget, since half of one tells
  // nothing: to so many budgets and this, a tenth of a second at most.
  static constexpr long kBudgetsForBreaks = 1, kMoreForBreaks = 250'000;
  static constexpr long kBudgetsForRound = 2, kMoreForRound = 500'000;
  bool IsPast(long budgets, long more) const {
    return (columns_ + effort_ - more) / budgets > options_.max_columns || TimeLimit::IsOver();
  }
  bool AreBreaksGivenUp() const { return IsPast(kBudgetsForBreaks, kMoreForBreaks); }
  double TotalError(RegionSums* sums) const;
  double TotalAreaError() const;

  const LocalProblem* problem_ = nullptr;
  ColumnQuadratureOptions options_;
  double resolution_ = 0.0;  // of places in x where the structure changes
  double narrow_ = 0.0;  // pieces of slices narrower than this part of the box go to a neighbour
  std::vector<EventSource> sources_;
  std::vector<Truth> states_;
  std::vector<int> active_;  // surfaces that occur in the problem's expression
  Slice slice_;
  std::vector<Probe> probes_;  // never shrinks, to keep the memory of structures
  Probe left_, right_;
  std::array<EventScratch, kMaxEventDepth + 1> scratch_;
  std::vector<Break> breaks_, known_breaks_;
  Column column_;
  SliceStructure structure_;
  std::vector<Panel> panels_, refined_;
  std::vector<Job> jobs_;
  std::vector<Slice> slices_by_thread_;
  std::vector<SliceStructure> structures_by_thread_;
  long slices_ = 0, columns_ = 0;
  long effort_ = 0;  // of slices, in surfaces looked at
};

}  // namespace volcontact
