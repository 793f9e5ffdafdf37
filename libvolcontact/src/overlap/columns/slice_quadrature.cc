// Integrals over a slice.
#include <algorithm>
#include <cmath>
#include <complex>

#include "math/arithmetic/univariate.h"
#include "overlap/columns/quadric_events.h"
#include "overlap/columns/slice.h"

namespace volcontact {
namespace {

void AddAreaElement(const Eigen::Vector3d& n, double v, double z, SliceSums* sums) {
  for (int i = 0; i < 3; ++i) {
    sums->s[SliceSums::kN + i] += n[i];
    sums->s[SliceSums::kVN + i] += v * n[i];
    sums->s[SliceSums::kZN + i] += z * n[i];
    sums->s[SliceSums::kSpread + i] += std::abs(n[i]);
  }
}

}  // namespace

std::uint64_t SliceStructure::Hash() const {
  std::uint64_t hash = pieces.size();
  for (const Piece& piece : pieces) {
    hash = (hash ^ piece.signature) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 29;
  }
  return hash;
}

void Slice::AddFacing(double weight, const Eigen::Vector3d& element, Owner owner,
                      SliceSums* sums) const {
  const double facing = weight * std::abs(facing_here_.dot(element));
  if (BelongsToA(owner)) sums->s[SliceSums::kFacing] += facing;
  if (BelongsToB(owner)) sums->s[SliceSums::kFacing + 1] += facing;
}

void Slice::AddColumn(double v, const Column& column, SliceSums* sums) {
  auto& s = sums->s;
  double i0 = 0.0, i1 = 0.0, i2 = 0.0;
  for (std::size_t n = 0; n + 1 < column.ends.size(); n += 2) {
    const double z0 = column.ends[n].z, z1 = column.ends[n + 1].z;
    const double length = z1 - z0, middle = 0.5 * (z0 + z1);
    i0 += length;
    i1 += length * middle;
    i2 += length * (middle * middle + length * length / 12.0);
  }
  s[SliceSums::kOne] += i0;
  s[SliceSums::kV] += v * i0;
  s[SliceSums::kZ] += i1;
  s[SliceSums::kVV] += v * v * i0;
  s[SliceSums::kVZ] += v * i1;
  s[SliceSums::kZZ] += i2;
  for (std::size_t n = 0; n < column.ends.size(); ++n) {
    const ColumnEnd& end = column.ends[n];
    if (end.surface == ColumnEnd::kBoxEnd) continue;
    const Owner owner = problem_->surfaces[end.surface].owner;
    const bool top = n + 1 == column.ends.size(), facing = !facing_.isZero();
    if (!BelongsToB(owner) && !top && !facing) continue;
    const Eigen::Vector3d gradient = surfaces_[end.surface].Gradient(v, end.z);
    if (gradient.z() == 0.0) continue;
    const double share = ShareOfB(owner, (n % 2 == 1) == (gradient.z() > 0.0));
    // The area element over dv dw of a graph is its gradient over |∂psi/∂z|, up at an exit.
    const Eigen::Vector3d element = gradient / gradient.z();
    AddAreaElement(element * (n % 2 == 1 ? share : -share), v, end.z, sums);
    if (facing) AddFacing(1.0, element, owner, sums);
    if (top) {
      for (int i = 0; i < 3; ++i) s[SliceSums::kTop + i] += element[i];
    }
  }
}

// Takes over the ends of the column found last, in the middle of a piece; false where the columns
// cannot be followed without looking for crossings.
bool Slice::PrepareBatch(const Piece& piece, bool polar) {
  if (column_.Signature() != piece.signature || !facing_.isZero()) return false;
  batch_.Begin(polar);
  bool exit = true;
  for (const ColumnEnd& end : column_.ends) {
    exit = !exit;
    if (end.surface == ColumnEnd::kBoxEnd) {
      batch_.AddEnd({nullptr, end.z, false, 0.0});
      continue;
    }
    const SliceSurface& surface = surfaces_[end.surface];
    if (surface.degree > 2) return false;
    const bool lower = (end.ordinal == 0) == (surface.a > 0.0);
    const double slope = surface.Gradient(0.5 * (piece.v0 + piece.v1), end.z).z();
    batch_.AddEnd({&surface, 0.0, lower,
                   ShareOfB(problem_->surfaces[end.surface].owner, exit == (slope > 0.0))});
  }
  return true;
}

// Whether the columns that the batch has followed are those of the region: at every node, so that
// what the search for events has overlooked shows. Columns of one interval are told by their ends
// where nothing can be cut out between these: where all surfaces are convex, or the region is.
bool Slice::BatchHolds(const Piece& piece, const KronrodRule& rule, bool polar) {
  if (conjunction_ && (polar || concave_.empty())) {
    return batch_.Satisfies(straight_) && batch_.Satisfies(convex_) && batch_.Satisfies(concave_);
  }
  // Less can hide between the nodes of a convex region.
  for (int n = 0; n < rule.size; n += polar ? 4 : 1) {
    if (SignatureAt(batch_.node(n)) != piece.signature) return false;
  }
  return true;
}

// Where on a piece the direction looks along the surface of an end, at which the absolute value
// that is integrated has a kink: on a conic, its normals' component is linear.
void Slice::FindFacingKinks(const Piece& piece, std::vector<double>* kinks) {
  FindColumn(0.5 * (piece.v0 + piece.v1), &column_);
  const Eigen::Vector3d& d = facing_here_;
  for (const ColumnEnd& end : column_.ends) {
    if (end.surface == ColumnEnd::kBoxEnd) continue;
    const SliceSurface& f = surfaces_[end.surface];
    if (f.degree > 2) continue;
    SliceSurface component;
    component.degree = 1;
    component.b0 = d[0] * f.b1 + d[1] * f.pz + d[2] * 2.0 * f.a;
    component.c1 = d[0] * 2.0 * f.c2 + d[1] * f.pv + d[2] * f.b1;
    component.c0 = d[0] * f.c1 + d[1] * f.p0 + d[2] * f.b0;
    const Quartic p = QuadricEventPolynomial(EventSource::Kind::kPair, f, component);
    const auto roots = SignChanges(p.data(), 4, piece.v0, piece.v1);
    kinks->insert(kinks->end(), roots.x.begin(), roots.x.begin() + roots.count);
  }
  std::sort(kinks->begin(), kinks->end());
}

void Slice::IntegratePiece(const Piece& piece, const KronrodRule& rule, int parts, bool polar,
                           SliceSums* sums, SliceSums* coarse) {
  std::vector<double> cuts;
  if (!facing_.isZero()) FindFacingKinks(piece, &cuts);
  Piece smooth = piece;
  for (const double v : cuts) {
    if (!(v > smooth.v0 && v < piece.v1)) continue;
    smooth.v1 = v;
    IntegrateSmooth(smooth, rule, parts, polar, sums, coarse);
    smooth.v0 = v;
  }
  smooth.v1 = piece.v1;
  IntegrateSmooth(smooth, rule, parts, polar, sums, coarse);
}

void Slice::IntegrateSmooth(const Piece& piece, const KronrodRule& rule, int parts, bool polar,
                            SliceSums* sums, SliceSums* coarse) {
  const Silhouettes silhouettes = SilhouettesOf(piece);
  const NodeMap map(piece.v0, piece.v1, silhouettes.branch0, silhouettes.branch1);
  std::complex<double> near;
  if (silhouettes.near_width > 0.0) near = map.Inverse({silhouettes.near, silhouettes.near_width});
  const NearMap near_map(near);
  const bool batch = PrepareBatch(piece, polar), end_by_end = batch && BetweenSheets();
  std::vector<NodeMap> maps;
  if (end_by_end) {
    for (const ColumnEnd& end : column_.ends) maps.push_back(MapOf(piece, end.surface));
  }
  for (int part = 0; part < parts; ++part) {
    if (batch) {
      batch_.FindColumns(rule, map, near_map, part, parts);
      if (BatchHolds(piece, rule, polar)) {
        for (std::size_t n = 0; n < maps.size(); ++n) {
          batch_.IntegrateEnd(n, rule, maps[n], part, parts, sums, coarse);
        }
        if (end_by_end) continue;
        batch_.Integrate(sums, coarse);
        continue;
      }
    }
    for (int n = 0; n < rule.size; ++n) {
      const QuadratureNode inner = near_map((2 * part + 1 + rule.nodes[n]) / parts - 1.0);
      const QuadratureNode node = map(inner.x);
      FindColumn(node.x, &column_);
      SliceSums value;
      AddColumn(node.x, column_, &value);
      const double weight = node.weight * inner.weight / parts;
      const double measure = polar ? weight * node.x : weight;
      sums->Add(rule.weights[n] * measure, value);
      if (rule.gauss[n] != 0.0) coarse->Add(rule.gauss[n] * measure, value);
    }
  }
}

void Slice::SamplePiece(const Piece& piece, const KronrodRule& rule, int parts,
                        std::vector<ColumnSample>* samples) {
  const Silhouettes silhouettes = SilhouettesOf(piece);
  const NodeMap map(piece.v0, piece.v1, silhouettes.branch0, silhouettes.branch1);
  for (int part = 0; part < parts; ++part) {
    for (int n = 0; n < rule.size; ++n) {
      const QuadratureNode node = map((2 * part + 1 + rule.nodes[n]) / parts - 1.0);
      FindColumn(node.x, &column_);
      const double weight = rule.weights[n] * node.weight / parts;
      for (std::size_t i = 0; i + 1 < column_.ends.size(); i += 2) {
        const double z0 = column_.ends[i].z, z1 = column_.ends[i + 1].z;
        samples->push_back({node.x, z0, z1, weight * (z1 - z0)});
      }
    }
  }
}

void Slice::AddWall(const EventSource& wall, double v, bool polar, SliceSums* sums) {
  const Owner owner = problem_->surfaces[wall.i].owner;
  if (!BelongsToB(owner) && facing_.isZero()) return;
  const Eigen::Vector3d gradient = surfaces_[wall.i].Gradient(v, 0.0);
  if (gradient.x() == 0.0) return;
  // The wall is where the region changes with the wall's state: inside less outside, over the
  // column.
  const double factor = (polar ? v : 1.0) / std::abs(gradient.x());
  FindCrossings(v);
  double jump = 0.0, height = 0.0;
  for (const int state : {1, 0}) {
    const std::vector<std::uint8_t> bottom = inside_;
    inside_[wall.i] = static_cast<std::uint8_t>(state);
    CollectEnds(&wall_column_);
    inside_ = bottom;
    const double sign = state == 1 ? factor : -factor;
    for (std::size_t n = 0; n + 1 < wall_column_.ends.size(); n += 2) {
      const double z0 = wall_column_.ends[n].z, z1 = wall_column_.ends[n + 1].z;
      jump += sign * (z1 - z0);
      height += sign * (z1 - z0) * 0.5 * (z0 + z1);
    }
  }
  if (jump == 0.0) return;
  // On the column the region is on one side of the wall, but for what is on both.
  AddAreaElement(ShareOfB(owner, jump > 0.0) * jump * gradient, v, height / jump, sums);
  AddFacing(std::abs(jump), gradient, owner, sums);
}

void Slice::AddFaceAcross(Owner owner, bool upward, const SliceSums& jump, SliceSums* sums) const {
  const double share = ShareOfB(owner, jump.s[SliceSums::kOne] > 0.0);
  const Eigen::Vector3d across(0.0, upward ? -1.0 : 1.0, 0.0);  // w runs against x
  for (int i = 0; i < 3; ++i) {
    sums->s[SliceSums::kN + i] += share * jump.s[SliceSums::kOne] * across[i];
    sums->s[SliceSums::kVN + i] += share * jump.s[SliceSums::kV] * across[i];
    sums->s[SliceSums::kZN + i] += share * jump.s[SliceSums::kZ] * across[i];
    sums->s[SliceSums::kSpread + i] += std::abs(share * jump.s[SliceSums::kOne] * across[i]);
  }
  AddFacing(std::abs(jump.s[SliceSums::kOne]), across, owner, sums);
}

}  // namespace volcontact
