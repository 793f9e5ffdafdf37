#include "solids/implicit/primitive_surfaces.h"

namespace volcontact {
namespace {

Expression Below(int surface) { return Expression::Below(surface); }
Expression Above(int surface) { return Expression::Above(surface); }

// Between the faces that start at surface `first`, as added by AddFaces.
Expression Between(int first) { return Expression::And({Below(first), Above(first + 1)}); }

// The distinct expressions of primitives, built once: membership asks for one at every point.
struct Catalogue {
  const Expression single = Below(0);
  const Expression slab = Between(0);
  const Expression box = Expression::And({Between(0), Between(2), Between(4)});
  const Expression cylinder = Expression::And({Below(0), Between(1)});
  const Expression cone = Expression::And({Below(0), Above(1), Below(2)});
  // The balls count beyond the cylinder's ends only: within, their spheres would touch its wall.
  const Expression capsule = Expression::Or(
      {cylinder, Expression::And({Below(3), Above(1)}), Expression::And({Below(4), Below(2)})});
};

struct ExpressionOf {
  const Catalogue& catalogue;

  const Expression& operator()(const SlabShape&) const { return catalogue.slab; }
  const Expression& operator()(const BoxShape&) const { return catalogue.box; }
  const Expression& operator()(const CylinderShape& s) const {
    return std::isfinite(s.height) ? catalogue.cylinder : catalogue.single;
  }
  const Expression& operator()(const ConeShape&) const { return catalogue.cone; }
  const Expression& operator()(const CapsuleShape& s) const {
    return s.height == 0.0 ? catalogue.single : catalogue.capsule;
  }
  // All others are bounded by one surface.
  template <class AnyShape>
  const Expression& operator()(const AnyShape&) const {
    return catalogue.single;
  }
};

}  // namespace

const Expression& PrimitiveExpression(const Shape& shape) {
  static const Catalogue catalogue;
  return std::visit(ExpressionOf{catalogue}, shape);
}

Expression Combine(BooleanShape::Kind kind, std::vector<Expression> children) {
  switch (kind) {
    case BooleanShape::Kind::kUnion:
      return Expression::Or(children);
    case BooleanShape::Kind::kIntersection:
      return Expression::And(children);
    case BooleanShape::Kind::kComplement:
      return children[0].Complement();
    case BooleanShape::Kind::kDifference:
      for (std::size_t i = 1; i < children.size(); ++i) children[i] = children[i].Complement();
      return Expression::And(children);
  }
  return Expression::Constant(false);
}

}  // namespace volcontact
