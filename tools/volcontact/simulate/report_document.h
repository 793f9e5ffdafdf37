// A report as blocks, written as Markdown or as HTML.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace volcontact::tool {

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

std::string ToMarkdown(const Report& report);
/// A page of its own; the first heading is its title.
std::string ToHtml(const Report& report);

}  // namespace volcontact::tool
