// What differs from row to row of a sweep.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/json/json_cursor.h"
#include "sweep/near_contact.h"
#include "sweep/variables/derived_variables.h"
#include "sweep/variables/distributions.h"
#include "sweep/variables/philox.h"
#include "sweep/variables/quasi_random.h"
#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// Rows after each other: their variables.
struct RowBlock {
  std::uint64_t first = 0;
  std::size_t count = 0;
  std::vector<std::vector<double>> columns;  ///< as SweepVariables::columns(), then by row
  std::vector<std::string> failures;         ///< by row: why it has no values; empty: it has
};

enum class VariableKind {
  kNumber,
  kRotation,  ///< four columns: qw, qx, qy, qz
  kPose,      ///< eight: x, y, z, qw, qx, qy, qz, gap
};

/// Uniformly distributed rotations.
struct UniformRotation {};

/// Rotation and direction uniform, and a gap.
struct NearContactRange {
  UniformRange gap;
};

struct RandomVariable {
  std::variant<Distribution, UniformRotation, NearContactRange> draw;
  RandomStream stream;
  std::size_t column;     ///< its first
  std::size_t dimension;  ///< its first among those of all variables
  std::size_t uniforms;   ///< random numbers that a row takes
};

struct GridVariable {
  std::vector<double> values;
  std::size_t column;
};

/// All variables of a plan: those of a table, on a grid, drawn, derived. Immutable but for UsePair;
/// any threads may draw at once.
class SweepVariables {
 public:
  /// Reads "over"; a table is looked for beside the file. Throws InvalidInput that names the place.
  explicit SweepVariables(const JsonCursor& over);

  std::uint64_t rows() const { return rows_; }
  const std::vector<ResultColumn>& columns() const { return columns_; }
  const std::vector<std::string>& names() const { return names_; }
  struct Found {
    VariableKind kind;
    std::size_t column;  ///< its first
  };
  std::optional<Found> Find(const std::string& name) const;

  /// Whether there are poses near contact, which are drawn from the pair that is given before.
  bool NeedsPair() const { return needs_pair_; }
  void UsePair(std::shared_ptr<const NearContact> near) { near_ = std::move(near); }

  /// Throws nothing for rows that cannot be drawn: they say why.
  RowBlock Draw(std::uint64_t first, std::size_t count) const;

 private:
  void AddName(const JsonCursor& at, const std::string& name);
  void AddColumn(const JsonCursor& at, const std::string& name, const std::string& unit);
  void ReadTable(const JsonCursor& input);
  void ReadVariable(const JsonCursor& input, const std::string& name, std::uint64_t seed);
  void ReadGrid(const JsonCursor& variable, const std::string& name);
  void CountRows(const JsonCursor& over);
  void ReadSampling(const JsonCursor& over, std::uint64_t seed);
  void ReadDerived(const JsonCursor& over);

  void PutTableAndGrid(RowBlock* block) const;
  void PutRandom(RowBlock* block) const;
  void PutNearContact(const RandomVariable& variable, const double* u, std::size_t row,
                      RowBlock* block) const;
  void PutDerived(RowBlock* block) const;

  std::vector<ResultColumn> columns_;
  std::vector<std::string> names_;  // of variables, as files name them
  std::vector<Found> found_;        // by name
  std::vector<std::vector<double>> table_;
  std::vector<GridVariable> grid_;
  std::vector<RandomVariable> random_;
  std::vector<DerivedVariable> derived_;
  std::uint64_t rows_ = 0, repeat_ = 1, combinations_ = 1;  // of the grid
  std::size_t dimensions_ = 0;
  std::optional<SobolPoints> sobol_;
  std::vector<std::uint64_t> sobol_shift_;
  bool needs_pair_ = false;
  std::shared_ptr<const NearContact> near_;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
