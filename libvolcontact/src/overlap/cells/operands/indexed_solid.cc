#include "overlap/cells/operands/indexed_solid.h"

#include <algorithm>
#include <thread>

namespace volcontact {
namespace {

// Solids of no more surfaces have no index, and no more are indexed by one thread.
constexpr std::size_t kFewSurfaces = 24, kFewForThreads = 500;
// The index reaches beyond the solid by so many times its largest half extent, and about an
// unbounded solid by so many times the distance of the farthest surface: regions are looked at in
// larger boxes than their own.
constexpr double kDomainReach = 4.0;

// Where questions about a solid are to be expected.
Aabb DomainOf(const ImplicitSolid& solid, const Aabb& bounds) {
  Eigen::Vector3d center = Eigen::Vector3d::Zero(), half = center;
  double size = 0.0;
  if (bounds.IsBounded()) {
    center = bounds.Center();
    half = bounds.HalfExtents();
    size = half.maxCoeff();
  } else {
    for (const SurfacePolynomial& psi : solid.surfaces) size = std::max(size, RootLength(psi));
  }
  const Eigen::Vector3d reach = half + Eigen::Vector3d::Constant(kDomainReach * size);
  return {center - reach, center + reach};
}

// The surfaces in an expression, numbered anew in the same order.
void TakeSurfaces(const ImplicitSolid& whole, std::vector<Expression::Node>* nodes,
                  std::vector<int>* used, ImplicitSolid* part) {
  used->clear();
  for (const Expression::Node& node : *nodes) {
    if (node.kind == Expression::Kind::kLiteral) used->push_back(node.value);
  }
  std::sort(used->begin(), used->end());
  used->erase(std::unique(used->begin(), used->end()), used->end());
  for (Expression::Node& node : *nodes) {
    if (node.kind != Expression::Kind::kLiteral) continue;
    node.value =
        static_cast<int>(std::lower_bound(used->begin(), used->end(), node.value) - used->begin());
  }
  part->surfaces.clear();
  part->kinds.clear();
  for (const int s : *used) {
    part->surfaces.push_back(whole.surfaces[s]);
    part->kinds.push_back(whole.kinds[s]);
  }
  part->expression.Assign(*nodes);
  part->convex = whole.convex;
  part->length = whole.length;
}

}  // namespace

IndexedSolid::IndexedSolid(const Solid& solid) : whole_(Compile(solid)), bounds_(solid.Bounds()) {
  const std::size_t count = whole_.surfaces.size();
  if (count <= kFewSurfaces || bounds_.IsEmpty()) return;
  const Aabb domain = DomainOf(whole_, bounds_);
  const Eigen::Vector3d half = domain.HalfExtents();
  if (!half.allFinite() || !(half.minCoeff() > 0.0)) return;
  const int processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  tree_ = OperandTree(whole_, domain, count <= kFewForThreads ? 1 : processors);
}

void IndexedSolid::Fetch(const Aabb& box, int max_literals, Part* part) const {
  const Aabb& domain = tree_.domain();
  const bool reaches = (box.min.array() >= domain.min.array()).all() &&
                       (box.max.array() <= domain.max.array()).all();
  if (tree_.IsEmpty() || !reaches) {
    part->solid = &whole_;
    part->exact = true;
    return;
  }
  thread_local std::vector<Expression::Node> nodes;
  part->exact = tree_.Reduce(box, max_literals, &nodes);
  part->solid = &part->own;
  TakeSurfaces(whole_, &nodes, &part->surfaces, &part->own);
}

}  // namespace volcontact
