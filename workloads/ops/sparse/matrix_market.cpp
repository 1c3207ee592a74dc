// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>

#include "base/numbers/whole_number.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

// An entry may become a block of a few bytes: more entries would fill any chip.
constexpr std::uint64_t kMaxEntries = 1U << 26U;
// Counts comments and blank lines.
constexpr std::uint64_t kMaxOtherLines = 100'000;
// The longest line that the format allows.
constexpr std::size_t kMaxLineLength = 1024;

enum class Symmetry : std::uint8_t { General, Symmetric };

std::vector<std::string> wordsOf(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line + ' ') {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

std::string lowered(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

class Parser {
 public:
  Parser(std::istream& in, std::string name, std::uint64_t block)
      : in_(in), name_(std::move(name)), pattern_{0, 0, block, {}} {}

  SparsePattern run() {
    readBanner();
    const std::uint64_t entries = readSizes();
    for (std::uint64_t e = 0; e < entries; ++e) readEntry();
    if (nextLine()) throw error(fmt::format("{} entries", entries));
    std::vector<BlockPosition>& blocks = pattern_.blocks;
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return std::move(pattern_);
  }

 private:
  [[nodiscard]] ConfigError error(const std::string& wanted) const {
    const std::string found = line_.empty() ? "the end" : inQuotes(line_);
    return ConfigError(fmt::format("{}:{}: wanted {}, found {}", name_, number_, wanted, found));
  }

  /// Reads the next line as it is; false at the end. Reads no more than the length of a line from a
  /// file without line ends.
  bool readLine() {
    ++number_;
    in_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto read = static_cast<std::size_t>(in_.gcount());
    const bool ends = !in_.fail();
    line_.assign(buffer_.data(), ends && !in_.eof() ? read - 1 : read);
    if (!ends && read + 1 == buffer_.size()) {
      throw error(fmt::format("lines of at most {} characters", kMaxLineLength));
    }
    return ends;
  }

  /// Goes to the next line that is neither a comment nor blank; false at the end.
  bool nextLine() {
    while (readLine()) {
      words_ = wordsOf(line_);
      if (!words_.empty() && words_.front().front() != '%') return true;
      if (++other_lines_ > kMaxOtherLines) {
        throw error(fmt::format("at most {} comments and blank lines", kMaxOtherLines));
      }
    }
    line_.clear();
    return false;
  }

  void readBanner() {
    readLine();
    words_ = wordsOf(lowered(line_));
    const bool good = words_.size() == 5 && words_[0] == "%%matrixmarket" &&
                      words_[1] == "matrix" && words_[2] == "coordinate";
    if (!good) throw error("\"%%MatrixMarket matrix coordinate FIELD SYMMETRY\"");
    if (words_[3] != "real" && words_[3] != "integer" && words_[3] != "pattern") {
      throw error("a field of real, integer or pattern");
    }
    if (words_[4] != "general" && words_[4] != "symmetric") {
      throw error("a symmetry of general or symmetric");
    }
    words_of_entry_ = words_[3] == "pattern" ? 2 : 3;
    symmetry_ = words_[4] == "general" ? Symmetry::General : Symmetry::Symmetric;
  }

  std::uint64_t readSizes() {
    if (!nextLine() || words_.size() != 3) throw error("a line of rows, columns, entries");
    pattern_.rows = numberIn(0, kMaxFileDimension);
    pattern_.columns = numberIn(1, kMaxFileDimension);
    const std::uint64_t block = pattern_.block;
    if (pattern_.rows % block != 0 || pattern_.columns % block != 0) {
      throw error(fmt::format("rows and columns in whole blocks of {}", block));
    }
    if (symmetry_ == Symmetry::Symmetric && pattern_.rows != pattern_.columns) {
      throw error("as many columns as rows in a symmetric matrix");
    }
    return numberIn(2, kMaxEntries);
  }

  void readEntry() {
    if (!nextLine() || words_.size() != words_of_entry_) {
      throw error(words_of_entry_ == 2 ? "a line of row, column" : "a line of row, column, value");
    }
    const auto row = static_cast<std::uint32_t>((numberIn(0, pattern_.rows) - 1) / pattern_.block);
    const auto column =
        static_cast<std::uint32_t>((numberIn(1, pattern_.columns) - 1) / pattern_.block);
    if (words_of_entry_ == 3) expectValue();
    pattern_.blocks.push_back({row, column});
    if (symmetry_ == Symmetry::Symmetric) pattern_.blocks.push_back({column, row});
  }

  /// A whole number in [1, high].
  [[nodiscard]] std::uint64_t numberIn(std::size_t word, std::uint64_t high) const {
    const std::optional<std::uint64_t> value = wholeNumberIn(words_[word]);
    if (!value || *value < 1 || *value > high) {
      throw error(fmt::format("a whole number from 1 to {} as word {}", high, word + 1));
    }
    return *value;
  }

  void expectValue() const {
    const std::string& text = words_.back();
    const std::size_t sign = text.front() == '+' ? 1 : 0;
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data() + sign, text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size())
      throw error("a number at the end");
  }

  std::istream& in_;
  std::string name_;
  SparsePattern pattern_;
  Symmetry symmetry_ = Symmetry::General;
  std::size_t words_of_entry_ = 3;
  std::array<char, kMaxLineLength + 1> buffer_{};  // with a zero at the end
  std::string line_;
  std::vector<std::string> words_;
  std::uint64_t number_ = 0;
  std::uint64_t other_lines_ = 0;
};

}  // namespace

SparsePattern parseMatrixMarket(std::istream& in, const std::string& name, std::uint64_t block) {
  return Parser(in, name, block).run();
}

SparsePattern readMatrixMarket(const std::filesystem::path& file, std::uint64_t block) {
  std::ifstream in(file);
  if (!in) throw ConfigError(fmt::format("{}: cannot be read", oneLine(file.string())));
  return parseMatrixMarket(in, oneLine(file.string()), block);
}

}  // namespace ipusim::workloads
