// The frame of a region whose edges and moments are known.
#pragma once

#include <optional>
#include <vector>

#include "overlap/arcs/edges/edges.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"

namespace volcontact {

/// Whether a needle or a sheet lies askew in its frame, so that the second moments across it drown
/// in the rounding of those along it; and the direction in which it is thinnest.
bool IsAskew(const VolumeMoments& moments, Eigen::Vector3d* thinnest);

/// The least variance of a region along any direction of the cube with these half extents.
double LeastVariance(const VolumeMoments& moments, const Eigen::Vector3d& half);

/// A frame around the edges of a region, and as much around its centroid as its second moments
/// tell, from sums over those edges in a wider frame: what cells would otherwise have to search
/// for. It has the axes of that frame where the region is not thin askew to them, since faces along
/// them keep all digits, else the principal axes of the region. It need not hold all of the region:
/// sums in it, which know as much of the region as its edges tell, are to be compared with those in
/// the wider one. Nothing where the moments are rounding. All faces of the region must have edges.
std::optional<LocalFrame> FrameOfRegion(const LocalProblem& problem, const Edges& edges,
                                        const RawMetrics& raw);

/// A frame around the edges of a region that is lost in a far wider one, with room for faces
/// between them; nothing where the frame is not far wider.
std::optional<LocalFrame> FrameOfEdges(const LocalProblem& problem, const Edges& edges);

/// Finds boxes around edges that lie together, with room for faces between them, each apart from
/// all others; some of them may reach out of the cube. Whether there are two or more; else there is
/// none. Keeps the memory of `boxes`. Cost: the square of the number of pieces, at most.
bool FindBoxesApart(const LocalProblem& problem, const Edges& edges, std::vector<Cell>* boxes);

}  // namespace volcontact
