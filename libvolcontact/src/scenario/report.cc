#include "volcontact/scenario/report.h"

#include <fmt/format.h>

#include <string_view>

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

// A file beside the report as an address: any name is a path, never a scheme or another host.
std::string Address(const std::string& file) {
  constexpr std::string_view kPlain = "-._~/";
  std::string address;
  for (const char c : file) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (letter || (c >= '0' && c <= '9') || kPlain.find(c) != std::string_view::npos) {
      address += c;
    } else {
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return address.starts_with("/") ? '.' + address : address;
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
    const std::string shown = fmt::format("![{}]({})", image.caption, Address(image.file));
    const std::string linked =
        image.target.empty() ? shown : fmt::format("[{}]({})", shown, Address(image.target));
    if (image.print.empty()) return linked + "\n\n";
    return linked + fmt::format("\n\n[{}]({})\n\n", image.print, Address(image.print));
  }
  std::string operator()(const ReportLinks& list) const {
    std::string text;
    for (const auto& [name, file] : list.links) {
      text += fmt::format("- [{}]({})\n", name, Address(file));
    }
    return text + '\n';
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
    std::string text = "<div class=\"table\"><table>\n<tr>";
    for (const std::string& name : table.header) text += fmt::format("<th>{}</th>", Escaped(name));
    text += "</tr>\n";
    for (const auto& row : table.rows) text += Row(table.header, row);
    return text + "</table></div>\n";
  }
  std::string operator()(const ReportImage& image) const {
    const std::string& target = image.target.empty() ? image.file : image.target;
    std::string caption = Escaped(image.caption);
    if (!image.print.empty()) {
      caption +=
          fmt::format(" (<a href=\"{}\">{}</a>)", Address(image.print), Escaped(image.print));
    }
    return fmt::format(
        "<figure><a href=\"{}\"><img src=\"{}\" alt=\"{}\" loading=\"lazy\"></a>"
        "<figcaption>{}</figcaption></figure>\n",
        Address(target), Address(image.file), Escaped(image.caption), caption);
  }
  std::string operator()(const ReportLinks& list) const {
    std::string text = "<ul class=\"links\">\n";
    for (const auto& [name, file] : list.links) {
      text += fmt::format("<li><a href=\"{}\">{}</a></li>\n", Address(file), Escaped(name));
    }
    return text + "</ul>\n";
  }

 private:
  // Each cell names its column, for narrow windows that show a row as a list.
  static std::string Row(const std::vector<std::string>& header,
                         const std::vector<std::string>& cells) {
    std::string text = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string name = i < header.size() ? Escaped(header[i]) : "";
      text += fmt::format("<td data-label=\"{}\">{}</td>", name, Escaped(cells[i]));
    }
    return text + "</tr>\n";
  }
};

constexpr char kHtmlHead[] = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src 'self' data: file:; style-src 'unsafe-inline'">
<style>
body {{ font-family: sans-serif; line-height: 1.45; color: #1c1c1c; background: #fff;
 max-width: 80em; margin: 1.5em auto; padding: 0 1em; overflow-wrap: break-word; }}
p, ul {{ max-width: 62em; }}
h1 {{ font-size: 1.5em; }} h2 {{ font-size: 1.2em; margin-top: 1.6em; }} a {{ color: #0b5394; }}
table {{ border-collapse: collapse; font-size: 0.92em; }}
th, td {{ border-bottom: 1px solid #ddd; padding: 0.3em 0.7em; text-align: left; vertical-align: top; }}
th {{ border-bottom: 2px solid #999; }} img {{ max-width: 100%; height: auto; }}
.table {{ overflow-x: auto; }}
@media (max-width: 38em) {{
 .table table, .table tr {{ display: block; }} .table tr:has(th), .table td:empty {{ display: none; }}
 .table tr {{ border-bottom: 1px solid #ddd; padding: 0.4em 0; }}
 .table td {{ display: flex; gap: 1em; border: 0; padding: 0.1em 0; }}
 .table td::before {{ content: attr(data-label); flex: 0 0 8em; color: #555; }}
 .table tr:has(td:nth-child(2):last-child) {{ display: grid; grid-template-columns: 8em 1fr; gap: 1em; }}
 .table tr:has(td:nth-child(2):last-child) td::before {{ content: none; }}
}}
.pictures {{ display: grid; gap: 1em 2em; align-items: start;
 grid-template-columns: repeat(auto-fit, minmax(min(100%, 28em), 1fr)); }}
figure {{ margin: 0; }} figcaption {{ font-size: 0.92em; color: #555; }}
ul.links {{ list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3em 1.2em; }}
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
  bool in_pictures = false;
  for (const ReportBlock& block : report) {
    const bool is_picture = std::holds_alternative<ReportImage>(block);
    if (is_picture != in_pictures) text += is_picture ? "<div class=\"pictures\">\n" : "</div>\n";
    in_pictures = is_picture;
    text += std::visit(HtmlWriter(), block);
  }
  return text + (in_pictures ? "</div>\n" : "") + "</body></html>\n";
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
