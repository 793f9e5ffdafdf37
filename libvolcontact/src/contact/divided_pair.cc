#include <optional>

#include "contact/sectors.h"
#include "overlap/query/sector_query.h"
#include "volcontact/contact/division.h"
#include "volcontact/solids/solid_parts.h"

VOLCONTACT_NAMESPACE_BEGIN

bool BoxesMeet(const Aabb& a, const Pose& X_WA, const Aabb& b, const Pose& X_WB) {
  if (!a.IsBounded() || !b.IsBounded()) return true;
  const Eigen::Vector3d apart = (X_WA * a.Center() - X_WB * b.Center()).cwiseAbs();
  const Eigen::Vector3d reach =
      X_WA.Rotation().cwiseAbs() * a.HalfExtents() + X_WB.Rotation().cwiseAbs() * b.HalfExtents();
  return (apart.array() <= reach.array()).all();
}

DividedPair::DividedPair(const Solid& A, const Solid& B, const ContactDivision& division)
    : whole_(A, B) {
  if (division.sectors == 0) return;
  const DivisionAxis& axis = division.axis;
  const Solid& cut = axis.of_A ? A : B;
  for (const Solid& sector : SectorsOf(cut, axis.point, axis.axis, division.sectors)) {
    const Solid &a = axis.of_A ? sector : A, &b = axis.of_A ? B : sector;
    pieces_.push_back({PreparedPair(a, b), a.Bounds(), b.Bounds()});
  }
  if (MeshOf(A) || MeshOf(B)) return;
  const Rigid X_SF(FrameAbout(axis.axis), ToDoubleDouble(axis.point));
  at_once_ = std::make_shared<const SectorQuery>(A, B, axis.of_A, division.sectors, X_SF);
}

std::vector<Metrics> DividedPair::Query(const Pose& X_WA, const Pose& X_WB,
                                        const QueryOptions& options) const {
  if (!is_divided()) return {whole_.Query(X_WA, X_WB, options)};
  std::vector<Metrics> all(pieces_.size());
  std::vector<std::optional<Metrics>> found;
  if (at_once_) found = at_once_->Query(X_WA, X_WB, options);
  if (found.empty()) {
    // Where all sectors are apart by little, as in a bore, that is seen at a fraction of the cost.
    if (at_once_ && whole_.Overlaps(X_WA, X_WB) == OverlapProof::kSeparated) return all;
    found.resize(pieces_.size());
  }
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (found[i]) {
      all[i] = std::move(*found[i]);
      continue;
    }
    const Piece& piece = pieces_[i];
    if (piece.bounds_A.IsEmpty() || piece.bounds_B.IsEmpty() ||
        !BoxesMeet(piece.bounds_A, X_WA, piece.bounds_B, X_WB)) {
      continue;
    }
    all[i] = piece.pair.Query(X_WA, X_WB, options);
  }
  return all;
}

VOLCONTACT_NAMESPACE_END
