#include "overlap/mesh_arcs/sections/bernstein_triangle.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kDegree = BernsteinTriangle::kDegree;
using Edge = BernsteinTriangle::Edge;

// Halvings of an edge in search of zeros, and steps of one found.
constexpr int kMostEdgeHalvings = 44, kMostZeroSteps = 60;
constexpr double kLastZeroStep = 1e-16;

constexpr double Binomial(int n, int k) {
  double result = 1.0;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

// What the monomial s^p t^q adds to the coefficients j, k: C(j, p) C(k, q) over the number of ways
// to choose p and q of four.
struct PowerTable {
  double factor[kDegree + 1][kDegree + 1][kDegree + 1][kDegree + 1] = {};  // j, k, p, q

  constexpr PowerTable() {
    for (int j = 0; j <= kDegree; ++j) {
      for (int k = 0; j + k <= kDegree; ++k) {
        for (int p = 0; p <= j; ++p) {
          for (int q = 0; q <= k; ++q) {
            factor[j][k][p][q] =
                Binomial(j, p) * Binomial(k, q) / (Binomial(kDegree, p) * Binomial(kDegree - p, q));
          }
        }
      }
    }
  }
};
constexpr PowerTable kPowers;

// The coefficients of s^p t^q, degree by degree.
using PlanePolynomial = std::array<double, BernsteinTriangle::kSize>;
constexpr int PowerIndex(int p, int q) { return (p + q) * (p + q + 1) / 2 + q; }

// f = f·(l0 + ls s + lt t) + constant, of which the degree was one less.
void TimesLinearPlus(double l0, double ls, double lt, double constant, int degree,
                     PlanePolynomial* f) {
  PlanePolynomial& c = *f;
  for (int n = degree; n > 0; --n) {
    for (int q = 0; q <= n; ++q) {
      double sum = n < degree ? l0 * c[PowerIndex(n - q, q)] : 0.0;
      if (q < n) sum += ls * c[PowerIndex(n - 1 - q, q)];
      if (q > 0) sum += lt * c[PowerIndex(n - q, q - 1)];
      c[PowerIndex(n - q, q)] = sum;
    }
  }
  c[0] = l0 * c[0] + constant;
}

// f at p + s u + t v, by a scheme of Horner's in each of the coordinates.
PlanePolynomial Restrict(const Polynomial<double>& f, const Vector3d& p, const Vector3d& u,
                         const Vector3d& v) {
  PlanePolynomial in_x = {};
  for (int i = f.degree; i >= 0; --i) {
    PlanePolynomial in_y = {};
    for (int j = f.degree - i; j >= 0; --j) {
      const int rest = f.degree - i - j;
      PlanePolynomial in_z = {};
      for (int k = rest; k >= 0; --k) {
        TimesLinearPlus(p[2], u[2], v[2], f.c[MonomialIndex(i, j, k)], rest - k, &in_z);
      }
      TimesLinearPlus(p[1], u[1], v[1], 0.0, rest, &in_y);
      for (int m = 0; m < (rest + 1) * (rest + 2) / 2; ++m) in_y[m] += in_z[m];
    }
    TimesLinearPlus(p[0], u[0], v[0], 0.0, f.degree - i, &in_x);
    for (int m = 0; m < (f.degree - i + 1) * (f.degree - i + 2) / 2; ++m) in_x[m] += in_y[m];
  }
  return in_x;
}

// The coefficients of both halves.
void Halve(const double* b, int degree, double* lower, double* upper) {
  std::array<double, kDegree + 1> c;
  std::copy(b, b + degree + 1, c.begin());
  for (int level = 0; level <= degree; ++level) {
    lower[level] = c[0];
    upper[degree - level] = c[degree - level];
    for (int n = 0; n + level < degree; ++n) c[n] = 0.5 * (c[n] + c[n + 1]);
  }
}

// The value and the derivative.
std::array<double, 2> Evaluate(const Edge& b, double t) {
  Edge c = b;
  for (int level = 0; level + 1 < kDegree; ++level) {
    for (int n = 0; n + level < kDegree; ++n) c[n] += t * (c[n + 1] - c[n]);
  }
  return {c[0] + t * (c[1] - c[0]), kDegree * (c[1] - c[0])};
}

// The zero of a polynomial that grows or falls all along, and has different signs at its ends.
double ZeroOf(const Edge& b) {
  double low = 0.0, high = 1.0, t = b[0] / (b[0] - b[kDegree]);
  for (int step = 0; step < kMostZeroSteps; ++step) {
    if (!(t > low && t < high)) t = 0.5 * (low + high);
    const auto [value, slope] = Evaluate(b, t);
    ((value > 0.0) == (b[0] > 0.0) ? low : high) = t;
    const double change = value / slope;
    if (value == 0.0 || std::abs(change) <= kLastZeroStep) break;
    t -= change;
    if (high - low <= kLastZeroStep) break;
  }
  return std::clamp(t, 0.0, 1.0);
}

struct Part {
  double from, length;
  int depth;
};

void AddZeros(const Edge& b, const Part& part, double noise, std::vector<double>* zeros) {
  const auto [least, largest] = std::minmax_element(b.begin(), b.end());
  if (*least > 0.0 || *largest <= 0.0) return;
  const bool changes = (b[0] > 0.0) != (b[kDegree] > 0.0);
  const bool rises = std::is_sorted(b.begin(), b.end());
  const bool falls = std::is_sorted(b.rbegin(), b.rend());
  const bool is_noise = std::max(-*least, *largest) <= noise || part.depth == kMostEdgeHalvings;
  if (rises || falls || is_noise) {
    if (!changes) return;
    const double t = rises || falls ? ZeroOf(b) : 0.5;
    zeros->push_back(part.from + t * part.length);
    return;
  }
  Edge lower, upper;
  Halve(b.data(), kDegree, lower.data(), upper.data());
  const double half = 0.5 * part.length;
  AddZeros(lower, {part.from, half, part.depth + 1}, noise, zeros);
  AddZeros(upper, {part.from + half, half, part.depth + 1}, noise, zeros);
}

}  // namespace

BernsteinTriangle::BernsteinTriangle(const Polynomial<double>& f, const Vector3d& a,
                                     const Vector3d& b, const Vector3d& c)
    : corners_{a, b, c} {
  const PlanePolynomial on_plane = Restrict(f, a, b - a, c - a);
  b_.fill(0.0);
  for (int p = 0; p <= f.degree; ++p) {
    for (int q = 0; p + q <= f.degree; ++q) {
      const double coefficient = on_plane[PowerIndex(p, q)];
      for (int j = p; j <= kDegree; ++j) {
        for (int k = q; j + k <= kDegree; ++k) {
          b_[Index(j, k)] += kPowers.factor[j][k][p][q] * coefficient;
        }
      }
    }
  }
}

double BernsteinTriangle::Least() const { return *std::min_element(b_.begin(), b_.end()); }

double BernsteinTriangle::Largest() const { return *std::max_element(b_.begin(), b_.end()); }

BernsteinTriangle::Edge BernsteinTriangle::OnEdge(int k) const {
  Edge edge;
  for (int n = 0; n <= kDegree; ++n) {
    edge[n] = b_[k == 0 ? Index(n, 0) : k == 1 ? Index(kDegree - n, n) : Index(0, kDegree - n)];
  }
  return edge;
}

bool BernsteinTriangle::FindWayUp(double least_cosine, Vector2d* way) const {
  std::array<Vector2d, 10> gradients;
  std::size_t count = 0;
  way->setZero();
  for (int k = 0; k < kDegree; ++k) {
    for (int j = 0; j + k < kDegree; ++j) {
      const double here = b_[Index(j, k)];
      gradients[count] = {b_[Index(j + 1, k)] - here, b_[Index(j, k + 1)] - here};
      *way += gradients[count++];
    }
  }
  const double length = way->norm();
  return length > 0.0 && std::all_of(gradients.begin(), gradients.end(), [&](const Vector2d& g) {
           return way->dot(g) > least_cosine * length * g.norm();
         });
}

int BernsteinTriangle::LongestEdge() const {
  int longest = 0;
  double most = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double length = (corners_[(k + 1) % 3] - corners_[k]).squaredNorm();
    if (length <= most) continue;
    most = length;
    longest = k;
  }
  return longest;
}

// The same with another corner as the first.
BernsteinTriangle BernsteinTriangle::Turned(int first) const {
  if (first == 0) return *this;
  BernsteinTriangle turned;
  for (int n = 0; n < 3; ++n) turned.corners_[n] = corners_[(first + n) % 3];
  for (int k = 0; k <= kDegree; ++k) {
    for (int j = 0; j + k <= kDegree; ++j) {
      const int i = kDegree - j - k;
      turned.b_[Index(j, k)] = b_[first == 1 ? Index(i, j) : Index(k, i)];
    }
  }
  return turned;
}

std::array<BernsteinTriangle, 2> BernsteinTriangle::Halves() const {
  const BernsteinTriangle whole = Turned(LongestEdge());
  std::array<BernsteinTriangle, 2> halves = {whole, whole};
  halves[0].corners_[1] = halves[1].corners_[0] = 0.5 * (whole.corners_[0] + whole.corners_[1]);
  for (int k = 0; k <= kDegree; ++k) {
    const int row = Index(0, k);
    Halve(&whole.b_[row], kDegree - k, &halves[0].b_[row], &halves[1].b_[row]);
  }
  return halves;
}

void AddBernsteinZeros(const Edge& b, double noise, std::vector<double>* zeros) {
  AddZeros(b, {0.0, 1.0, 0}, noise, zeros);
}

}  // namespace volcontact
