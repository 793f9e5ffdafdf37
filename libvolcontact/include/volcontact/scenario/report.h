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
  std::string target;      ///< what it leads to, relative to the report; empty: itself, in HTML
  std::string print = {};  ///< the same picture for print, linked below; empty: none
};
/// Names that lead to files beside the report.
struct ReportLinks {
  struct Link {
    std::string text, file;  ///< the file relative to the report
  };
  std::vector<Link> links;
};

using ReportBlock =
    std::variant<ReportHeading, ReportParagraph, ReportList, ReportTable, ReportImage, ReportLinks>;
using Report = std::vector<ReportBlock>;

/// Text in the blocks is taken as Markdown; what would break a table is escaped, and what would
/// break a link in the names of files.
VOLCONTACT_EXPORT std::string ToMarkdown(const Report& report);
/// A page of its own, without scripts; the first heading is its title. Images that follow each
/// other stand in two columns, or in one on a narrow screen, each with its caption. What is markup
/// in HTML is escaped, and the names of files in links are never taken for addresses elsewhere.
VOLCONTACT_EXPORT std::string ToHtml(const Report& report);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
