#include "step/reading/step_reader.h"

#include <fmt/format.h>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepTools.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Eigen/Geometry>
#include <GeomAdaptor_Surface.hxx>
#include <Geom_Surface.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <ShapeUpgrade_ShapeDivideClosed.hxx>
#include <Standard_Failure.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListIteratorOfListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Solid.hxx>
#include <algorithm>
#include <cmath>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>
#include <gp_Torus.hxx>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "io/messages.h"
#include "io/text_file.h"
#include "step/faces/step_frames.h"
#include "step/faces/step_mass.h"
#include "step/faces/step_membership.h"
#include "step/faces/step_mesh.h"
#include "step/faces/step_recognition.h"
#include "step/faces/step_separators.h"
#include "step/faces/step_units.h"
#include "step/reading/step_bodies.h"
#include "step/reading/step_poles.h"
#include "step/reading/step_rescale.h"
#include "step/reading/step_sewing.h"
#include "step/reading/step_transfer.h"
#include "step/step_choice.h"
#include "volcontact/math/error.h"

namespace volcontact {

struct StepReader::Shapes {
  std::vector<TopoDS_Solid> solids;
  std::map<int, StepMembership> memberships;  // of those that points were asked of
};

namespace {

// Programs leave less of lengths: 1e-11 mm.
constexpr double kFileStepsPerMetre = 1e14;
// Points along each parameter of a face, inside of it.
constexpr int kSamplesAcross = 24;
// Points along each parameter of a spline, which tell how far it is from what it stands for.
constexpr int kSplineSamples = 20;
// Of the longest product of derivatives: one without a direction.
constexpr double kNoNormal = 1e-9;

// The surface of a face, without its side.
StepFace SurfaceOf(const GeomAdaptor_Surface& surface) {
  StepFace face;
  switch (surface.GetType()) {
    case GeomAbs_Plane:
      face.surface = StepSurface::kPlane;
      SetFrame(surface.Plane().Position(), &face);
      break;
    case GeomAbs_Cylinder:
      face.surface = StepSurface::kCylinder;
      SetFrame(surface.Cylinder().Position(), &face);
      face.radius = InMetres(surface.Cylinder().Radius());
      break;
    case GeomAbs_Cone:
      face.surface = StepSurface::kCone;
      SetFrame(surface.Cone().Position(), &face);
      face.radius = InMetres(surface.Cone().RefRadius());
      face.minor = std::tan(surface.Cone().SemiAngle());
      break;
    case GeomAbs_Sphere:
      face.surface = StepSurface::kSphere;
      SetFrame(surface.Sphere().Position(), &face);
      face.radius = InMetres(surface.Sphere().Radius());
      break;
    case GeomAbs_Torus:
      face.surface = StepSurface::kTorus;
      SetFrame(surface.Torus().Position(), &face);
      face.radius = InMetres(surface.Torus().MajorRadius());
      face.minor = InMetres(surface.Torus().MinorRadius());
      break;
    default:
      break;
  }
  return face;
}

// Points of the face's surface over all that the face takes of its parameters.
std::vector<StepPointNormal> PointsOf(const TopoDS_Face& face, const Geom_Surface& surface) {
  double u0 = 0.0, u1 = 0.0, v0 = 0.0, v1 = 0.0;
  BRepTools::UVBounds(face, u0, u1, v0, v1);
  std::vector<std::pair<gp_Pnt, gp_Vec>> all;
  double most = 0.0;
  for (int i = 0; i <= kSplineSamples; ++i) {
    for (int k = 0; k <= kSplineSamples; ++k) {
      gp_Pnt p;
      gp_Vec along_u, along_v;
      surface.D1(u0 + (u1 - u0) * i / kSplineSamples, v0 + (v1 - v0) * k / kSplineSamples, p,
                 along_u, along_v);
      all.emplace_back(p, along_u.Crossed(along_v));
      most = std::max(most, all.back().second.Magnitude());
    }
  }
  std::vector<StepPointNormal> points;
  for (const auto& [p, normal] : all) {
    // Where lines of parameters meet in a point, rounding makes the direction.
    if (!(normal.Magnitude() > kNoNormal * most)) continue;
    points.push_back({InMetres(p.XYZ()), DirectionOf(gp_Dir(normal))});
  }
  return points;
}

// A cone has two nappes, and a torus that crosses its axis two sheets. A face that goes from one to
// the other is none of our surfaces.
void ChooseSheet(const TopoDS_Face& face, const GeomAdaptor_Surface& surface, StepFace* known) {
  const bool is_cone = known->surface == StepSurface::kCone;
  if (!is_cone && known->surface != StepSurface::kTorus) return;
  double u[2], v[2];
  BRepTools::UVBounds(face, u[0], u[1], v[0], v[1]);
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (int i = 0; i <= kSplineSamples; ++i) {
    const double at = v[0] + (v[1] - v[0]) * i / kSplineSamples;
    const double from_axis =
        known->radius + (is_cone ? InMetres(at) * std::sin(surface.Cone().SemiAngle())
                                 : known->minor * std::cos(at));
    least = std::min(least, from_axis);
    most = std::max(most, from_axis);
  }
  if (least >= -kSameAsSpline) return;
  if (most > kSameAsSpline) known->surface = StepSurface::kOther;
  known->radius = -known->radius;
  if (is_cone) known->SetAxis(-known->axes.col(2));
}

// The same; any other that is a plane, a cylinder and so on to within the tolerance counts as that.
StepFace SurfaceOf(const TopoDS_Face& face) {
  const Handle(Geom_Surface) surface = BRep_Tool::Surface(face);
  if (!IsSpline(face)) {
    const GeomAdaptor_Surface adaptor(surface);
    StepFace known = SurfaceOf(adaptor);
    ChooseSheet(face, adaptor, &known);
    return Tidied(std::move(known), kFileStepsPerMetre);
  }
  return RecognisedSurface(PointsOf(face, *surface), kSameAsSpline).value_or(StepFace());
}

// Points on the face, and where the material lies.
void Sample(const TopoDS_Face& face, const BRepAdaptor_Surface& surface, StepFace* result) {
  double u0 = 0.0, u1 = 0.0, v0 = 0.0, v1 = 0.0;
  BRepTools::UVBounds(face, u0, u1, v0, v1);
  const BRepTopAdaptor_FClass2d inside(face, 1e-9);
  bool sided = false;
  for (int i = 0; i < kSamplesAcross * kSamplesAcross; ++i) {
    // Off the middle, where symmetric parts have their seams.
    const double s = (i % kSamplesAcross + 0.47) / kSamplesAcross;
    const double t = (i / kSamplesAcross + 0.53) / kSamplesAcross;
    const gp_Pnt2d uv(u0 + s * (u1 - u0), v0 + t * (v1 - v0));
    if (inside.Perform(uv) != TopAbs_IN) continue;
    gp_Pnt p;
    gp_Vec along_u, along_v;
    surface.D1(uv.X(), uv.Y(), p, along_u, along_v);
    result->samples.push_back(InMetres(p.XYZ()));
    gp_Vec normal = along_u.Crossed(along_v);
    if (sided || !(normal.Magnitude() > 0.0)) continue;
    if (face.Orientation() == TopAbs_REVERSED) normal.Reverse();
    const Eigen::Vector3d n = DirectionOf(gp_Dir(normal));
    if (result->surface == StepSurface::kPlane) {
      if (n.dot(result->axes.col(2)) < 0.0) result->axes.rightCols<2>() *= -1.0;
    } else if (result->surface != StepSurface::kOther) {
      result->inside = n.dot(result->Up(result->samples.back())) > 0.0;
    }
    sided = true;
  }
  result->inner = result->samples;
  for (TopExp_Explorer vertex(face, TopAbs_VERTEX); vertex.More(); vertex.Next()) {
    result->samples.push_back(InMetres(BRep_Tool::Pnt(TopoDS::Vertex(vertex.Current())).XYZ()));
  }
}

// Points along the edges of a face, where it goes farthest.
void SampleEdges(const TopoDS_Face& face, StepFace* result) {
  constexpr int kAlong = 24;
  for (TopExp_Explorer edge(face, TopAbs_EDGE); edge.More(); edge.Next()) {
    double first = 0.0, last = 0.0;
    const Handle(Geom_Curve) curve = BRep_Tool::Curve(TopoDS::Edge(edge.Current()), first, last);
    if (curve.IsNull()) continue;
    for (int i = 0; i <= kAlong; ++i) {
      result->samples.push_back(InMetres(curve->Value(first + (last - first) * i / kAlong).XYZ()));
    }
  }
}

// Faces that share an edge.
void AddNeighbours(const TopoDS_Solid& solid, const TopTools_IndexedMapOfShape& faces,
                   std::vector<StepFace>* all) {
  TopTools_IndexedDataMapOfShapeListOfShape edges;
  TopExp::MapShapesAndAncestors(solid, TopAbs_EDGE, TopAbs_FACE, edges);
  for (int e = 1; e <= edges.Extent(); ++e) {
    std::vector<int> around;
    for (TopTools_ListIteratorOfListOfShape face(edges(e)); face.More(); face.Next()) {
      around.push_back(faces.FindIndex(face.Value()) - 1);
    }
    for (const int a : around) {
      for (const int b : around) {
        if (a != b) (*all)[static_cast<std::size_t>(a)].neighbours.insert(b);
      }
    }
  }
}

TopoDS_Shape ShapeFor(StepMeshing meshing, const TopoDS_Solid& solid) {
  if (meshing == StepMeshing::kAsItIs) return solid;
  if (meshing == StepMeshing::kSplines) return BRepBuilderAPI_NurbsConvert(solid).Shape();
  ShapeUpgrade_ShapeDivideClosed divided(solid);
  divided.SetNbSplitPoints(1);
  divided.Perform();
  return divided.Result();
}

// Open CASCADE reports on standard output, which is for the answer. Its unit is a global variable.
void Prepare() {
  Message::DefaultMessenger()->ChangePrinters().Clear();
  STEPControl_Controller::Init();
  Interface_Static::SetCVal("xstep.cascade.unit", "MM");
}

}  // namespace

StepReader::StepReader(const std::filesystem::path& path, const StepUnit& unit)
    : shapes_(std::make_unique<Shapes>()) {
  const std::string origin = Printable(path.string());
  Prepare();
  OpenedFile(path);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error && bytes > kMaxStepFileSize)
    throw InvalidInput(origin + ": is larger than 512 MiB; split it");
  try {
    STEPControl_Reader reader;
    const std::optional<StepTransfer> all = TransferAll(path, &reader);
    if (!all) {
      throw InvalidInput(WhyUnreadable(path, origin));
    }
    if (all->waived > 0) {
      notes_.push_back(
          fmt::format("{}: {} entries on the colour, name or description of parts cannot be read; "
                      "the shapes do not need them",
                      origin, all->waived));
    }
    StepBodies found = BodiesOf(all->shape, reader);
    if (found.solids.empty())
      found = BodiesOf(SolidsOfSurfaces(all->shape, origin, &notes_), reader);
    TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
    reader.FileUnits(lengths, angles, solid_angles);
    if (lengths.Length() > 0) unit_ = Printable(lengths.First().ToCString());
    if (unit.IsUsed(unit_))
      found = Rescaled(std::move(found), InMillimetres(unit.metres), reader, origin);
    shapes_->solids = std::move(found.solids);
    bodies_ = std::move(found.instances);
  } catch (const Standard_Failure&) {
    throw InvalidInput(origin + ": cannot be read as STEP; the file is damaged, export it again");
  }
}

StepReader::~StepReader() = default;

StepSolid StepReader::Describe(int i, bool tightly) const {
  TopoDS_Solid& solid = shapes_->solids[static_cast<std::size_t>(i)];
  StepSolid result;
  try {
    solid = CutAtPoles(solid, Called(bodies_, i));
    Bnd_Box box;
    BRepBndLib::AddOptimal(solid, box, Standard_False, Standard_False);
    double low[3], high[3];
    box.Get(low[0], low[1], low[2], high[0], high[1], high[2]);
    for (int k = 0; k < 3; ++k) {
      result.bounds.min[k] = InMetres(low[k]);
      result.bounds.max[k] = InMetres(high[k]);
    }
    const double size = result.Size();
    TopTools_IndexedMapOfShape faces;
    TopExp::MapShapes(solid, TopAbs_FACE, faces);
    std::vector<StepFace> all;
    for (int f = 1; f <= faces.Extent(); ++f) {
      const TopoDS_Face& face = TopoDS::Face(faces(f));
      const BRepAdaptor_Surface surface(face);
      all.push_back(SurfaceOf(face));
      Sample(face, surface, &all.back());
      SampleEdges(face, &all.back());
      AddSeparators(face, surface, all.back(), &result.separators);
    }
    AddNeighbours(solid, faces, &all);
    AddPlanesOfEdges(solid, &result.separators);
    for (StepFace& each : result.separators) each = Tidied(std::move(each), kFileStepsPerMetre);
    result.faces = JoinedFaces(std::move(all), size);
    const bool known = std::ranges::none_of(
        result.faces, [](const StepFace& face) { return face.surface == StepSurface::kOther; });
    result.mass = MassOf(solid, known && tightly);
    if (known) result.mass.doubt = DoubtOf(solid, result.mass);
    result.gap = GapOf(solid);
  } catch (const Standard_Failure& failure) {
    throw InvalidInput(fmt::format("{} cannot be analysed ({}); export it again",
                                   Called(bodies_, i), Printable(failure.GetMessageString())));
  }
  return result;
}

std::vector<StepPoint> StepReader::Classify(int i, const std::vector<Eigen::Vector3d>& points,
                                            double near) const {
  std::vector<StepPoint> result;
  try {
    StepMembership& membership =
        shapes_->memberships.try_emplace(i, shapes_->solids[static_cast<std::size_t>(i)])
            .first->second;
    for (const Eigen::Vector3d& p : points) {
      const std::optional<bool> inside = membership.Contains(p, near);
      if (inside) result.push_back({p, *inside});
    }
  } catch (const Standard_Failure& failure) {
    throw InvalidInput(fmt::format("points of {} cannot be classified ({}); export it again",
                                   Called(bodies_, i), Printable(failure.GetMessageString())));
  }
  return result;
}

StepMesh StepReader::MeshOf(int i, double deviation, StepMeshing meshing) const {
  const TopoDS_Solid& solid = shapes_->solids[static_cast<std::size_t>(i)];
  try {
    StepMesh mesh = MeshOfShape(ShapeFor(meshing, solid), deviation);
    if (meshing != StepMeshing::kAsItIs) mesh.origins.clear();
    return mesh;
  } catch (const Standard_Failure& failure) {
    throw InvalidInput(fmt::format("{} cannot be meshed ({}); export it as STL", Called(bodies_, i),
                                   Printable(failure.GetMessageString())));
  }
}

}  // namespace volcontact
