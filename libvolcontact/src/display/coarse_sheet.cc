#include "display/coarse_sheet.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>
#include <utility>

#include "display/surface_function.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {
namespace {

constexpr int kAround = 12, kAroundTube = 8, kGraphParts = 4;

struct Spread {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Vector3d high = -low;
};

// The spread of the field's box along the chart's axes.
Spread SpreadOfBox(const DisplayField& field, const Chart& chart) {
  Spread spread;
  for (int corner = 0; corner < 8; ++corner) {
    Eigen::Vector3d y = field.half();
    for (int i = 0; i < 3; ++i) y[i] *= (corner >> i & 1) != 0 ? 1.0 : -1.0;
    const Eigen::Vector3d u = chart.ToOwn(y);
    spread.low = spread.low.cwiseMin(u);
    spread.high = spread.high.cwiseMax(u);
  }
  return spread;
}

// From low to high in equal parts, and what of `marks` lies between.
std::vector<double> Stations(double low, double high, int parts, const std::vector<double>& marks) {
  std::vector<double> result;
  for (int i = 0; i <= parts; ++i) result.push_back(low + (high - low) * i / parts);
  for (const double mark : marks) {
    if (mark > low && mark < high) result.push_back(mark);
  }
  std::sort(result.begin(), result.end());
  const double least = 1e-9 * (high - low);
  const auto near = [least](double a, double b) { return b - a < least; };
  result.erase(std::unique(result.begin(), result.end(), near), result.end());
  return result;
}

// A grid of points, row by row; rows are closed where `wraps`.
void AddQuads(int rows, int columns, bool wraps_rows, bool wraps, CoarseSheet* sheet) {
  const int last_row = wraps_rows ? rows : rows - 1, last = wraps ? columns : columns - 1;
  for (int i = 0; i < last_row; ++i) {
    for (int j = 0; j < last; ++j) {
      const auto at = [&](int row, int column) {
        return static_cast<std::uint32_t>(row % rows * columns + column % columns);
      };
      sheet->triangles.push_back({{at(i, j), at(i + 1, j), at(i + 1, j + 1)}});
      sheet->triangles.push_back({{at(i, j), at(i + 1, j + 1), at(i, j + 1)}});
    }
  }
}

void CoverGraph(const Spread& spread, CoarseSheet* sheet) {
  const Chart& chart = sheet->chart;
  const int parts = chart.flat ? 1 : kGraphParts;
  const std::vector<double> marks = chart.flat ? std::vector<double>{} : std::vector<double>{0.0};
  const std::vector<double> us = Stations(spread.low[0], spread.high[0], parts, marks);
  const std::vector<double> vs = Stations(spread.low[1], spread.high[1], parts, marks);
  for (const double u : us) {
    for (const double v : vs) {
      sheet->points.push_back(chart.FromOwn({u, v, chart.HeightAt(u, v)}));
    }
  }
  AddQuads(static_cast<int>(us.size()), static_cast<int>(vs.size()), false, false, sheet);
}

void CoverTube(const Spread& spread, CoarseSheet* sheet) {
  const Chart& chart = sheet->chart;
  const double c = chart.scale[2];
  std::vector<double> ws = {spread.low[2], spread.high[2]};
  if (std::isfinite(c)) ws = Stations(spread.low[2], spread.high[2], 2, {-c, 0.0, c});
  for (const double w : ws) {
    const double radius = std::sqrt(std::max(0.0, chart.offset + (w / c) * (w / c)));
    for (int j = 0; j < kAround; ++j) {
      const double angle = 2.0 * std::numbers::pi * j / kAround;
      sheet->points.push_back(chart.FromOwn({radius * chart.scale[0] * std::cos(angle),
                                             radius * chart.scale[1] * std::sin(angle), w}));
    }
  }
  AddQuads(static_cast<int>(ws.size()), kAround, false, true, sheet);
}

void CoverTorus(CoarseSheet* sheet) {
  const Chart& chart = sheet->chart;
  for (int i = 0; i < kAround; ++i) {
    const double about = 2.0 * std::numbers::pi * i / kAround;
    for (int j = 0; j < kAroundTube; ++j) {
      const double section = 2.0 * std::numbers::pi * j / kAroundTube;
      const double radius = chart.scale[0] + chart.scale[1] * std::cos(section);
      sheet->points.push_back(chart.FromOwn({radius * std::cos(about), radius * std::sin(about),
                                             chart.scale[1] * std::sin(section)}));
    }
  }
  AddQuads(kAround, kAroundTube, true, true, sheet);
}

// An octahedron whose faces are cut into sixteen.
void CoverBall(CoarseSheet* sheet) {
  constexpr int kParts = 4;
  std::map<std::array<int, 3>, std::uint32_t> numbers;
  const auto point = [&](const Eigen::Vector3i& x) {
    const auto [it, added] =
        numbers.try_emplace({x[0], x[1], x[2]}, static_cast<std::uint32_t>(sheet->points.size()));
    if (added) {
      sheet->points.push_back(
          sheet->chart.FromOwn(x.cast<double>().normalized().cwiseProduct(sheet->chart.scale)));
    }
    return it->second;
  };
  for (int octant = 0; octant < 8; ++octant) {
    Eigen::Vector3i sign;
    for (int i = 0; i < 3; ++i) sign[i] = (octant >> i & 1) != 0 ? 1 : -1;
    const auto at = [&](int i, int j) {
      return point(sign.cwiseProduct(Eigen::Vector3i(i, j, kParts - i - j)));
    };
    for (int i = 0; i < kParts; ++i) {
      for (int j = 0; i + j < kParts; ++j) {
        sheet->triangles.push_back({{at(i, j), at(i + 1, j), at(i, j + 1)}});
        if (i + j + 2 > kParts) continue;
        sheet->triangles.push_back({{at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}});
      }
    }
  }
}

// Points that fall together, as at the apex of a cone, become one; triangles turn as psi rises.
void Tidy(const Polynomial<double>& psi, CoarseSheet* sheet) {
  std::map<std::array<double, 3>, std::uint32_t> first;
  std::vector<std::uint32_t> number(sheet->points.size());
  for (std::uint32_t i = 0; i < number.size(); ++i) {
    const Eigen::Vector3d& p = sheet->points[i];
    number[i] = first.try_emplace({p[0], p[1], p[2]}, i).first->second;
  }
  std::vector<CoarseTriangle> kept;
  for (CoarseTriangle& triangle : sheet->triangles) {
    for (std::uint32_t& v : triangle.v) v = number[v];
    const auto& v = triangle.v;
    if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
    Eigen::Vector3d rising = Eigen::Vector3d::Zero();
    for (const std::uint32_t i : v) rising += GradientAt(psi, sheet->points[i]);
    const Eigen::Vector3d& p = sheet->points[v[0]];
    const Eigen::Vector3d normal = (sheet->points[v[1]] - p).cross(sheet->points[v[2]] - p);
    if (normal.dot(rising) < 0.0) std::swap(triangle.v[1], triangle.v[2]);
    kept.push_back(triangle);
  }
  sheet->triangles = std::move(kept);
}

std::optional<Chart> ChartOfTorus(const DisplayField& field, const FieldSurface& surface) {
  if (surface.psi.degree != 4) return std::nullopt;
  const std::optional<TorusSurface> torus = RecognizeTorus(surface.exact);
  if (!torus) return std::nullopt;
  Chart chart;
  chart.kind = Chart::Kind::kTorus;
  chart.axes.col(2) = Round(torus->axis).normalized();
  chart.axes.col(0) = chart.axes.col(2).unitOrthogonal();
  chart.axes.col(1) = chart.axes.col(2).cross(chart.axes.col(0));
  chart.origin = field.FromA(Round(torus->center));
  chart.scale = {torus->major.hi / field.size(), torus->minor.hi / field.size(), 1.0};
  return chart;
}

}  // namespace

std::vector<CoarseSheet> CoverSurface(const DisplayField& field, int surface) {
  const FieldSurface& of = field.surfaces()[surface];
  std::vector<Chart> charts;
  if (of.psi.degree <= 2) {
    charts = ChartsOfQuadric(of.psi);
  } else if (const std::optional<Chart> torus = ChartOfTorus(field, of)) {
    charts.push_back(*torus);
  } else {
    return {CoverByGrid(field, surface)};
  }
  std::vector<CoarseSheet> sheets;
  for (const Chart& chart : charts) {
    CoarseSheet& sheet = sheets.emplace_back();
    sheet.surface = surface;
    sheet.chart = chart;
    const Spread spread = SpreadOfBox(field, chart);
    if (chart.kind == Chart::Kind::kGraph) CoverGraph(spread, &sheet);
    if (chart.kind == Chart::Kind::kTube) CoverTube(spread, &sheet);
    if (chart.kind == Chart::Kind::kBall) CoverBall(&sheet);
    if (chart.kind == Chart::Kind::kTorus) CoverTorus(&sheet);
    Tidy(of.psi, &sheet);
  }
  return sheets;
}

CoarseSheet CoverMesh(const DisplayField& field, int surface) {
  const FieldSurface& of = field.surfaces()[surface];
  CoarseSheet sheet;
  sheet.surface = surface;
  sheet.chart.flat = true;
  sheet.points = of.vertices;
  const std::vector<MeshTree::Face>& faces = of.mesh->faces();
  for (std::uint32_t face = 0; face < faces.size(); ++face) {
    const Eigen::Vector3d &a = of.vertices[faces[face][0]], &b = of.vertices[faces[face][1]],
                          &c = of.vertices[faces[face][2]];
    const bool is_below = (a.cwiseMax(b).cwiseMax(c).array() < -field.half().array()).any();
    const bool is_above = (a.cwiseMin(b).cwiseMin(c).array() > field.half().array()).any();
    if (is_below || is_above) continue;
    sheet.triangles.push_back({faces[face], face});
  }
  return sheet;
}

}  // namespace volcontact
