#include "display/assemble.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "display/coarse_sheet.h"
#include "display/refine.h"
#include "display/stitch.h"
#include "display/surface_function.h"
#include "display/trim.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Lists the triangles of one sheet after the other, points once for each normal.
class Collector {
 public:
  Collector(const DisplayField& field, double sharp_angle, const Pose& X_WA, OverlapDisplay* out)
      : field_(field), sharp_angle_(sharp_angle), R_(X_WA.Rotation()), t_(X_WA.t), out_(out) {}

  void Add(const TrimmedSheet& trimmed) {
    numbers_.clear();
    sheet_ = &trimmed.sheet;
    if (sheet_->is_mesh) FindCornerNormals();
    for (const FacePiece& piece : trimmed.pieces) AddPiece(piece);
  }

  Eigen::Vector3d ToWorld(const Eigen::Vector3d& y) const { return R_ * field_.ToA(y) + t_; }

 private:
  struct Numbered {
    Eigen::Vector3d normal;
    std::uint32_t number;
  };

  void AddPiece(const FacePiece& piece) {
    std::array<std::uint32_t, 3> triangle;
    for (int i = 0; i < 3; ++i) {
      Eigen::Vector3d normal = NormalAt(piece, i);
      if (piece.is_flipped) normal = -normal;
      triangle[i] = NumberOf(piece.v[i], normal);
    }
    if (piece.is_flipped) std::swap(triangle[1], triangle[2]);
    out_->mesh.triangles.push_back(triangle);
    out_->owners.push_back(piece.owner);
  }

  std::uint32_t NumberOf(std::uint32_t v, const Eigen::Vector3d& normal) {
    std::vector<Numbered>& known = numbers_[v];
    for (const Numbered& one : known) {
      if (one.normal == normal) return one.number;
    }
    const auto number = static_cast<std::uint32_t>(out_->mesh.points.size());
    known.push_back({normal, number});
    out_->mesh.points.push_back(ToWorld(sheet_->points[v]));
    out_->mesh.normals.push_back(R_ * normal);
    return number;
  }

  // Towards rising psi; at an apex that of the triangle.
  Eigen::Vector3d NormalAt(const FacePiece& piece, int corner) const {
    if (sheet_->is_mesh) return MeshNormalAt(piece, corner);
    const Polynomial<double>& psi = field_.surfaces()[sheet_->surface].psi;
    const Eigen::Vector3d gradient = GradientAt(psi, sheet_->points[piece.v[corner]]);
    if (gradient.norm() > kApex) return gradient.normalized();
    const TriangleCorners corners = sheet_->CornersOf(piece.v);
    const Eigen::Vector3d middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    return GradientAt(psi, middle).normalized();
  }

  // Between those of the face's corners.
  Eigen::Vector3d MeshNormalAt(const FacePiece& piece, int corner) const {
    const std::uint32_t face = sheet_->triangles[piece.triangle].face;
    const FieldSurface& mesh = field_.surfaces()[sheet_->surface];
    const MeshTree::Face& of_face = mesh.mesh->faces()[face];
    for (int k = 0; k < 3; ++k) {
      if (of_face[k] == piece.v[corner]) return corner_normals_[3 * face + k];
    }
    const TriangleCorners c = CornersOf(mesh, face);
    const Eigen::Vector3d n = NormalOf(c);
    const Eigen::Vector3d& y = sheet_->points[piece.v[corner]];
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
      const Eigen::Vector3d &p = c[(k + 1) % 3], &q = c[(k + 2) % 3];
      sum += std::max(0.0, n.dot((p - y).cross(q - y))) * corner_normals_[3 * face + k];
    }
    const double norm = sum.norm();
    return norm > 0.0 ? Eigen::Vector3d(sum / norm) : corner_normals_[3 * face];
  }

  // The normal at each corner of each face: the mean, by area, of the faces that meet there at less
  // than the sharp angle.
  void FindCornerNormals() {
    const FieldSurface& mesh = field_.surfaces()[sheet_->surface];
    const std::vector<MeshTree::Face>& faces = mesh.mesh->faces();
    std::vector<Eigen::Vector3d> normals(faces.size());
    std::vector<std::uint32_t> first(mesh.vertices.size() + 1, 0);
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      normals[f] = NormalOf(CornersOf(mesh, f));
      for (const std::uint32_t v : faces[f]) ++first[v + 1];
    }
    for (std::size_t v = 0; v + 1 < first.size(); ++v) first[v + 1] += first[v];
    std::vector<std::uint32_t> around(3 * faces.size()), next = first;
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      for (const std::uint32_t v : faces[f]) around[next[v]++] = f;
    }
    const double cosine = std::cos(sharp_angle_);
    corner_normals_.resize(3 * faces.size());
    for (std::uint32_t f = 0; f < faces.size(); ++f) {
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t v = faces[f][k];
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (std::uint32_t i = first[v]; i < first[v + 1]; ++i) {
          const Eigen::Vector3d &m = normals[f], &n = normals[around[i]];
          const bool is_same_body = mesh.owners.empty() || mesh.owners[f] == mesh.owners[around[i]];
          if (is_same_body && m.dot(n) > cosine * m.norm() * n.norm()) sum += n;
        }
        corner_normals_[3 * f + k] =
            sum.norm() > 0.0 ? Eigen::Vector3d(sum.normalized()) : normals[f].normalized();
      }
    }
  }

  // A gradient below this, of one whose coefficients are of order one, has no direction.
  static constexpr double kApex = 1e-9;

  const DisplayField& field_;
  double sharp_angle_;
  Eigen::Matrix3d R_;
  Eigen::Vector3d t_;
  OverlapDisplay* out_;
  const Sheet* sheet_ = nullptr;
  std::vector<Eigen::Vector3d> corner_normals_;
  std::unordered_map<std::uint32_t, std::vector<Numbered>> numbers_;
};

std::vector<std::vector<Eigen::Vector3d>> ToWorld(const Collector& collector,
                                                  std::vector<std::vector<Eigen::Vector3d>> lines) {
  for (std::vector<Eigen::Vector3d>& line : lines) {
    for (Eigen::Vector3d& p : line) p = collector.ToWorld(p);
  }
  return lines;
}

}  // namespace

void ValidateDisplayOptions(const DisplayOptions& options) {
  if (!(options.deviation >= 0.0) || !std::isfinite(options.deviation)) {
    throw InvalidInput("DisplayOptions: deviation is " + std::to_string(options.deviation) +
                       "; give a length in metres, or 0 to have one chosen");
  }
  if (!(options.sharp_angle >= 0.0 && options.sharp_angle <= std::numbers::pi)) {
    throw InvalidInput("DisplayOptions: sharp_angle is " + std::to_string(options.sharp_angle) +
                       "; it must lie between 0 and pi");
  }
  if (options.most_triangles < 1) {
    throw InvalidInput("DisplayOptions: most_triangles is 0; give 1 at least");
  }
}

namespace {

// Refined and trimmed sheets of all surfaces. Ends early where `most_triangles` do not suffice and
// `needs_all` is set; returns whether they did.
bool MakeSheets(const DisplayField& field, std::size_t most_triangles, bool needs_all,
                double scaled_deviation, Trimmer* trimmer, std::vector<TrimmedSheet>* sheets) {
  Refiner refiner(field, scaled_deviation);
  bool complete = true;
  std::size_t left = most_triangles;
  for (int s = 0; s < static_cast<int>(field.surfaces().size()); ++s) {
    const FieldSurface& surface = field.surfaces()[s];
    if (surface.is_side) continue;
    std::vector<CoarseSheet> covers;
    if (surface.mesh != nullptr) {
      covers.push_back(CoverMesh(field, s));
    } else {
      covers = CoverSurface(field, s);
    }
    for (CoarseSheet& coarse : covers) {
      TrimmedSheet trimmed;
      complete &= refiner.Run(std::move(coarse), left, &trimmed.sheet);
      if (needs_all && !complete) return false;
      trimmed.pieces = trimmer->Run(&trimmed.sheet);
      left -= std::min(left, trimmed.pieces.size());
      if (!trimmed.pieces.empty()) sheets->push_back(std::move(trimmed));
    }
  }
  return complete;
}

}  // namespace

OverlapDisplay DrawField(const DisplayField& field, const DisplayOptions& options,
                         const DeviationRange& range, const Pose& X_WA) {
  constexpr double kCoarser = 2.0;
  OverlapDisplay display;
  std::vector<TrimmedSheet> sheets;
  std::optional<Trimmer> trimmer;
  double deviation = range.finest, scaled = 0.0;
  for (bool is_last = false; !is_last; deviation = std::min(kCoarser * deviation, range.coarsest)) {
    is_last = deviation >= range.coarsest;
    scaled = deviation / field.size();
    sheets.clear();
    trimmer.emplace(field, scaled);
    display.mesh.deviation = deviation;
    display.mesh.complete =
        MakeSheets(field, options.most_triangles, !is_last, scaled, &*trimmer, &sheets);
    if (display.mesh.complete) break;
  }
  Stitcher stitcher(field, scaled, &*trimmer, &sheets);
  stitcher.Run(options.sharp_angle);
  Collector collector(field, options.sharp_angle, X_WA, &display);
  for (const TrimmedSheet& trimmed : sheets) collector.Add(trimmed);
  display.mesh.edges = ToWorld(collector, stitcher.SharpEdges());
  if (field.is_pair()) display.arcs = ToWorld(collector, stitcher.Arcs());
  return display;
}

}  // namespace volcontact
