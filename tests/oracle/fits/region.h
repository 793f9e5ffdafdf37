// An overlap as straight rays see it: rays over two parameters, and the surfaces that end them.
#pragma once

#include <functional>
#include <vector>

#include "surface.h"

namespace fits {

enum class Owner { kNone, kA, kB };

struct Bound {
  SurfacePtr surface;  // the region is where it is not positive
  Owner owner = Owner::kNone;
};

struct Region {
  std::function<Ray(Real, Real)> ray;
  Real u_low = 0, u_high = 0, v_low = 0, v_high = 0;
  Real t_low = 0, t_high = 0;            // the region's part of each ray
  Real search_low = 0, search_high = 0;  // surfaces are looked for here, which tells a gap's width
  // The owners of the surfaces t = t_low and t = t_high; their normals are along the rays.
  Owner low_owner = Owner::kNone, high_owner = Owner::kNone;
  std::vector<Bound> bounds;
  bool turns = false;  // rays may meet a bound more than once: intervals appear where it turns
  // Where the structure may change, where a family knows it; searched for otherwise.
  std::vector<Real> u_breaks;
  std::function<std::vector<Real>(Real u)> v_breaks;
  // The owner of the faces that give the area vector: those that no ray runs along.
  Owner area_from = Owner::kA;
};

// Ends of an interval of a ray: an index of `bounds`, or one of these.
constexpr int kLowEnd = -1, kHighEnd = -2;

struct Interval {
  Real low = 0, high = 0;
  int low_label = kLowEnd, high_label = kHighEnd;
};

struct Sight {
  std::vector<Interval> intervals;
  std::vector<int> signature;  // the labels of all intervals
  Real margin = 0;             // the length of the one interval, negative where there is a gap
  std::vector<Real> slack;     // each passes zero where the signature changes
};

Sight LookAlong(const Region& region, const Ray& ray);

struct Totals {
  Real volume = 0;
  Vec moment, area;  // of x dV; of B's outward normal over its boundary within A
  Real face = 0;     // what the area vector is summed over, without what cancels
};

struct Resolution {
  int u_grid = 96, v_grid = 48;      // where changes of the structure are looked for
  int u_points = 24, v_points = 20;  // nodes in each piece
};

Totals Integrate(const Region& region, const Resolution& resolution);

// The greatest interval of any ray, found coarsely: how deep A and B overlap.
Real GreatestMargin(const Region& region);

}  // namespace fits
