// The rim of a projection, slab by slab, where the contour has parts that nearly coincide.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "overlap/arcs/projection/contour.h"
#include "overlap/arcs/projection/contour_crossings.h"
#include "overlap/arcs/projection/rim_sweep.h"

namespace volcontact {

/// Integrates over the rim of a contour. The view is cut into slabs across one direction, in which
/// no part of the contour ends, turns back or crosses another. Along a line across a slab, count
/// the intervals inside the region: from none, each part of the contour changes the count by a
/// known step. The rim is where the count leaves zero or returns to it. So an order of parts that
/// nearly coincide that is wrong costs no more area than lies between them. Keeps its memory.
class RimSlabs {
 public:
  /// Twice the area that the rim of `contour` encloses, times the length of `along`. Crossings that
  /// `crossings` lacks are found here. Nothing if the contour does not close: in more than a small
  /// part of the slabs some count does not return to zero, or a line through the widest gap shows
  /// that parts are missing on both sides of it, if it is to be asked; or if roundings
  /// decide the order of parts. `sweep` integrates.
  std::optional<double> Run(const Eigen::Vector3d& along, const std::vector<ContourPart>& contour,
                            const ContourCrossings& crossings, const RimSweep& sweep,
                            bool asks_lines);

 private:
  static constexpr double kNot = std::numeric_limits<double>::infinity();

  // A point of a part as it is seen: across the slabs, and along them.
  struct Seen {
    double s, x, slope_s;
  };
  // Where a piece meets the line at s.
  struct Meeting {
    double s = kNot, u = 0.0, x = 0.0;
  };
  // What of a part runs one way across the slabs.
  struct Piece {
    std::size_t part;
    double low_u, high_u;    // at its lower and its higher s
    double low, high;        // s
    double step;             // intervals beyond it along the line minus those before it
    bool is_ambiguous;       // others may cross it
    double rim_from = kNot;  // from which s on it is the rim; kNot: it is not
    // The last ones: both ends of a slab and its middle are asked for many times.
    std::array<Meeting, 3> meetings = {};
    std::size_t oldest = 0;
  };

  Seen At(const ContourPart& part, double u) const;
  void AddPieces(const ContourCrossings& crossings);
  double TurnBetween(const ContourPart& part, double from, double to, double slope_s) const;
  void AddOneWay(std::size_t part, double from, double to, bool is_ambiguous);
  double ParameterAt(const Piece& piece, double s) const;
  Meeting MeetingAt(Piece* piece, double s) const;
  double Across(int piece, double s) { return MeetingAt(&pieces_[piece], s).x; }
  void Enter(int piece, double s);
  void Leave(double s);
  bool MayCross(std::size_t n) const;
  void SweepSlab(double from, double to, int depth);
  std::optional<double> CrossingIn(double from, double middle, double to);
  void SortAmbiguous(double s);
  void FindRim(double from, double to);
  bool IsClosed(double from, double to);
  bool AgreesWithLines(double s);
  double ChordAt(double s);
  void ChooseAskedSlabs();
  void CloseAt(Piece* piece, double s);

  ContourView view_;
  const std::vector<ContourPart>* contour_ = nullptr;
  const RimSweep* sweep_ = nullptr;
  bool asks_lines_ = false;
  double length_ = 0.0;  // of along
  std::vector<Piece> pieces_;
  std::vector<double> cuts_;    // of the present part
  std::vector<double> events_;  // where pieces begin and end
  std::vector<int> order_;      // the pieces in the present slab, along it
  std::vector<int> rim_;        // the pieces of the rim in the last slab that closed
  std::vector<double> widths_;
  long cuts_left_ = 0;        // of slabs
  double asked_width_ = 0.0;  // slabs that are as wide are compared with lines
  double chord_before_ = 0.0;
  double gap_from_ = kNot;  // where the slabs begin that do not close; kNot: the last one does
  double area_ = 0.0, open_ = 0.0;
};

}  // namespace volcontact
