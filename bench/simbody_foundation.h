// Simbody's elastic foundation, behind an interface of plain C++17: Simbody's headers do not
// compile as C++20.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace volcontact::bench {

/// A mesh on a free body above the ground z <= 0, both without friction or damping.
class ElasticFoundation {
 public:
  /// `stiffness` [N/m³].
  ElasticFoundation(const std::vector<std::array<double, 3>>& vertices,
                    const std::vector<std::array<int, 3>>& faces, double stiffness);
  ~ElasticFoundation();

  /// The force on the mesh along z with its origin at a height [N].
  double Force(double height);

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

}  // namespace volcontact::bench
