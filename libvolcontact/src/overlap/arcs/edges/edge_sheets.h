// The neighbourhood of an edge: the surfaces through it, and their faces on both sides.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace volcontact {

/// A surface through an edge, with its faces beside the edge, run from its start to its end and
/// seen from where the surface's psi is positive.
struct EdgeSheet {
  int surface;
  int weight;  ///< of the face on the left, less that on the right: 1 where the region lies below
               ///< it, −1 above, else 0
  int faces;   ///< the same with every face counted 1

  bool operator==(const EdgeSheet&) const = default;
};

/// Where the region is around the curve of two surfaces: below and above the first, and below and
/// above the second.
struct PresenceAround {
  bool below_below, above_below, below_above, above_above;
};

/// The sheets of an edge that have faces: of two surfaces as a rule, of more where these share the
/// edge.
class EdgeSheets {
 public:
  static constexpr std::size_t kMost = 6;

  /// Adds the sheet of a surface with the region's presence below and above it on the left, and on
  /// the right of the edge; nothing when the face goes on unchanged. There must be room.
  void Add(int surface, bool below_left, bool above_left, bool below_right, bool above_right) {
    const int left = int{below_left} - int{above_left}, right = int{below_right} - int{above_right};
    const EdgeSheet sheet{surface, left - right, left * left - right * right};
    if (sheet.weight != 0 || sheet.faces != 0) sheets_[count_++] = sheet;
  }
  void Add(const EdgeSheet& sheet) { sheets_[count_++] = sheet; }
  /// The sheets of the edge of two surfaces. `along`: it is run along ∇psi_first × ∇psi_second;
  /// then where the second psi is negative lies on the left of the first, and where the first is
  /// positive on the left of the second.
  static EdgeSheets OfEdge(int first, int second, bool along, const PresenceAround& at) {
    EdgeSheets sheets;
    if (along) {
      sheets.Add(first, at.below_below, at.above_below, at.below_above, at.above_above);
      sheets.Add(second, at.above_below, at.above_above, at.below_below, at.below_above);
    } else {
      sheets.Add(first, at.below_above, at.above_above, at.below_below, at.above_below);
      sheets.Add(second, at.below_below, at.below_above, at.above_below, at.above_above);
    }
    return sheets;
  }
  /// The sheet of a surface where it is cut by another: the face below that.
  static EdgeSheets OfCut(int first, bool along, const PresenceAround& at) {
    EdgeSheets sheets;
    if (along) {
      sheets.Add(first, at.below_below, at.above_below, false, false);
    } else {
      sheets.Add(first, false, false, at.below_below, at.above_below);
    }
    return sheets;
  }
  bool IsEmpty() const { return count_ == 0; }
  bool operator==(const EdgeSheets& other) const {
    return std::equal(sheets_.begin(), sheets_.begin() + count_, other.sheets_.begin(),
                      other.sheets_.begin() + other.count_);
  }
  std::span<const EdgeSheet> All() const { return {sheets_.data(), count_}; }

 private:
  std::array<EdgeSheet, kMost> sheets_;
  std::size_t count_ = 0;
};

}  // namespace volcontact
