#include "sweep/store/reductions/reduction.h"

#include <array>

#include "io/messages.h"
#include "volcontact/io/suggestion.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

struct ReductionKind {
  const char* key;
  ReductionSpec (*read)(const JsonCursor&, const std::vector<ResultColumn>&);
};

constexpr std::array<ReductionKind, 4> kReductionKinds = {{{"moments", ReadMoments},
                                                           {"quantiles", ReadQuantiles},
                                                           {"histogram", ReadHistogram},
                                                           {"extremes", ReadExtremes}}};

// Characters of a wrong name that a message shows.
constexpr std::size_t kMostShown = 60;

ReductionSpec ReadOne(const JsonCursor& input, const std::vector<ResultColumn>& columns) {
  const ReductionKind* found = nullptr;
  for (const ReductionKind& kind : kReductionKinds) {
    if (!input.Has(kind.key)) continue;
    if (found != nullptr) {
      input.Fail(std::string("has both \"") + found->key + "\" and \"" + kind.key +
                 "\"; give each a name of its own");
    }
    found = &kind;
  }
  if (found == nullptr) {
    input.Fail(
        "is not a reduction; it has one of the keys \"moments\", \"quantiles\", \"histogram\", "
        "\"extremes\"");
  }
  return found->read(input, columns);
}

}  // namespace

std::size_t ColumnIndex(const JsonCursor& name, const std::vector<ResultColumn>& columns) {
  const std::string text = name.String();
  std::vector<std::string> known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name == text) return i;
    known.push_back(columns[i].name);
  }
  std::string list;
  for (const std::string& column : known) list += (list.empty() ? "" : ", ") + column;
  name.Fail("\"" + Printable(text.substr(0, kMostShown)) + "\" is not a column of this sweep" +
            DidYouMean(text, known) + "; there are those that are kept: " + list);
}

std::vector<ReductionSpec> ReadReductions(const JsonCursor& reduce,
                                          const std::vector<ResultColumn>& columns) {
  if (!reduce.value().is_object()) {
    reduce.Fail(
        "an object is expected, with a name for each reduction, such as {\"mean\": "
        "{\"moments\": \"volume\"}}");
  }
  std::vector<ReductionSpec> specs;
  for (const auto& [key, value] : reduce.value().items()) {
    specs.push_back(ReadOne(reduce.Member(key), columns));
    specs.back().name = key;
  }
  return specs;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
