#include "overlap/certify/leaf_bracket.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "overlap/certify/half_space_volume.h"

namespace volcontact {
namespace {

using Kind = Expression::Kind;
using Point = Eigen::Vector3d;
using Tetrahedron = std::array<Point, 4>;

// Planes that a leaf is cut by at most: a cut makes up to three tetrahedra on either side.
constexpr int kMaxConjunctionPlanes = 6, kMaxPlanes = 4, kMaxCoarsePlanes = 2;
// Relative margin for the rounding of plane values and of cut points (a few 2^-52 each).
constexpr double kPlaneMargin = 0x1p-47;
// No section of a cell has a larger area, 4 √2.
constexpr double kMostSection = 5.66;
// Absolute margin on a cell's volume for the sum over tetrahedra, whose points are off by a few
// ulps.
constexpr double kVolumeMargin = 0x1p-44;

// Volume of a boolean combination of half-spaces within the cell, by cutting tetrahedra. Every
// literal has a plane of its own, so that each can be shifted outwards (or inwards) on its own: the
// expression is monotone in its literals, and the shifted set contains (is contained in) the true
// one. Cutting is combinatorial in the signs at the corners and cannot fail: a point that rounding
// puts a little off a plane amounts to a shift of that plane, which kPlaneMargin covers.
class PlaneCutter {
 public:
  // Where planes stand for the surfaces of the literals.
  enum class Shift { kInwards, kOutwards, kNone };

  PlaneCutter(const Expression& expression, const QuadraticModel* models, Shift shift)
      : nodes_(expression.nodes().data()),
        root_(expression.Root()),
        conjunction_(expression.IsConjunction()) {
    for (int n = 0; n <= root_; ++n) {
      if (nodes_[n].kind == Kind::kLiteral) AddPlane(n, models[nodes_[n].value], shift);
    }
  }

  // By how much planes that are not shifted may leave the volume off.
  double Unsure() const { return unsure_; }

  double Volume() {
    // Six congruent tetrahedra along the diagonal from (-1,-1,-1) to (1,1,1).
    static constexpr int kAxes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    double sum = 0.0;
    for (const auto& axes : kAxes) {
      Tetrahedron cell;
      cell[0] = Point::Constant(-1.0);
      for (int k = 0; k < 3; ++k) {
        cell[k + 1] = cell[k];
        cell[k + 1][axes[k]] = 1.0;
      }
      sum += Volume(cell, 0);
    }
    return sum;
  }

 private:
  struct Plane {
    int node;
    double value;
    Eigen::Vector3d linear;  // the literal holds where value + linear·t <= 0
  };

  void AddPlane(int node, const QuadraticModel& model, Shift shift) {
    double low = model.rest_low, high = model.rest_high;
    double scale = std::abs(model.value);
    for (int i = 0; i < 3; ++i) {
      low += std::min(model.square[i], 0.0) - std::abs(model.cross[i]);
      high += std::max(model.square[i], 0.0) + std::abs(model.cross[i]);
      scale += std::abs(model.linear[i]);
    }
    const double sign = nodes_[node].flag ? -1.0 : 1.0;
    const double lowest = sign > 0.0 ? low : -high, highest = sign > 0.0 ? high : -low;
    const double margin = kPlaneMargin * (scale + high - low);
    Plane& plane = planes_[count_++];
    plane.node = node;
    plane.value = sign * model.value;
    plane.linear = sign * model.linear;
    if (shift == Shift::kOutwards) plane.value += lowest - margin;
    if (shift == Shift::kInwards) plane.value += highest + margin;
    const double slope = plane.linear.norm();
    unsure_ +=
        slope > 0.0 ? kMostSection * (std::max(highest, -lowest) + margin) / slope : kCellVolume;
    if (conjunction_) MoveForward(count_ - 1);
  }

  // Those planes come first that leave least: what is outside of one is not cut again.
  void MoveForward(int n) {
    const auto leaves_less = [](const Plane& one, const Plane& other) {
      return one.value * other.linear.norm() > other.value * one.linear.norm();
    };
    for (; n > 0 && leaves_less(planes_[n], planes_[n - 1]); --n)
      std::swap(planes_[n], planes_[n - 1]);
  }

  // The expression when plane `plane` has got the given state, after all planes before it.
  Truth Decide(int plane, Truth state) {
    if (!conjunction_) {
      state_[plane] = state;
      return EvaluateAt(nodes_, root_, [&](int literal) { return StateOf(literal); });
    }
    if (state == Truth::kFalse) return Truth::kFalse;
    return plane + 1 == count_ ? Truth::kTrue : Truth::kUnknown;
  }

  Truth StateOf(int literal) const {
    int p = 0;
    while (planes_[p].node != literal) ++p;  // each literal has a plane
    return state_[p];
  }

  // Planes before `next` are decided over the tetrahedron; the expression is not.
  double Volume(const Tetrahedron& cell, int next) {
    const Plane& plane = planes_[next];
    double values[4];
    int inside[4], outside[4], in = 0, out = 0;
    for (int k = 0; k < 4; ++k) {
      values[k] = plane.value + plane.linear.dot(cell[k]);
      if (values[k] <= 0.0)
        inside[in++] = k;
      else
        outside[out++] = k;
    }
    if (out == 0) return Part(&cell, 1, next, Truth::kTrue);
    if (in == 0) return Part(&cell, 1, next, Truth::kFalse);
    const auto cut = [&](int a, int b) -> Point {
      return cell[a] + (values[a] / (values[a] - values[b])) * (cell[b] - cell[a]);
    };
    if (in == 2) {
      const int a = inside[0], b = inside[1], c = outside[0], d = outside[1];
      const Point ac = cut(a, c), ad = cut(a, d), bc = cut(b, c), bd = cut(b, d);
      return Prism(cell[a], ac, ad, cell[b], bc, bd, next, Truth::kTrue) +
             Prism(cell[c], ac, bc, cell[d], ad, bd, next, Truth::kFalse);
    }
    const int* base = in == 1 ? outside : inside;
    const int apex = in == 1 ? inside[0] : outside[0];
    const Point p0 = cut(apex, base[0]), p1 = cut(apex, base[1]), p2 = cut(apex, base[2]);
    const Tetrahedron tip = {cell[apex], p0, p1, p2};
    const Truth tip_state = in == 1 ? Truth::kTrue : Truth::kFalse;
    const Truth base_state = in == 1 ? Truth::kFalse : Truth::kTrue;
    return Part(&tip, 1, next, tip_state) +
           Prism(p0, p1, p2, cell[base[0]], cell[base[1]], cell[base[2]], next, base_state);
  }

  double Prism(const Point& p0, const Point& p1, const Point& p2, const Point& q0, const Point& q1,
               const Point& q2, int plane, Truth state) {
    if (conjunction_ && state == Truth::kFalse) return 0.0;
    const Tetrahedron parts[3] = {{p0, p1, p2, q0}, {p1, p2, q0, q1}, {p2, q0, q1, q2}};
    return Part(parts, 3, plane, state);
  }

  // Volume within some tetrahedra over which plane `plane` has the given state.
  double Part(const Tetrahedron* cells, int number, int plane, Truth state) {
    const Truth truth = Decide(plane, state);
    double sum = 0.0;
    for (int k = 0; k < number && truth != Truth::kFalse; ++k) {
      if (truth == Truth::kTrue) {
        const Point& o = cells[k][0];
        sum += std::abs((cells[k][1] - o).dot((cells[k][2] - o).cross(cells[k][3] - o))) / 6.0;
      } else {
        sum += Volume(cells[k], plane + 1);
      }
    }
    state_[plane] = Truth::kUnknown;
    return sum;
  }

  const Expression::Node* nodes_;
  int root_;
  bool conjunction_;
  int count_ = 0;
  double unsure_ = 0.0;
  std::array<Plane, kMaxConjunctionPlanes> planes_;
  std::array<Truth, kMaxConjunctionPlanes> state_ = {Truth::kUnknown, Truth::kUnknown,
                                                     Truth::kUnknown, Truth::kUnknown,
                                                     Truth::kUnknown, Truth::kUnknown};
};

VolumeBracket BracketLiteral(const Expression::Node& node, const QuadraticModel* models) {
  const VolumeBracket inside = BracketHalfSpace(models[node.value]);
  if (!node.flag) return inside;
  return {kCellVolume - inside.upper, kCellVolume - inside.lower};
}

// For a conjunction, or one literal, of a single surface: solids that share a surface repeat it.
bool OneSurface(const std::vector<Expression::Node>& nodes, bool* both_sides) {
  *both_sides = false;
  for (const Expression::Node& node : nodes) {
    if (node.kind != Kind::kLiteral) continue;
    if (node.value != nodes[0].value) return false;
    *both_sides |= node.flag != nodes[0].flag;
  }
  return true;
}

bool IsFlat(const QuadraticModel& model) {
  return model.square.isZero(0.0) && model.cross.isZero(0.0);
}

VolumeBracket BracketByFractions(const Expression::Node* nodes, int root,
                                 const QuadraticModel* models) {
  const Expression::Node& node = nodes[root];
  if (node.kind == Kind::kLiteral) return BracketLiteral(node, models);
  const bool conjunction = node.kind == Kind::kAnd;
  VolumeBracket result;
  if (conjunction) result = {kCellVolume, kCellVolume};
  for (const int child : Expression::ChildrenOf(nodes, root)) {
    const VolumeBracket part = BracketByFractions(nodes, child, models);
    if (conjunction) {
      result.lower += part.lower - kCellVolume;
      result.upper = std::min(result.upper, part.upper);
    } else {
      result.lower = std::max(result.lower, part.lower);
      result.upper += part.upper;
    }
  }
  return {std::clamp(result.lower, 0.0, kCellVolume), std::clamp(result.upper, 0.0, kCellVolume)};
}

}  // namespace

VolumeBracket BracketLeaf(const Expression& expression, const QuadraticModel* models, bool coarse) {
  const auto& nodes = expression.nodes();
  bool both_sides = false;
  if (expression.IsConjunction() && OneSurface(nodes, &both_sides)) {
    return both_sides ? VolumeBracket{0.0, 0.0} : BracketLiteral(nodes[0], models);
  }
  const auto literals = std::count_if(nodes.begin(), nodes.end(), [](const Expression::Node& node) {
    return node.kind == Kind::kLiteral;
  });
  const bool all_flat = std::all_of(nodes.begin(), nodes.end(), [&](const Expression::Node& node) {
    return node.kind != Kind::kLiteral || IsFlat(models[node.value]);
  });
  const int most = coarse && !all_flat          ? kMaxCoarsePlanes
                   : expression.IsConjunction() ? kMaxConjunctionPlanes
                                                : kMaxPlanes;
  VolumeBracket result;
  if (literals <= most) {
    using Shift = PlaneCutter::Shift;
    PlaneCutter planes(expression, models, all_flat ? Shift::kNone : Shift::kInwards);
    result.lower = planes.Volume();
    if (all_flat) {
      result = {result.lower - planes.Unsure(), result.lower + planes.Unsure()};
    } else {
      result.upper = PlaneCutter(expression, models, Shift::kOutwards).Volume();
    }
  } else {
    result = BracketByFractions(nodes.data(), expression.Root(), models);
  }
  return {std::max(result.lower - kVolumeMargin, 0.0),
          std::min(result.upper + kVolumeMargin, kCellVolume)};
}

}  // namespace volcontact
