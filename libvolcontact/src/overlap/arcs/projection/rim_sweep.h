// The area that the rim of a region's projection sweeps.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <utility>

#include "overlap/arcs/projection/contour.h"

namespace volcontact {

/// Twice the area of the projection that the rim sweeps: half the integral of along·(p × dp) over
/// edges and outlines run with the region on their left seen from along, times how often they
/// count, as far as they are the rim. Any number of threads may sweep at the same time.
class RimSweep {
 public:
  /// In how many intervals the line along the direction through a point meets the region; empty
  /// where every line meets it once at most.
  using CountLine = std::function<int(const Eigen::Vector3d& p)>;

  /// `along`, in the cube's coordinates, with the area of what is projected along it as its length;
  /// `precision` of each part of an edge, relative to the area of the cube's faces; lines are asked
  /// `beside` a contour, in the cube.
  RimSweep(const Eigen::Vector3d& along, double precision, double beside, CountLine count_line)
      : along_(along),
        agreement_(precision * along.norm()),
        beside_(beside),
        count_line_(std::move(count_line)) {}

  struct Swept {
    double area = 0.0;
    Eigen::Vector3d way = Eigen::Vector3d::Zero();  ///< from start to end, as often as they count
    void Add(const Swept& other) {
      area += other.area;
      way += other.way;
    }
  };
  /// Of a part between two places, times its share in the rim.
  Swept Between(const ContourPart& part, double from, double to, double share) const;
  /// Of a part whether it is the rim or not.
  Swept All(const ContourPart& part) const;

  /// In how many intervals the line through a point meets the region. Only where lines are counted.
  int CountAlong(const Eigen::Vector3d& p) const { return count_line_(p); }
  /// In how many intervals the line right beside a part of the contour, outside of what it bounds,
  /// meets the region. Only where lines are counted.
  int CountOutside(const ContourPart& part, double u) const;

 private:
  static CurvePoint At(const ContourPart& part, double u) {
    CurvePoint point;
    part.curves->PointOn(part.curve, u, &point);
    return point;
  }
  double SweptArea(const ContourPart& part, double from, double to, int depth) const;

  Eigen::Vector3d along_;
  double agreement_, beside_;
  CountLine count_line_;
};

}  // namespace volcontact
