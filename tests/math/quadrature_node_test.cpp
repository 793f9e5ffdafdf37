// Changes of variable next to branch points.
#include "math/quadrature/quadrature_node.h"

#include <gtest/gtest.h>

#include "math/quadrature/gauss_rules.h"

namespace volcontact {
namespace {

TEST(NodeMapTest, InverseLeadsBack) {
  for (const double xa : {-1.2, -0.5, -9.0}) {
    for (const double xb : {2.0, 2.3, 11.0}) {
      const NodeMap map(-0.5, 2.0, xa, xb);
      for (const double t : {-1.0, -0.3, 0.0, 0.8, 1.0}) {
        EXPECT_NEAR(std::abs(map.Inverse(map(t).x) - t), 0.0, 1e-7) << xa << " " << xb << " " << t;
      }
    }
  }
}

TEST(NearMapTest, IntegratesNextToComplexBranchPoints) {
  // sqrt((x − c)² + w²) over [-1, 1], from its antiderivative.
  const KronrodRule& rule = kKronrodRules[3];
  for (const double c : {-1.01, -0.4, 0.0, 0.7}) {
    for (double w = 0.1; w > 1e-6; w *= 0.1) {
      const NearMap map({c, w});
      double sum = 0.0;
      for (int n = 0; n < rule.size; ++n) {
        const QuadratureNode node = map(rule.nodes[n]);
        sum += rule.weights[n] * node.weight * std::hypot(node.x - c, w);
      }
      const auto primitive = [&](double x) {
        return 0.5 * (x * std::hypot(x, w) + w * w * std::asinh(x / w));
      };
      EXPECT_NEAR(sum, primitive(1.0 - c) - primitive(-1.0 - c), 1e-8) << c << " " << w;
    }
  }
}

TEST(NearMapTest, LeavesFarOnesAlone) {
  const NearMap map({0.3, 2.0});
  EXPECT_EQ(map(0.25).x, 0.25);
  EXPECT_EQ(map(0.25).weight, 1.0);
}

}  // namespace
}  // namespace volcontact
