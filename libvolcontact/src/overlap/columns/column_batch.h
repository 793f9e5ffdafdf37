// The columns of one smooth piece of a slice, all nodes of a quadrature rule at a time.
#pragma once

#include <vector>

#include "math/quadrature/gauss_rules.h"
#include "math/quadrature/quadrature_node.h"
#include "overlap/columns/slice_surface.h"

namespace volcontact {

struct SliceSums;

/// Where the columns of a piece enter or leave the region: on one branch of a surface of degree
/// <= 2, or at the box's end.
struct BatchEnd {
  const SliceSurface* surface;  ///< null at the box's end
  double box_end;               ///< the height there
  bool lower;                   ///< the branch where psi falls with z
  double share;                 ///< of B in the surface
};

/// A literal psi <= 0 of a conjunction on a slice: the coefficients of SliceSurface, with the
/// literal's sign.
struct HalfSlice {
  double a, b0, b1, c0, c1, c2;
  int surface;
};

/// Integrates over a piece on which all columns have the same ends. They are followed without
/// looking at the other surfaces, in loops that the compiler turns into vector instructions: every
/// operation is done number by number in a fixed order, so that the result does not depend on it.
class ColumnBatch {
 public:
  /// Starts a piece. With `polar` the measure is v dv.
  void Begin(bool polar) {
    polar_ = polar;
    ends_.clear();
  }
  /// The ends of the piece's columns, in order, in pairs (entry, exit).
  void AddEnd(const BatchEnd& end) { ends_.push_back(end); }

  /// Finds the columns of part number `part` of `parts` equal parts in the variable of the maps.
  void FindColumns(const KronrodRule& rule, const NodeMap& map, const NearMap& near_map, int part,
                   int parts);
  /// Where the columns stand; those beyond the rule's size repeat its middle.
  double node(int n) const { return v_[n]; }
  /// Whether the ends of all columns, one interval each, are in order and satisfy some literals.
  bool Satisfies(const std::vector<HalfSlice>& literals) const;
  /// Adds the integral over the columns.
  void Integrate(SliceSums* sums, SliceSums* coarse) const;
  /// Adds what end number `n` alone contributes: the integrals up to it, or less those up to it
  /// where it is an entry. The maps may be different for every end.
  void IntegrateEnd(std::size_t n, const KronrodRule& rule, const NodeMap& map, int part, int parts,
                    SliceSums* sums, SliceSums* coarse);

 private:
  static constexpr int kMaxNodes = 32;
  using Values = double[kMaxNodes];

  // Heights of an end, and its area element over dv dw, (v, w, 1).
  struct alignas(32) EndValues {
    Values z, element_v, element_w;
  };

  void SetNodes(const KronrodRule& rule, const NodeMap& map, const NearMap& near_map, int part,
                int parts);
  void FollowEnd(const BatchEnd& end, EndValues* values) const;
  void AddInterval(const Values z0, const Values z1, SliceSums* sums, SliceSums* coarse) const;
  void AddUpTo(double sign, const Values z, SliceSums* sums, SliceSums* coarse) const;
  void AddBoundary(std::size_t n, const EndValues& values, SliceSums* sums,
                   SliceSums* coarse) const;
  void AddArea(double factor, const EndValues& end, SliceSums* sums, SliceSums* coarse) const;
  double Accumulate(double factor, const Values x, double* sum, double* coarse) const;

  bool polar_ = false;
  std::vector<BatchEnd> ends_;
  std::vector<EndValues> values_;  // by end
  int count_ = 0, gauss_count_ = 0;
  // Nodes with their weights, those of the Gauss rule first, filled up with weights of zero.
  alignas(32) Values v_, fine_, gauss_;
};

}  // namespace volcontact
