// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <set>

#include "sim/report/csv.h"
#include "sim/studies/reproduce/html.h"
#include "sim/studies/validate/number_text.h"

namespace ipusim::reproduce {

using validate::Measurement;
using validate::Role;
using validate::Verdict;

namespace {

std::string paragraph(const std::string& text) {
  return text.empty() ? "" : "<p>" + escaped(text) + "</p>\n";
}

std::string cell(const std::string& text, const char* looks = "") {
  const std::string attribute = *looks == '\0' ? "" : fmt::format(" class=\"{}\"", looks);
  return fmt::format("<td{}>{}</td>", attribute, escaped(text));
}

/// Why a number is off, as far as the paper's manifest or the verdict says.
std::string reasonOf(const Item& item, const Verdict& verdict) {
  const auto known = item.misses.find(verdict.id);
  if (known == item.misses.end()) return verdict.note;
  return verdict.note.empty() ? known->second : known->second + " (" + verdict.note + ")";
}

std::string predictedText(const Verdict& verdict) {
  return verdict.predicted ? validate::numberText(*verdict.predicted)
                           : std::string(nameOf(verdict.status));
}

std::string errorText(const Verdict& verdict) {
  const std::optional<double> error = verdict.errorPercent();
  return error ? validate::percentText(*error) + " %" : "-";
}

const char* looksOf(const Verdict& verdict) {
  if (isMiss(verdict)) return "n miss";
  return std::abs(*verdict.errorPercent()) <= kClosePercent ? "n close" : "n far";
}

/// Writes the page of one reproduction.
class PageWriter {
 public:
  PageWriter(const Paper& paper, const Reproduction& reproduction, std::filesystem::path folder)
      : paper_(paper), reproduction_(reproduction), folder_(std::move(folder)) {}

  [[nodiscard]] std::string page() const {
    std::string html = pageHead(paper_.title);
    html += paragraph(paper_.source) + paragraph(paper_.text) + scores() + contents();
    for (const Item& item : paper_.items) html += itemHtml(item);
    return html + misses() + pageEnd();
  }

 private:
  [[nodiscard]] static std::string scoreRow(const std::string& name, const Score& score) {
    return "<tr>" + cell(name) + cell(fmt::to_string(score.numbers), "n") +
           cell(fmt::to_string(score.within_10_percent), "n") +
           cell(fmt::to_string(score.within_30_percent), "n") +
           cell(fmt::to_string(score.missed), "n") + "</tr>\n";
  }

  [[nodiscard]] std::string scores() const {
    const Verdicts& all = reproduction_.verdicts;
    std::string html =
        "<table>\n<tr><th>published numbers</th><th class=\"n\">number</th><th class=\"n\">within "
        "10 %</th><th class=\"n\">within 30 %</th><th class=\"n\">missed</th></tr>\n";
    html += scoreRow("predicted, nothing fitted to them", scoreOf(all, Role::Validate));
    html += scoreRow("constants of the model are fitted to them", scoreOf(all, Role::Calibrate));
    html += scoreRow("follow from the configuration", scoreOf(all, Role::Constant));
    return html + scoreRow("all", scoreOf(all)) + "</table>\n";
  }

  [[nodiscard]] std::string contents() const {
    std::string html = "<ul>\n";
    for (const Item& item : paper_.items) {
      html +=
          fmt::format("<li><a href=\"#{}\">{}</a></li>\n", escaped(item.name), escaped(item.title));
    }
    return html + "<li><a href=\"#misses\">Misses</a></li>\n</ul>\n";
  }

  [[nodiscard]] std::string itemHtml(const Item& item) const {
    std::string html =
        fmt::format("<h2 id=\"{}\">{}</h2>\n", escaped(item.name), escaped(item.title));
    html += paragraph(item.text) + numbersHtml(item);
    for (const Figure& figure : item.figures) html += figureHtml(item, figure);
    return html + commandsHtml(item);
  }

  [[nodiscard]] std::string numbersHtml(const Item& item) const {
    if (item.numbers.empty()) return "";
    std::string html =
        "<table>\n<tr><th>number</th><th>of</th><th>machine</th><th>where</th><th "
        "class=\"n\">published</th><th class=\"n\">predicted</th><th>unit</th><th "
        "class=\"n\">error</th><th>the number is</th><th>note</th></tr>\n";
    for (const std::size_t place : item.numbers) {
      const Measurement& row = paper_.numbers[place];
      const Verdict& verdict = reproduction_.verdicts[place].value();
      html += "<tr>" + cell(row.id) + cell(row.kind) + cell(row.machine) + cell(row.locator) +
              cell(validate::numberText(row.value), "n") + cell(predictedText(verdict), "n") +
              cell(row.unit) + cell(errorText(verdict), looksOf(verdict)) +
              cell(validate::roleText(row.role)) + cell(row.note, "note") + "</tr>\n";
    }
    return html + "</table>\n";
  }

  [[nodiscard]] std::string figureHtml(const Item& item, const Figure& figure) const {
    const std::string picture = pictureOf(item, figure);
    const auto fault = reproduction_.figures.faults.find(picture);
    std::string html = "<figure>\n";
    if (!reproduction_.has_plots) {
      html += paragraph("Not drawn: --no-plots.");
    } else if (fault != reproduction_.figures.faults.end()) {
      html += paragraph("Not drawn: " + fault->second);
    } else {
      html += fmt::format("<img alt=\"{}\" src=\"{}\">\n", escaped(figure.caption),
                          pngAddress(folder_ / picture));
    }
    return html + "<figcaption>" + escaped(figure.caption) + sweepsText(figure) +
           "</figcaption>\n</figure>\n";
  }

  /// Describes the tables that a figure is drawn from.
  [[nodiscard]] std::string sweepsText(const Figure& figure) const {
    std::string html;
    for (const std::size_t place : figure.sweeps) {
      const sweep::SweepCounts& counts = reproduction_.sweeps[place].counts;
      const std::string& name = paper_.sweeps[place].name;
      html += fmt::format(
          " <a href=\"sweeps/{0}/results.csv\">{0}</a>: {1} points fit, {2} do not{3}{4}.",
          escaped(name), counts.ok, counts.does_not_fit,
          counts.invalid > 0 ? fmt::format(", {} are invalid", counts.invalid) : "",
          counts.failed > 0 ? fmt::format(", {} failed", counts.failed) : "");
    }
    return html;
  }

  /// The commands that compute only this item, and those that draw its figures from their sweeps.
  [[nodiscard]] std::string commandsHtml(const Item& item) const {
    const std::string manifest = paper_.manifest == kUsualPaper ? "" : paper_.manifest + ' ';
    std::string text = fmt::format("ipusim reproduce {}--item {}\n", manifest, item.name);
    std::set<std::size_t> told;
    for (const Figure& figure : item.figures) {
      for (const std::size_t sweep : figure.sweeps) {
        if (!told.insert(sweep).second) continue;
        text += fmt::format("ipusim sweep {} --out sweeps/{}\n", paper_.sweeps[sweep].written,
                            paper_.sweeps[sweep].name);
      }
      if (figure.sweeps.empty()) continue;
      const std::string picture = item.name + '-' + figure.name + ".png";
      text += fmt::format("{}\n", fmt::join(drawingOf(paper_, item, figure, picture), " "));
    }
    return "<pre>" + escaped(text) + "</pre>\n";
  }

  [[nodiscard]] std::string misses() const {
    std::string rows;
    for (const Item& item : paper_.items) {
      for (const std::size_t place : item.numbers) {
        const Verdict& verdict = reproduction_.verdicts[place].value();
        if (isMiss(verdict)) rows += missRow(item, paper_.numbers[place], verdict);
      }
    }
    const std::string title = "<h2 id=\"misses\">Misses</h2>\n";
    if (rows.empty()) return title + "<p>No number is off by more than 30 %.</p>\n";
    return title +
           "<p>Every number that has no prediction, or one that is off by more than 30 %.</p>\n"
           "<table>\n<tr><th>number</th><th>in</th><th>of</th><th class=\"n\">published</th><th "
           "class=\"n\">predicted</th><th>unit</th><th class=\"n\">error</th><th>why</th></tr>\n" +
           rows + "</table>\n";
  }

  [[nodiscard]] static std::string missRow(const Item& item, const Measurement& row,
                                           const Verdict& verdict) {
    const std::string reason = reasonOf(item, verdict);
    return "<tr>" + cell(row.id) + cell(item.title) + cell(row.kind) +
           cell(validate::numberText(row.value), "n") + cell(predictedText(verdict), "n") +
           cell(row.unit) + cell(errorText(verdict), "n miss") +
           cell(reason.empty() ? "not known" : reason, "note") + "</tr>\n";
  }

  const Paper& paper_;
  const Reproduction& reproduction_;
  std::filesystem::path folder_;
};

}  // namespace

std::string pageHtml(const Paper& paper, const Reproduction& reproduction,
                     const std::filesystem::path& folder) {
  return PageWriter(paper, reproduction, folder).page();
}

std::string tableCsv(const Paper& paper, const Reproduction& reproduction) {
  std::string text =
      report::csvLine({"item", "id", "machine", "kind", "locator", "role", "unit", "published",
                       "predicted", "error_percent", "status", "reason"});
  for (const Item& item : paper.items) {
    for (const std::size_t place : item.numbers) {
      const Measurement& row = paper.numbers[place];
      const Verdict& verdict = reproduction.verdicts[place].value();
      const std::optional<double> error = verdict.errorPercent();
      text += report::csvLine({item.name, row.id, row.machine, row.kind, row.locator,
                               nameOf(row.role), row.unit, validate::numberText(row.value),
                               verdict.predicted ? validate::numberText(*verdict.predicted) : "",
                               error ? validate::percentText(*error) : "", nameOf(verdict.status),
                               isMiss(verdict) ? reasonOf(item, verdict) : ""});
    }
  }
  return text;
}

}  // namespace ipusim::reproduce
