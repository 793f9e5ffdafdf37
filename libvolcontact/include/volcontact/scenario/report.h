// A report as blocks, written as Markdown or as HTML.
//
// Component volcontact::scenario. All functions may be called by any threads at once.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

struct ReportHeading {
  int level = 1;
  std::string text;
};
struct ReportParagraph {
  std::string text;
};
struct ReportList {
  std::vector<std::string> items;
};
struct ReportTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};
struct ReportImage {
  std::string file;  ///< relative to the report
  std::string caption;
};

using ReportBlock =
    std::variant<ReportHeading, ReportParagraph, ReportList, ReportTable, ReportImage>;
using Report = std::vector<ReportBlock>;

/// Text in the blocks is taken as Markdown; what would break a table is escaped.
VOLCONTACT_EXPORT std::string ToMarkdown(const Report& report);
/// A page of its own; the first heading is its title. What is markup in HTML is escaped.
VOLCONTACT_EXPORT std::string ToHtml(const Report& report);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
