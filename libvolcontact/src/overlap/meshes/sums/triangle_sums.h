// Sums over several triangles at a time.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "solids/mesh/face_sums.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact {

/// Area vectors of triangles.
class AreaVectors {
 public:
  void Clear() {
    for (std::vector<double>& values : values_) values.clear();
  }
  void Add(const Eigen::Vector3d& N) {
    for (int i = 0; i < 3; ++i) values_[i].push_back(N[i]);
  }
  /// `count` by components.
  void Add(const double* x, const double* y, const double* z, int count);
  /// The sum of |n·N|.
  double Projection(const Eigen::Vector3d& n) const;

 private:
  std::array<std::vector<double>, 3> values_;
};

/// Takes triangles and sums them in blocks and, within these, in lanes: the compiler then sums as
/// many at a time as the processor's vectors hold, the same to the last bit on all of them.
class TriangleSums {
 public:
  /// Area vectors of the triangles take the place of what `areas` held.
  explicit TriangleSums(AreaVectors* areas) : areas_(areas) { areas_->Clear(); }
  virtual ~TriangleSums() = default;
  TriangleSums(const TriangleSums&) = delete;
  TriangleSums& operator=(const TriangleSums&) = delete;

  /// p, q, r from an origin, counterclockwise from outside. Some 20 ns, most of it for the sums.
  void AddTriangle(const Eigen::Vector3d& p, const Eigen::Vector3d& q, const Eigen::Vector3d& r) {
    for (int i = 0; i < 3; ++i) {
      corners_[i][count_] = p[i];
      corners_[3 + i][count_] = q[i];
      corners_[6 + i][count_] = r[i];
    }
    if (++count_ == kBlock) SumAndClear();
  }
  /// To be called after the last triangle, before the sums are read.
  void Finish();

 protected:
  static constexpr int kLanes = 4, kBlock = 8 * kLanes;
  using Block = std::array<double, kBlock>;
  using Lanes = std::array<double, kLanes>;
  /// What each triangle of a block adds to `kCount` sums.
  template <int kCount>
  using Terms = std::array<Block, kCount>;
  template <int kCount>
  using LaneSums = std::array<Lanes, kCount>;

  /// Adds the first `count` triangles, a multiple of kLanes, to the sums.
  virtual void SumBlock(int count) = 0;
  template <int kCount>
  static void AddTerms(const Terms<kCount>& terms, int count, LaneSums<kCount>* sums);
  static double Total(const Lanes& lanes) { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }

  std::array<Block, 9> corners_;
  AreaVectors* areas_;

 private:
  void SumAndClear();

  int count_ = 0;
};

/// SurfaceSums, for an origin in or near the triangles' volume.
class ConeSums final : public TriangleSums {
 public:
  using TriangleSums::TriangleSums;
  SurfaceSums Surface() const;
  /// Bound of the rounding of the flux: kTermRounding of the terms.
  double error() const { return Total(sums_[kError]); }
  /// The sum of the triangles' areas, or up to 1.8 times that.
  double area() const { return Total(sums_[kAbsoluteArea]); }

 private:
  enum : int { kFlux0, kFlux1, kFlux2 = 4, kArea = 10, kTorque = 13, kError = 16, kAbsoluteArea };
  static constexpr int kCount = 18;
  void SumBlock(int count) override;

  LaneSums<kCount> sums_{};
};

/// The moments of the volume between triangles and the plane z = 0, from fluxes of the fields
/// (0, 0, z), (0, 0, xz) and so on, which vanish in the plane. Their terms are as small as the
/// volume is thin. The heights z must be right to their last digits, x and y need not.
class HeightSums final : public TriangleSums {
 public:
  using TriangleSums::TriangleSums;
  /// About the origin.
  VolumeMoments Moments() const;
  /// The area vector and the torque about the origin of the section in the plane, its normal +z.
  Eigen::Vector3d SectionArea() const { return {0.0, 0.0, -Total(sums_[kAcross])}; }
  Eigen::Vector3d SectionTorque() const {
    return {-Total(sums_[kAcrossY]), Total(sums_[kAcrossX]), 0.0};
  }
  /// Bound of the volume's error by roundings of the terms, and of x and y.
  double error() const { return Total(sums_[kError]); }
  /// The sum of |n_z| dS, or more.
  double area_across() const { return Total(sums_[kAbsoluteAcross]); }

 private:
  enum : int { kAcross, kAcrossX, kAcrossY, kVolume, kFirst, kSecond = 7, kError = 13 };
  static constexpr int kAbsoluteAcross = 14, kCount = 15;
  void SumBlock(int count) override;

  LaneSums<kCount> sums_{};
};

}  // namespace volcontact
