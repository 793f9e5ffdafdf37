#include "step/reading/step_bodies.h"

#include <BRepBuilderAPI_Transform.hxx>
#include <Eigen/Geometry>
#include <StepBasic_Product.hxx>
#include <StepBasic_ProductDefinition.hxx>
#include <StepBasic_ProductDefinitionFormation.hxx>
#include <StepShape_ManifoldSolidBrep.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Iterator.hxx>
#include <TransferBRep.hxx>
#include <cmath>
#include <gp_Quaternion.hxx>
#include <gp_Trsf.hxx>
#include <map>
#include <numbers>
#include <string>
#include <utility>

#include "step/faces/step_units.h"
#include "step/reading/step_entities.h"

namespace volcontact {
namespace {

// Files state directions to some fifteen digits: quarter and half turns come out exact, so that
// faces which lie on each other do.
constexpr double kSameTurn = 1e-12;
// A placement that scales by more is no rigid one.
constexpr double kSameScale = 1e-9;

// Without blanks around it, which nobody sees.
std::string TextOf(const Handle(TCollection_HAsciiString) & text) {
  constexpr char kBlanks[] = " \t\r\n";
  const std::string all = text.IsNull() ? "" : text->ToCString();
  const std::size_t first = all.find_first_not_of(kBlanks);
  if (first == std::string::npos) return "";
  return all.substr(first, all.find_last_not_of(kBlanks) - first + 1);
}

// Names of shapes, by what they share wherever they are placed.
class ShapeNames {
 public:
  explicit ShapeNames(const STEPControl_Reader& reader) {
    LookAtEntities(reader, [&](const Handle(Standard_Transient) & entity,
                               const Handle(Transfer_TransientProcess) & transfer) {
      if (const auto product = Handle(StepBasic_ProductDefinition)::DownCast(entity)) {
        Add(TransferBRep::ShapeResult(transfer, entity), NameOf(*product), &of_products_);
      } else if (const auto solid = Handle(StepShape_ManifoldSolidBrep)::DownCast(entity)) {
        Add(TransferBRep::ShapeResult(transfer, entity), TextOf(solid->Name()), &of_solids_);
      }
      return true;
    });
  }

  const std::string* OfProduct(const TopoDS_Shape& shape) const { return Of(shape, of_products_); }
  const std::string* OfSolid(const TopoDS_Shape& shape) const { return Of(shape, of_solids_); }

 private:
  using Names = std::map<const TopoDS_TShape*, std::string>;

  static std::string NameOf(const StepBasic_ProductDefinition& definition) {
    const auto& formation = definition.Formation();
    if (formation.IsNull() || formation->OfProduct().IsNull()) return "";
    const std::string name = TextOf(formation->OfProduct()->Name());
    return name.empty() ? TextOf(formation->OfProduct()->Id()) : name;
  }
  static void Add(const TopoDS_Shape& shape, const std::string& name, Names* names) {
    if (!shape.IsNull() && !name.empty()) names->emplace(shape.TShape().get(), name);
  }
  static const std::string* Of(const TopoDS_Shape& shape, const Names& names) {
    const auto found = names.find(shape.TShape().get());
    return found == names.end() ? nullptr : &found->second;
  }

  Names of_products_, of_solids_;
};

// A component of a unit quaternion.
double Tidied(double component) {
  for (const double exact : {0.0, 0.5, 1.0 / std::numbers::sqrt2, 1.0}) {
    if (std::abs(std::abs(component) - exact) < kSameTurn) return std::copysign(exact, component);
  }
  return component;
}

Pose PoseOf(const gp_Trsf& placement) {
  const gp_Quaternion q = placement.GetRotation();
  return {InMetres(placement.TranslationPart()),
          {Tidied(q.W()), Tidied(q.X()), Tidied(q.Y()), Tidied(q.Z())}};
}

bool IsRigid(const gp_Trsf& placement) {
  return !placement.IsNegative() && std::abs(placement.ScaleFactor() - 1.0) < kSameScale;
}

class BodyCollector {
 public:
  explicit BodyCollector(const ShapeNames& names) : names_(names) {}

  // `product` is the name of the innermost product around the shape.
  void Collect(const TopoDS_Shape& shape, const std::string& product) {
    const std::string* own = names_.OfProduct(shape);
    if (own != nullptr) return CollectIn(shape, *own);
    CollectIn(shape, product);
  }

  StepBodies Taken() { return std::move(bodies_); }

 private:
  void CollectIn(const TopoDS_Shape& shape, const std::string& product) {
    if (shape.ShapeType() == TopAbs_SOLID) return Add(TopoDS::Solid(shape), product);
    if (shape.ShapeType() > TopAbs_SOLID) return;
    std::size_t solids = 0;
    for (TopoDS_Iterator child(shape); child.More(); child.Next()) {
      solids += child.Value().ShapeType() == TopAbs_SOLID ? 1 : 0;
    }
    for (TopoDS_Iterator child(shape); child.More(); child.Next()) {
      const bool shared = solids > 1 && child.Value().ShapeType() == TopAbs_SOLID;
      const std::string* of_solid = shared ? names_.OfSolid(child.Value()) : nullptr;
      Collect(child.Value(), of_solid == nullptr ? product : *of_solid);
    }
  }

  void Add(const TopoDS_Solid& solid, const std::string& product) {
    const std::string* of_solid = product.empty() ? names_.OfSolid(solid) : nullptr;
    StepInstance instance;
    instance.name = of_solid == nullptr ? product : *of_solid;
    const gp_Trsf placement = solid.Location().Transformation();
    const bool rigid = IsRigid(placement);
    instance.solid = rigid ? SharedSolid(solid) : NewSolid(solid);
    if (rigid) instance.X_FS = PoseOf(placement);
    bodies_.instances.push_back(std::move(instance));
  }

  int SharedSolid(const TopoDS_Solid& solid) {
    const std::pair key(static_cast<const TopoDS_TShape*>(solid.TShape().get()),
                        solid.Orientation());
    const auto found = shared_.find(key);
    if (found != shared_.end()) return found->second;
    const int number = NewSolid(TopoDS::Solid(solid.Located(TopLoc_Location())));
    shared_.emplace(key, number);
    return number;
  }

  int NewSolid(const TopoDS_Solid& solid) {
    bodies_.solids.push_back(solid);
    return static_cast<int>(bodies_.solids.size()) - 1;
  }

  const ShapeNames& names_;
  std::map<std::pair<const TopoDS_TShape*, TopAbs_Orientation>, int> shared_;
  StepBodies bodies_;
};

}  // namespace

StepBodies BodiesOf(const TopoDS_Shape& all, const STEPControl_Reader& reader) {
  const ShapeNames names(reader);
  BodyCollector collector(names);
  if (!all.IsNull()) collector.Collect(all, "");
  return collector.Taken();
}

}  // namespace volcontact
