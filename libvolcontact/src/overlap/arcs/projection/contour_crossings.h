// Crossings of edges and outlines in the projection along a direction.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "overlap/arcs/projection/contour.h"
#include "overlap/arcs/projection/plane_cubics.h"

namespace volcontact {

/// Finds where the parts of a contour cross each other as they are seen along a direction: only
/// there changes what lies before or behind them. Parts are taken as cubic curves of a few tenths
/// of a radian each, and crossings found on the true ones.
class ContourCrossings {
 public:
  /// The parts must outlive it; `along`: in their coordinates, of any length. Inner parts cross
  /// nothing. The same for any number of threads.
  void Run(const Eigen::Vector3d& along, const std::vector<ContourPart>& parts, int threads = 1);
  /// Where others cross a part, in order.
  std::span<const double> Of(std::size_t part) const {
    return {places_.data() + begin_[part], begin_[part + 1] - begin_[part]};
  }
  /// Whether others may cross a part elsewhere, too: one runs along it, or touches it.
  bool IsAmbiguous(std::size_t part) const { return is_ambiguous_[part] != 0; }
  bool AreAllFound() const { return are_all_found_; }

 private:
  using Vector2d = Eigen::Vector2d;
  struct Seen {
    double u;
    Vector2d p, derivative;
  };
  // A part from one place to another, and the cubic that it keeps near to.
  struct Arc {
    int part;
    Seen start, middle, end;
    PlaneCubic cubic;
    Vector2d low, high;
  };
  struct Crossing {
    int part;
    double u;
  };
  // Where an arc is seen.
  struct ArcBox {
    Vector2d low, high;
    std::size_t arc;
  };

  // Whether it is known where two cubics meet, and the place, as parts of them; none if they end
  // before.
  struct CubicMeeting {
    bool is_decided = false;
    std::optional<Vector2d> place = {};
  };

  class CurveOfArc;

  // What one thread finds.
  struct Finds {
    std::vector<Arc> arcs;
    std::vector<Crossing> crossings;
    std::vector<int> ambiguous;  // parts
    bool is_lost = false;        // a point of a part was not found
  };

  Seen At(int part, double u, Finds* finds) const;
  Arc ArcBetween(int part, const Seen& start, const Seen& end, double most_off, Finds* finds) const;
  void AddArcs(int part, Finds* finds) const;
  bool Cross(const Arc& first, const Arc& second, int depth, Finds* finds) const;
  static CubicMeeting MeetingOfCubics(const Arc& first, const Arc& second);
  bool MeetNear(const Vector2d& place, const Arc& first, const Arc& second, Finds* finds) const;
  void CrossOthers(std::size_t box, Finds* finds) const;
  bool IsEndOf(int part, double u) const;
  std::optional<std::array<PlaneCubic, 2>> FromSharedEnd(const Arc& first, const Arc& second) const;
  void Sort();

  const std::vector<ContourPart>* parts_ = nullptr;
  ContourView view_;
  std::vector<Arc> arcs_;
  std::vector<ArcBox> boxes_;        // from left to right
  std::vector<Finds> finds_;         // by thread
  std::vector<Crossing> crossings_;  // of all
  std::vector<double> places_;       // of all crossings, by part
  std::vector<std::size_t> begin_;   // by part, its first of places_
  std::vector<char> is_ambiguous_;   // by part
  bool are_all_found_ = true;
};

}  // namespace volcontact
