#include "volcontact/scenario/report.h"

#include <fmt/format.h>

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

std::string Replaced(std::string text, char what, const std::string& with) {
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i)) {
    text.replace(i, 1, with);
    i += with.size();
  }
  return text;
}

struct MarkdownWriter {
  std::string operator()(const ReportHeading& heading) const {
    return std::string(static_cast<std::size_t>(heading.level), '#') + ' ' + heading.text + "\n\n";
  }
  std::string operator()(const ReportParagraph& paragraph) const { return paragraph.text + "\n\n"; }
  std::string operator()(const ReportList& list) const {
    std::string text;
    for (const std::string& item : list.items) text += "- " + item + '\n';
    return text + '\n';
  }
  std::string operator()(const ReportTable& table) const {
    std::string text = Row(table.header);
    for (std::size_t i = 0; i < table.header.size(); ++i) text += "|---";
    text += "|\n";
    for (const auto& row : table.rows) text += Row(row);
    return text + '\n';
  }
  std::string operator()(const ReportImage& image) const {
    return fmt::format("![{}]({})\n\n", image.caption, image.file);
  }

 private:
  static std::string Row(const std::vector<std::string>& cells) {
    std::string text;
    for (const std::string& cell : cells) text += "| " + Replaced(cell, '|', "\\|") + ' ';
    return text + "|\n";
  }
};

std::string Escaped(const std::string& text) {
  return Replaced(Replaced(Replaced(Replaced(text, '&', "&amp;"), '<', "&lt;"), '>', "&gt;"), '"',
                  "&quot;");
}

struct HtmlWriter {
  std::string operator()(const ReportHeading& heading) const {
    return fmt::format("<h{0}>{1}</h{0}>\n", heading.level, Escaped(heading.text));
  }
  std::string operator()(const ReportParagraph& paragraph) const {
    return fmt::format("<p>{}</p>\n", Escaped(paragraph.text));
  }
  std::string operator()(const ReportList& list) const {
    std::string text = "<ul>\n";
    for (const std::string& item : list.items) text += fmt::format("<li>{}</li>\n", Escaped(item));
    return text + "</ul>\n";
  }
  std::string operator()(const ReportTable& table) const {
    std::string text = "<table>\n" + Row(table.header, "th");
    for (const auto& row : table.rows) text += Row(row, "td");
    return text + "</table>\n";
  }
  std::string operator()(const ReportImage& image) const {
    return fmt::format("<p><img src=\"{}\" alt=\"{}\"></p>\n", Escaped(image.file),
                       Escaped(image.caption));
  }

 private:
  static std::string Row(const std::vector<std::string>& cells, const char* tag) {
    std::string text = "<tr>";
    for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, Escaped(cell));
    return text + "</tr>\n";
  }
};

constexpr char kHtmlHead[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{}</title>
<style>
body {{ font-family: sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}
table {{ border-collapse: collapse; }} th, td {{ border: 1px solid #bbb; padding: 0.2em 0.5em; text-align: left; }}
img {{ max-width: 100%; }}
</style></head><body>
)";

}  // namespace

std::string ToMarkdown(const Report& report) {
  std::string text;
  for (const ReportBlock& block : report) text += std::visit(MarkdownWriter(), block);
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

std::string ToHtml(const Report& report) {
  std::string title;
  if (!report.empty() && std::holds_alternative<ReportHeading>(report.front())) {
    title = Escaped(std::get<ReportHeading>(report.front()).text);
  }
  std::string text = fmt::format(kHtmlHead, title);
  for (const ReportBlock& block : report) text += std::visit(HtmlWriter(), block);
  return text + "</body></html>\n";
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
