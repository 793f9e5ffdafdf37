// The distance of one solid's faces from another solid, in charts.
//
// Cells of space must be as small as the gap between two walls; cells of a wall's chart need not
// be, since there the other wall's polynomial is the gap itself (overlap/charts).
#pragma once

#include <Eigen/Core>
#include <deque>
#include <optional>
#include <queue>
#include <vector>

#include "overlap/cells/cell_bounds.h"
#include "overlap/distance/faces/chart_solid.h"
#include "overlap/distance/faces/gap_model.h"
#include "overlap/distance/faces/nearest_pair.h"

namespace volcontact {

/// Best first over cells of the charts of `own`. Of a point on its faces the distance from `other`
/// is at least that from each half of an intersection, and from the nearest operand of a union. It
/// is more where an edge of `other` stands out; such cells are left undecided.
/// All in the scaled coordinates of the solids' frames.
class FaceSearch {
 public:
  FaceSearch(const ChartSolid& own, const ChartSolid& other);

  /// Looks at so many cells at most, as far as they may be nearer than the best distance to one of
  /// some boxes, or everywhere; `best` becomes better, x on own and y on other. A gap of
  /// `resolution` is none. With `only_apart` any bound above that is enough.
  void Run(const std::vector<Cell>* near, double resolution, long max_cells, NearestPair* best,
           bool only_apart = false);

  /// A certified lower bound of the distance of what was looked at, but for what is left.
  double lower_bound() const { return lower_bound_; }
  /// One of the distance of what is left, and where that is.
  double left_bound() const { return left_bound_; }
  const std::vector<Cell>& left() const { return left_; }

 private:
  // A surface's chart with the functions of all surfaces on it that were asked for.
  struct Face {
    int surface;
    FaceChart at;
    Undecided trims;  // where on the surface the face is
    std::vector<std::optional<SurfaceOnChart>> own, other;
  };
  struct Range {
    double u, v, half_u, half_v;  // middle and half extents
  };
  struct Entry {
    double bound;
    int face;
    Range range;
    bool split_u;
    Cell box;
    const Undecided* own;
    const Undecided* other;
    bool operator<(const Entry& e) const { return bound > e.bound; }
  };
  // A literal of `other` on a cell: how far its side is at least, how far from the middle, and the
  // function of that gap.
  struct Side {
    int surface;
    bool above;
    double bound, middle;
    GapModel model;
  };
  // The same of an expression: what the bound lacks by, and what is nearest to the middle.
  struct Nearest {
    double bound = 0.0, middle = 0.0;
    const Side* lacking = nullptr;
    const Side* at_middle = nullptr;
  };

  void AddFace(int surface);
  Expression TrimsOf(int surface) const;
  void MergeTrims(Face* face);
  void Clip(Face* face);
  void Look(int face, const Range& range, double parent_bound, const Undecided* own,
            const Undecided* other);
  bool IsFar(const Cell& box) const;
  bool ModelOwn(Face* face, const ChartCell& cell, const Undecided** own);
  bool ModelOther(Face* face, const ChartCell& cell, const Undecided** other);
  Side SideOf(const Face& face, int surface, bool above) const;
  Nearest Compose(const Expression& expression, int root) const;
  GapModel WithTrims(const GapModel& p) const;
  void Approach(const Face& face, const Range& range, const Undecided& own, const Nearest& nearest);
  void TryPoint(const Eigen::Vector3d& x, const Undecided& own, const Nearest& nearest);
  bool SplitsAlongU(const SurfaceChart& chart, const ChartPoint& at, const Range& range,
                    const Nearest& nearest) const;
  const SurfaceOnChart& On(Face* face, bool is_own, int surface);
  void Leave(const Entry& entry);

  const ChartSolid& own_;
  const ChartSolid& other_;
  Cell other_bounds_;
  std::vector<LiteralSides> own_sides_, sides_;  // of the literals of own, and of other
  Undecided all_other_;
  UndecidedPool pool_;
  std::deque<Face> faces_;
  std::priority_queue<Entry> queue_;
  const std::vector<Cell>* near_ = nullptr;
  NearestPair* best_ = nullptr;
  double lower_bound_ = 0.0, left_bound_ = 0.0;
  std::vector<Cell> left_;
  long cells_ = 0;
  // Models of the cell that is searched, by surface.
  std::vector<GapModel> own_models_, other_models_;
  std::vector<Side> below_, above_;
  std::vector<double> at_most_;  // factors
  std::vector<Truth> own_states_, other_states_;
  const Undecided* trims_ = nullptr;
};

}  // namespace volcontact
