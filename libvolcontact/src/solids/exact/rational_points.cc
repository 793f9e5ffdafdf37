#include "solids/exact/rational_points.h"

#include <CGAL/Intersections_3/Segment_3_Segment_3.h>
#include <CGAL/Intersections_3/Triangle_3_Triangle_3.h>
#include <CGAL/Simple_cartesian.h>

namespace volcontact {
namespace {

using ExactKernel = CGAL::Simple_cartesian<Rational>;

ExactKernel::Triangle_3 ToTriangle(const std::array<Eigen::Vector3d, 3>& t) {
  const auto point = [](const Eigen::Vector3d& p) {
    return ExactKernel::Point_3(Rational(p.x()), Rational(p.y()), Rational(p.z()));
  };
  return {point(t[0]), point(t[1]), point(t[2])};
}

RationalPoint FromPoint(const ExactKernel::Point_3& p) { return {p.x(), p.y(), p.z()}; }

}  // namespace

RationalPoint ToExact(const Eigen::Vector3d& p) {
  return {Rational(p.x()), Rational(p.y()), Rational(p.z())};
}

Eigen::Vector3d Rounded(const RationalPoint& p) {
  return {CGAL::to_double(p[0]), CGAL::to_double(p[1]), CGAL::to_double(p[2])};
}

std::vector<RationalPoint> CommonPoints(const std::array<Eigen::Vector3d, 3>& first,
                                        const std::array<Eigen::Vector3d, 3>& second) {
  const auto common = CGAL::intersection(ToTriangle(first), ToTriangle(second));
  std::vector<RationalPoint> points;
  if (!common) return points;
  if (const auto* point = boost::get<ExactKernel::Point_3>(&*common)) {
    points = {FromPoint(*point)};
  } else if (const auto* segment = boost::get<ExactKernel::Segment_3>(&*common)) {
    points = {FromPoint(segment->source()), FromPoint(segment->target())};
  } else if (const auto* triangle = boost::get<ExactKernel::Triangle_3>(&*common)) {
    for (int i = 0; i < 3; ++i) points.push_back(FromPoint(triangle->vertex(i)));
  } else if (const auto* corners = boost::get<std::vector<ExactKernel::Point_3>>(&*common)) {
    for (const ExactKernel::Point_3& p : *corners) points.push_back(FromPoint(p));
  }
  return points;
}

int RationalPoints::Add(const RationalPoint& p) {
  const Eigen::Vector3d rounded = Rounded(p);
  std::vector<int>& same = by_rounded_[{rounded.x(), rounded.y(), rounded.z()}];
  for (const int i : same) {
    if (exact_[i] == p) return i;
  }
  const int number = static_cast<int>(exact_.size());
  same.push_back(number);
  exact_.push_back(p);
  rounded_.push_back(rounded);
  return number;
}

}  // namespace volcontact
