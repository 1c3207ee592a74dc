// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/text/network_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/vertices/elementwise/operators.h"

namespace ipusim::workloads {

namespace {

/// A text that repeats more than this is a mistake.
constexpr std::size_t kMostStatements = 100'000;

std::map<std::string, AddStatement> layerWords() {
  std::map<std::string, AddStatement> words;
  for (const auto* list : {&convolutionalWords(), &structuredWords(), &transformerWords()}) {
    for (const StatementWord& word : *list) words.emplace(word.word, word.add);
  }
  return words;
}

/// Adds the nodes of statements one after the other.
class NetworkTextBuilder {
 public:
  NetworkTextBuilder(const NetworkTextOptions& options, ElementType input) : options_(options) {
    Shape shape{options.batch};
    shape.insert(shape.end(), options.input.begin(), options.input.end());
    at_ = graph_.addSource("x", {shape, input}, TensorRole::Input);
  }

  void add(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      const auto counted = [&] {
        translateErrors<CountError>([&] { add(statement); },
                                    [&](const CountError&) {
                                      return statement.error("sizes that 64 bits hold",
                                                             "larger ones");
                                    });
      };
      translateErrors<OperandError>(counted, [&](const OperandError& error) {
        return StatementError(statement.line,
                              fmt::format("{}: {}", oneLine(statement.text()), error.what()));
      });
    }
  }

  TextNetwork take() { return {std::move(graph_), at_}; }

 private:
  void add(const Statement& statement) {
    if (++statements_ > kMostStatements) {
      throw statement.error(fmt::format("at most {} statements", kMostStatements), "more");
    }
    ArgumentReader arguments(statement);
    if (statement.word == "repeat") return repeat(statement, arguments);
    if (statement.has_block) {
      throw statement.error("no block, which only repeat has", "'{'");
    }
    if (!addJoin(statement, arguments)) addLayer(statement, arguments);
    arguments.expectAllRead();
  }

  void repeat(const Statement& statement, ArgumentReader& arguments) {
    const std::uint64_t times = arguments.wholeArgument("times");
    arguments.expectAllRead();
    if (!statement.has_block) throw statement.error("a block { ... }", "none");
    if (statement.block.empty()) return;
    for (std::uint64_t t = 0; t < times; ++t) add(statement.block);
  }

  /// Adds a statement that names a saved result, if it is one.
  bool addJoin(const Statement& statement, ArgumentReader& arguments) {
    const std::string& word = statement.word;
    if (word == "save") {
      saved_.insert_or_assign(arguments.nameArgument("a name"), at_);
    } else if (word == "from") {
      at_ = savedResult(statement, arguments);
    } else if (const BinaryOperator* row = rowNamed(binaryOperators(), word)) {
      at_ =
          graph_.add(nameOf(statement), binary(row->op), {at_, savedResult(statement, arguments)});
    } else if (word == "concat") {
      at_ = graph_.add(nameOf(statement), concat(1), {at_, savedResult(statement, arguments)});
    } else {
      return false;
    }
    return true;
  }

  NetworkTensorId savedResult(const Statement& statement, ArgumentReader& arguments) const {
    const std::string name = arguments.nameArgument("a name that was saved");
    const auto found = saved_.find(name);
    if (found != saved_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& one : saved_) names.push_back(one.first);
    throw statement.error("a name that was saved", inQuotes(name) + didYouMean(name, names));
  }

  void addLayer(const Statement& statement, ArgumentReader& arguments) {
    StatementSite site{
        {graph_, nameOf(statement), at_, options_.type}, statement, arguments, options_.mode};
    if (const UnaryRow* row = rowNamed(unaryRows(), statement.word)) {
      at_ = site.add(unary(row->function));
      return;
    }
    const auto layer = words_.find(statement.word);
    if (layer == words_.end()) throwUnknown(statement);
    at_ = layer->second(site);
  }

  [[noreturn]] void throwUnknown(const Statement& statement) const {
    std::vector<std::string> words{"save", "from", "concat", "repeat"};
    for (const BinaryOperator& row : binaryOperators()) words.emplace_back(row.word);
    for (const auto& word : words_) words.push_back(word.first);
    for (const UnaryRow& row : unaryRows()) words.emplace_back(row.word);
    throw statement.error("a layer or a function",
                          inQuotes(statement.word) + didYouMean(statement.word, words));
  }

  /// The label of a statement, or its word and a number. A label that comes again gets a number.
  std::string nameOf(const Statement& statement) {
    if (statement.label.find('/') != std::string::npos) {
      throw statement.error("a label without '/'", inQuotes(statement.label));
    }
    const std::string base = statement.label.empty() ? statement.word : oneLine(statement.label);
    std::uint64_t& uses = uses_[base];
    std::string name;
    do {
      ++uses;
      const bool is_plain = !statement.label.empty() && uses == 1;
      name = is_plain ? base : fmt::format("{}{}", base, uses);
    } while (!names_.insert(name).second);
    return name;
  }

  NetworkTextOptions options_;
  NetworkGraph graph_;
  NetworkTensorId at_{};
  std::map<std::string, NetworkTensorId> saved_;
  std::map<std::string, AddStatement> words_ = layerWords();
  std::map<std::string, std::uint64_t> uses_;  ///< of a word or a label
  std::set<std::string> names_{"loss"};        ///< of layers; training adds that one
  std::size_t statements_ = 0;                 ///< so far, repeated ones included
};

}  // namespace

TextNetwork readNetworkText(const std::string& text, const NetworkTextOptions& options) {
  const std::vector<Statement> statements = parseStatements(text);
  if (statements.empty()) throw StatementError(1, "wanted a layer, found the end of the text");
  const bool has_indices = statements.front().word == "embedding";
  NetworkTextBuilder builder(options, has_indices ? ElementType::UInt32 : options.type);
  builder.add(statements);
  return builder.take();
}

}  // namespace ipusim::workloads
