// What a sweep keeps of many rows instead of the rows: a reduction adds the rows of a chunk, and
// the states of chunks are merged in the order of the chunks, so that the result does not depend on
// who ran which. Memory: that of a state, whatever the number of rows.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/json/json_cursor.h"
#include "sweep/store/reductions/byte_stream.h"
#include "volcontact/export.h"
#include "volcontact/sweep/sweep_plan.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The state of one reduction. Rows that failed do not enter, nor do values that are not finite,
/// which are counted.
class Reduction {
 public:
  virtual ~Reduction() = default;
  /// Adds the rows of a chunk; of one chunk only, in all the life of the state.
  virtual void Add(const ChunkRows& rows) = 0;
  virtual void Save(ByteWriter* bytes) const = 0;
  /// Adds a saved state, of rows that follow those that are in. Throws DamagedChunk.
  virtual void Merge(ByteReader* bytes) = 0;
  virtual nlohmann::ordered_json Answer() const = 0;
};

struct ReductionSpec {
  std::string name;
  std::function<std::unique_ptr<Reduction>()> make;  ///< with no rows in it
};

/// The "reduce" of a sweep file over the columns of its rows. Throws InvalidInput that names the
/// place, the key and the cure.
std::vector<ReductionSpec> ReadReductions(const JsonCursor& reduce,
                                          const std::vector<ResultColumn>& columns);

/// The index of the column that the text at the cursor names. Throws InvalidInput with a
/// suggestion.
std::size_t ColumnIndex(const JsonCursor& name, const std::vector<ResultColumn>& columns);

/// Each reads the keys of its kind; the key that names the kind has been found.
ReductionSpec ReadMoments(const JsonCursor& input, const std::vector<ResultColumn>& columns);
ReductionSpec ReadQuantiles(const JsonCursor& input, const std::vector<ResultColumn>& columns);
ReductionSpec ReadHistogram(const JsonCursor& input, const std::vector<ResultColumn>& columns);
ReductionSpec ReadExtremes(const JsonCursor& input, const std::vector<ResultColumn>& columns);

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
