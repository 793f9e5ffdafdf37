// What lies about an edge: the surfaces through it, and their faces on both sides of it.
#pragma once

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
  bool IsEmpty() const { return count_ == 0; }
  std::span<const EdgeSheet> All() const { return {sheets_.data(), count_}; }

 private:
  std::array<EdgeSheet, kMost> sheets_;
  std::size_t count_ = 0;
};

}  // namespace volcontact
