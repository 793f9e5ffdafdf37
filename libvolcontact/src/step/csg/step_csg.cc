#include "step/csg/step_csg.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <utility>

#include "math/time_limit.h"
#include "step/csg/step_alternation.h"
#include "step/csg/step_proof.h"
#include "step/csg/step_sides.h"
#include "step/csg/step_table.h"
#include "step/csg/step_terms.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// A query takes surfaces in by the dozen; more make a mesh the better answer.
constexpr std::size_t kMostFaces = 120;
// Points that Open CASCADE is asked about: before a proof, and in a round, of such at which two
// expressions differ and of others. Most are around points of faces and those at which expressions
// differed, at distances of 10 to this power of the size, more or less; those that are nearer than
// the last to the boundary do not count.
constexpr std::size_t kAskedBefore = 600, kAskedDiffering = 400, kAskedInRound = 200;
constexpr double kScale = -2.5, kScaleRange = 1.5, kNear = 1e-5;
// Points at which two expressions are compared in a round, and before a proof, where they have not
// differed: what they have wrong then is small.
constexpr std::size_t kCompared = 40'000, kComparedBefore = 300'000;
// Of the points beside faces one in so many is taken at first, and later of those that expressions
// have wrong so many at a time.
constexpr std::size_t kEveryLabel = 16, kWrongAtOnce = 100;
constexpr int kMostRounds = 24;
// Points around which it is looked for others at which expressions differ: some rounds of few.
constexpr std::size_t kLatest = 40;
// Labels, times surfaces, times terms, of all terms that are made: some two seconds.
constexpr double kMostWork = 4e9;
// How terms are made while points are learned. Separators at the ends of faces bound small regions,
// as beside the corner of a drafted block, before points are found in them: 6 rounds instead of 34.
constexpr LeftOut kLearning = LeftOut::kFacesAndFarSeparators;
// Manners of making terms, times two kinds. The sums over edges may do for none of them.
constexpr std::size_t kExpressions = 6;
// Of the volume: what is nearer to Open CASCADE's lacks nothing, nor do two expressions that differ
// by less.
constexpr double kSure = 1e-10;

// As far as the solid may reach: outside, expressions need not be right.
Solid CutToBounds(const Solid& solid, const Aabb& bounds) {
  const Aabb around_it = AroundBounds(bounds);
  const Solid around = Box(2.0 * around_it.HalfExtents()).Posed(Pose{bounds.Center()});
  return Intersection({around, solid});
}

std::size_t SizeOf(const std::vector<StepTerm>& terms) {
  std::size_t size = 0;
  for (const StepTerm& term : terms) size += term.size();
  return size;
}

Solid UnionOf(const std::vector<StepTerm>& terms, const StepTable& table) {
  std::vector<Solid> parts;
  for (const StepTerm& term : terms) {
    std::vector<Solid> sides;
    for (const StepSide& side : term) {
      sides.push_back(
          SideOf(*table.surfaces()[static_cast<std::size_t>(side.surface)].surface, side.below));
    }
    parts.push_back(sides.size() == 1 ? sides.front() : Intersection(std::move(sides)));
  }
  return parts.size() == 1 ? parts.front() : Union(std::move(parts));
}

// Looks for an expression that holds what is known of points and is proved. Two are made at a time,
// the solid as a union, and what is outside of it: both reach as far as points let them, so that
// where they differ nothing is known, and Open CASCADE is asked.
class Search {
 public:
  Search(const StepSolid& step, const StepClassifier& classify)
      : step_(step), classify_(classify), table_(step) {
    size_ = step.Size();
    for (const StepFace& face : step.faces) {
      around_.insert(around_.end(), face.samples.begin(), face.samples.end());
    }
    for (std::size_t i = 0; i < table_.labels().size(); i += kEveryLabel) Activate(i);
  }

  std::optional<Solid> Run() {
    const std::vector<StepPoint> first = Told(RandomPoints(kAskedBefore));
    for (const bool bounded : {false, true}) {
      const std::optional<Solid> solid = Made([&] { return SolidBySides(step_, bounded); });
      if (solid && Holds(*solid, first) && ProofOf(*solid, step_).is_right) return solid;
    }
    Take(first);
    for (int round = 0; round < kMostRounds && !TimeLimit::IsOver(); ++round) {
      if (!MakeTerms()) return std::nullopt;
      const bool agree = Compares(pair_, kCompared) && Compares(pair_, kComparedBefore);
      const bool is_right = Learns(kAskedInRound);
      if (!agree || !is_right) continue;
      if (std::optional<Solid> solid = Proved()) return solid;
      if (unconverged_.size() == kExpressions) break;
    }
    return std::nullopt;
  }

 private:
  // What is known of the solid as terms.
  struct Pair {
    std::vector<StepTerm> inside, outside;
  };

  std::optional<Pair> PairFor(LeftOut left_out, const std::vector<std::size_t>& labels) {
    std::optional<std::vector<StepTerm>> in = TermsOf(table_, labels, true, left_out),
                                         out = TermsOf(table_, labels, false, left_out);
    if (!in || !out || in->empty() || out->empty()) return std::nullopt;
    work_ += static_cast<double>(labels.size() * table_.surfaces().size()) *
             static_cast<double>(in->size() + out->size());
    return Pair{*std::move(in), *std::move(out)};
  }

  // Makes terms of both kinds that have all labels right; false where there are none.
  bool MakeTerms() {
    while (work_ < kMostWork) {
      std::optional<Pair> pair = PairFor(kLearning, active_);
      if (!pair) return false;
      pair_ = *std::move(pair);
      std::vector<std::size_t> wrong = WrongLabels(pair_, 0);
      // Those that are taken are next to a surface that matters.
      std::erase_if(wrong, [&](std::size_t i) { return is_active_[i]; });
      if (wrong.empty()) return true;
      const std::size_t every = 1 + wrong.size() / kWrongAtOnce;
      for (std::size_t k = 0; k < wrong.size(); k += every) Activate(wrong[k]);
    }
    return false;
  }

  // Labels, from one on, of which one kind of terms or the other does not say what is known.
  std::vector<std::size_t> WrongLabels(const Pair& pair, std::size_t first) const {
    const PointSet in = HeldLabels(pair.inside, table_), out = HeldLabels(pair.outside, table_);
    std::vector<std::size_t> wrong;
    for (std::size_t i = first; i < table_.labels().size(); ++i) {
      const bool is_inside = table_.labels()[i].inside;
      if (in.Has(i) != is_inside || out.Has(i) == is_inside) wrong.push_back(i);
    }
    return wrong;
  }

  // Asks about so many points more: whether both kinds had them right.
  bool Learns(std::size_t count) {
    const std::size_t known = table_.labels().size();
    Take(Told(RandomPoints(count)));
    const std::vector<std::size_t> wrong = WrongLabels(pair_, known);
    for (const std::size_t i : wrong) found_.push_back(table_.labels()[i].p);
    return wrong.empty();
  }

  void Take(const std::vector<StepPoint>& points) {
    const std::size_t known = table_.labels().size();
    table_.Add(points);
    for (std::size_t i = 0; i < points.size(); ++i) Activate(known + i);
  }

  void Activate(std::size_t label) {
    is_active_.resize(table_.labels().size(), false);
    is_active_[label] = true;
    active_.push_back(label);
  }

  // Asks about points, not too many, at which the two expressions differ, or have inside what is
  // beside the solid's bounds: whether there are none.
  bool Compares(const Pair& pair, std::size_t count) {
    std::vector<Eigen::Vector3d> differing;
    SidesOfPoints sides(table_);
    const std::vector<Eigen::Vector3d> points = RandomPoints(count);
    std::span<const Eigen::Vector3d> left = points;
    while (!left.empty() && differing.size() < kAskedDiffering && !TimeLimit::IsOver()) {
      const auto block = left.first(std::min(left.size(), kMostInBlock));
      left = left.subspan(block.size());
      sides.MoveTo(block);
      const PointBits inside = HeldPoints(pair.inside, &sides);
      const PointBits differ = sides.All() & ~(inside ^ HeldPoints(pair.outside, &sides));
      for (std::size_t i = 0; i < block.size() && differing.size() < kAskedDiffering; ++i) {
        const Eigen::Vector3d& p = block[i];
        const bool is_out = (inside >> i & 1) != 0 && !IsInBounds(p);
        if (((differ >> i & 1) != 0 || is_out) && !IsNearSurface(p)) differing.push_back(p);
      }
    }
    Take(Told(differing));
    found_.insert(found_.end(), differing.begin(), differing.end());
    return differing.empty();
  }

  std::optional<Solid> Proved() {
    if (!Learns(kAskedBefore)) return std::nullopt;
    std::vector<std::size_t> all(table_.labels().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    for (const LeftOut left_out :
         {LeftOut::kSeparators, LeftOut::kFacesAndFarSeparators, LeftOut::kFaces}) {
      const std::optional<Pair> pair = left_out == kLearning ? pair_ : PairFor(left_out, all);
      if (!pair) continue;
      const bool may_be_wrong = Prove(left_out, *pair);
      if (best_.is_sure) break;
      if (may_be_wrong && left_out != kLearning) Compares(*pair, kComparedBefore);
    }
    return best_.solid;
  }

  // Keeps the better of the solids by either kind of terms that are proved, first that of fewer
  // sides: whether one has a mass that is wrong.
  bool Prove(LeftOut left_out, const Pair& pair) {
    const bool inside_first = SizeOf(pair.inside) <= SizeOf(pair.outside);
    bool is_wrong = false;
    for (const bool inside : {inside_first, !inside_first}) {
      if (best_.is_sure || unconverged_.contains({left_out, inside})) continue;
      const std::optional<Solid> solid = Made([&] {
        return std::optional(inside ? UnionOf(pair.inside, table_)
                                    : Complement(UnionOf(pair.outside, table_)));
      });
      if (!solid) continue;
      const StepProof proof = ProofOf(*solid, step_);
      if (!proof.converged) unconverged_.insert({left_out, inside});
      is_wrong |= proof.converged && !proof.is_right;
      if (proof.is_right) Keep(*solid, proof, inside);
    }
    return is_wrong;
  }

  // One kind of terms takes in all that nothing is known of, and the other leaves it out: if they
  // have one volume, there is no such place.
  void Keep(const Solid& solid, const StepProof& proof, bool inside) {
    (inside ? volumes_inside_ : volumes_outside_).push_back(proof.volume);
    const bool is_confirmed = std::ranges::any_of(
        inside ? volumes_outside_ : volumes_inside_,
        [&](double other) { return std::abs(other - proof.volume) <= kSure * proof.volume; });
    const bool is_sure = is_confirmed || proof.off <= kSure;
    if (is_sure || proof.off < best_.off) best_ = {solid, proof.off, is_sure};
  }

  // Points around the solid, around those of its faces and edges, and around those at which
  // expressions differed, near and far.
  std::vector<Eigen::Vector3d> RandomPoints(std::size_t count) {
    const Aabb around = AroundBounds(step_.bounds);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<Eigen::Vector3d> points;
    for (std::size_t n = 0; n < count; ++n) {
      Eigen::Vector3d p = around.Center(), half = around.HalfExtents();
      if (n % 4 != 0) {
        p = n % 4 == 1 && !found_.empty() ? LatestFound() : around_[random_() % around_.size()];
        half.setConstant(size_ * std::pow(10.0, kScale + kScaleRange * uniform(random_)));
      }
      for (int k = 0; k < 3; ++k) p[k] += uniform(random_) * half[k];
      points.push_back(p);
    }
    return points;
  }

  // One of the last points at which expressions differed: small regions are there.
  const Eigen::Vector3d& LatestFound() {
    return found_[found_.size() - 1 - random_() % std::min(found_.size(), kLatest)];
  }

  std::vector<StepPoint> Told(const std::vector<Eigen::Vector3d>& asked) const {
    if (asked.empty()) return {};
    std::vector<StepPoint> told = classify_(asked, kNear * size_);
    std::erase_if(told, [&](const StepPoint& point) { return IsNearSurface(point.p); });
    return told;
  }

  // Open CASCADE does not leave out all points that are near splines.
  bool IsNearSurface(const Eigen::Vector3d& p) const {
    return std::ranges::any_of(step_.faces, [&](const StepFace& face) {
      return std::abs(face.Height(p)) <= kNear * size_;
    });
  }

  bool IsInBounds(const Eigen::Vector3d& p) const {
    const Aabb& bounds = step_.bounds;
    return (p.array() >= bounds.min.array()).all() && (p.array() <= bounds.max.array()).all();
  }

  // What is made, cut to the bounds; nothing where its numbers make no solid.
  template <class Make>
  std::optional<Solid> Made(const Make& make) const {
    try {
      const std::optional<Solid> solid = make();
      return solid ? std::optional(CutToBounds(*solid, step_.bounds)) : std::nullopt;
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
  }

  static bool Holds(const Solid& solid, const std::vector<StepPoint>& points) {
    return std::ranges::all_of(points, [&](const StepPoint& point) {
      return (solid.Locate(point.p) == Membership::kInside) == point.inside;
    });
  }

  const StepSolid& step_;
  const StepClassifier& classify_;
  StepTable table_;
  double size_ = 0.0;
  std::mt19937_64 random_{1};
  std::vector<Eigen::Vector3d> around_, found_;
  std::vector<std::size_t> active_;  // labels for which terms are made
  std::vector<bool> is_active_;      // by label
  Pair pair_;
  double work_ = 0.0;
  struct {
    std::optional<Solid> solid;
    double off = std::numeric_limits<double>::infinity();  // as in its proof
    bool is_sure = false;
  } best_;
  std::vector<double> volumes_inside_, volumes_outside_;  // that are right, by the kind of terms
  std::set<std::pair<LeftOut, bool>> unconverged_;  // manners and kinds of terms without a mass
};

}  // namespace

std::optional<Solid> ExactSolid(const StepSolid& step, const StepClassifier& classify,
                                std::string* why) {
  for (const StepFace& face : step.faces) {
    if (face.surface == StepSurface::kOther) {
      *why = "it has faces on free-form surfaces";
      return std::nullopt;
    }
  }
  if (step.faces.empty() || step.faces.size() > kMostFaces) {
    *why = step.faces.empty() ? "it has no faces" : "it has too many faces";
    return std::nullopt;
  }
  std::optional<Solid> solid = Search(step, classify).Run();
  // What was found when the time was over is not proved by all points.
  const bool is_over = TimeLimit::IsOver();
  if (solid && !is_over) return solid;
  *why = "no expression over its surfaces with its volume was found";
  if (is_over) *why += " within the time limit";
  return std::nullopt;
}

}  // namespace volcontact
