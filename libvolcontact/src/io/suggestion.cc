#include "volcontact/io/suggestion.h"

#include <string_view>

#include "io/messages.h"

VOLCONTACT_NAMESPACE_BEGIN

std::string DidYouMean(const std::string& word, const std::vector<std::string>& known) {
  return Suggestion(word, std::vector<std::string_view>(known.begin(), known.end()));
}

VOLCONTACT_NAMESPACE_END
