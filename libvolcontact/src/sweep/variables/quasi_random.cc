#include "sweep/variables/quasi_random.h"

#include <boost/random/sobol.hpp>

#include "sweep/variables/philox.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

const std::size_t SobolPoints::kMostDimensions = boost::random::default_sobol_table::max_dimension;

SobolPoints::SobolPoints(std::size_t dimensions) : dimensions_(dimensions) {}

void SobolPoints::Draw(std::uint64_t first, std::size_t count,
                       std::vector<std::uint64_t>* bits) const {
  boost::random::sobol engine(dimensions_);
  engine.seed(first);
  bits->resize(count * dimensions_);
  for (std::uint64_t& number : *bits) number = engine();
}

std::vector<double> SobolPoint(std::size_t dimensions, std::uint64_t index) {
  std::vector<std::uint64_t> bits;
  SobolPoints(dimensions).Draw(index, 1, &bits);
  std::vector<double> point;
  for (const std::uint64_t number : bits) point.push_back(UnitInterval(number));
  return point;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
