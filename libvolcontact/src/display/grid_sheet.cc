// Surfaces that no chart describes.
#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "display/coarse_sheet.h"
#include "display/edge_cuts.h"
#include "display/surface_function.h"

namespace volcontact {
namespace {

// Cells along each side of the box.
constexpr int kGridCells = 32;
// Six tetrahedra of a cube about its diagonal; corners by bits.
constexpr std::array<std::array<int, 4>, 6> kTetrahedra = {
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

class GridCover {
 public:
  GridCover(const DisplayField& field, int surface)
      : psi_(field.surfaces()[surface].psi), half_(field.half()) {
    sheet_.surface = surface;
    sheet_.chart.kind = Chart::Kind::kPolynomial;
  }

  CoarseSheet Run() {
    values_.resize((kGridCells + 1) * (kGridCells + 1) * (kGridCells + 1));
    for (int n = 0; n < static_cast<int>(values_.size()); ++n) values_[n] = ValueAt(psi_, At(n));
    for (int i = 0; i < kGridCells; ++i) {
      for (int j = 0; j < kGridCells; ++j) {
        for (int k = 0; k < kGridCells; ++k) AddCell({i, j, k});
      }
    }
    return std::move(sheet_);
  }

 private:
  static int Number(int i, int j, int k) {
    return (i * (kGridCells + 1) + j) * (kGridCells + 1) + k;
  }
  // Off the middle, where surfaces are often symmetric.
  Eigen::Vector3d At(int n) const {
    constexpr int kPoints = kGridCells + 1;
    const Eigen::Vector3d place(n / kPoints / kPoints, n / kPoints % kPoints, n % kPoints);
    const Eigen::Vector3d from_middle = place.array() * (2.002 / kGridCells) - 1.0007;
    return half_.cwiseProduct(from_middle);
  }

  void AddCell(const std::array<int, 3>& cell) {
    std::array<int, 8> corner;
    int below = 0;
    for (int c = 0; c < 8; ++c) {
      corner[c] = Number(cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2 & 1));
      if (values_[corner[c]] < 0.0) ++below;
    }
    if (below == 0 || below == 8) return;
    for (const auto& tetrahedron : kTetrahedra) {
      std::array<int, 4> v;
      for (int i = 0; i < 4; ++i) v[i] = corner[tetrahedron[i]];
      AddTetrahedron(v);
    }
  }

  void AddTetrahedron(const std::array<int, 4>& v) {
    std::vector<int> below, above;
    for (const int n : v) (values_[n] < 0.0 ? below : above).push_back(n);
    if (below.empty() || above.empty()) return;
    if (below.size() == 2) {
      const std::array<std::uint32_t, 4> p = {
          Crossing(below[0], above[0]), Crossing(below[0], above[1]), Crossing(below[1], above[1]),
          Crossing(below[1], above[0])};
      Add({p[0], p[1], p[2]});
      Add({p[0], p[2], p[3]});
      return;
    }
    if (below.size() == 3) std::swap(below, above);
    Add({Crossing(below[0], above[0]), Crossing(below[0], above[1]), Crossing(below[0], above[2])});
  }

  void Add(const std::array<std::uint32_t, 3>& v) {
    const Eigen::Vector3d &a = sheet_.points[v[0]], &b = sheet_.points[v[1]],
                          &c = sheet_.points[v[2]];
    const Eigen::Vector3d rising = GradientAt(psi_, (a + b + c) / 3.0);
    const bool turns = (b - a).cross(c - a).dot(rising) < 0.0;
    sheet_.triangles.push_back({turns ? std::array<std::uint32_t, 3>{v[0], v[2], v[1]} : v});
  }

  std::uint32_t Crossing(int below, int above) {
    const auto [it, added] = crossings_.try_emplace(
        EdgeKey(below, above), static_cast<std::uint32_t>(sheet_.points.size()));
    if (added) {
      const double f = values_[below], g = values_[above];
      const Eigen::Vector3d a = At(below), b = At(above), p = a + f / (f - g) * (b - a);
      const Eigen::Vector3d q = ProjectTo(psi_, p);
      sheet_.points.push_back((q - p).norm() < (b - a).norm() ? q : p);
    }
    return it->second;
  }

  const Polynomial<double>& psi_;
  Eigen::Vector3d half_;
  CoarseSheet sheet_;
  std::vector<double> values_;
  std::unordered_map<std::uint64_t, std::uint32_t> crossings_;
};

}  // namespace

CoarseSheet CoverByGrid(const DisplayField& field, int surface) {
  return GridCover(field, surface).Run();
}

}  // namespace volcontact
