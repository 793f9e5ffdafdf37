// The area that the rim of a region's projection sweeps.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <functional>
#include <span>

#include "overlap/arcs/contour.h"

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
        count_line_(std::move(count_line)),
        meets_once_(!count_line_) {}

  struct Swept {
    double area = 0.0;
    Eigen::Vector3d way = Eigen::Vector3d::Zero();  ///< from start to end, as often as they count
    void Add(const Swept& other) {
      area += other.area;
      way += other.way;
    }
  };
  /// Of a part of the contour that others cross at some places, and perhaps elsewhere where it is
  /// ambiguous.
  Swept Run(const ContourPart& part, std::span<const double> crossings, bool is_ambiguous);
  /// Between two places of it: where nothing crosses it, where others may cross it unseen, and
  /// where its share is known.
  Swept Add(const ContourPart& part, double from, double to);
  Swept Search(const ContourPart& part, double from, double to);
  Swept Between(const ContourPart& part, double from, double to, double share) const;
  /// Of a part whether it is the rim or not.
  Swept All(const ContourPart& part) const;

  /// The part that an edge at p has in the rim of the projection: none where lines right beside it,
  /// outside of what it bounds, meet the region, else one part in as many as there are lumps of the
  /// region behind each other on its inner side, whose edges then lie behind each other, too.
  double Share(const Eigen::Vector3d& p, const Eigen::Vector3d& forward);

  /// In how many intervals the line right beside a part of the contour, outside of what it bounds,
  /// meets the region. Only where lines are counted.
  int CountOutside(const ContourPart& part, double u);

  /// Whether the search has no end: then the area is not known.
  bool IsSpent() const { return probes_ > kMaxProbes; }

 private:
  static constexpr long kMaxProbes = 100'000;

  static CurvePoint At(const ContourPart& part, double u) {
    CurvePoint point;
    part.curves->PointOn(part.curve, u, &point);
    return point;
  }
  Eigen::Vector3d StepBeside(const Eigen::Vector3d& forward) const;
  double ShareAt(const ContourPart& part, double u);
  double SweptArea(const ContourPart& part, double from, double to, int depth) const;

  Eigen::Vector3d along_;
  double agreement_, beside_;
  CountLine count_line_;
  bool meets_once_;
  std::atomic<long> probes_ = 0;
};

}  // namespace volcontact
