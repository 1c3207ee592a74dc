// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>

#include "base/text/word_hash.h"
#include "poplar/CycleCount.hpp"
#include "poplar/tests/runtime/library_fixture.h"
#include "poplin/MatMul.hpp"
#include "popops/ElementWise.hpp"

namespace {

using namespace poplar::program;
using poplar::Executable;
using poplar::Tensor;

/// Vertices with each kind of field, and one that ends loops whose numbers were changed.
const char* const kHostileFileCodelets = R"(
#include <poplar/Vertex.hpp>
class Count : public poplar::Vertex {
 public:
  poplar::InOut<int> n;
  poplar::Output<bool> over;
  poplar::Output<bool> more;
  int most;
  bool compute() {
    *n = *n + 1;
    *over = *n > most;
    *more = *n < 4;
    return *n < most;
  }
};
class Rows : public poplar::Vertex {
 public:
  poplar::Vector<poplar::Input<poplar::Vector<float>>> in;
  poplar::Output<poplar::Vector<float, poplar::VectorLayout::ONE_PTR>> out;
  poplar::Vector<float> weights;
  bool compute() {
    for (unsigned r = 0; r < in.size(); ++r) {
      float sum = 0;
      for (unsigned i = 0; i < in[r].size(); ++i) sum += in[r][i] * weights[i % weights.size()];
      out[r] = sum;
    }
    return true;
  }
};
)";

/// A number as a file has it: seven bits a byte, the lowest first.
std::string numberText(std::uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7U) text += static_cast<char>(number | 0x80U);
  return text + static_cast<char>(number);
}

/// A saved executable, to be changed.
class Saved {
 public:
  explicit Saved(const Executable& executable) {
    std::ostringstream file;
    executable.serialize(file);
    const std::string all = file.str();
    format_ = all.substr(0, kFormat);
    bytes_ = all.substr(kHead);
    for (std::size_t at = 0; (at = bytes_.find(kArchive, at)) != std::string::npos; ++at) {
      code_.push_back(codeOf(at));
    }
  }

  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  [[nodiscard]] unsigned char at(std::size_t place) const {
    return static_cast<unsigned char>(bytes_[place]);
  }
  /// What native code of the user does is his; the rest is numbers and names.
  [[nodiscard]] bool isCode(std::size_t place) const {
    return std::any_of(code_.begin(), code_.end(), [place](const auto& range) {
      return place >= range.first && place < range.second;
    });
  }
  /// The file with `text` in place of one byte, and with the hash of what it then has.
  [[nodiscard]] std::string with(std::size_t place, const std::string& text) const {
    std::string changed = bytes_;
    changed.replace(place, 1, text);
    std::ostringstream file;
    file << format_ << std::hex << std::setfill('0') << std::setw(16) << changed.size()
         << std::setw(16) << ipusim::wordHash(changed) << changed;
    return file.str();
  }

 private:
  static constexpr std::size_t kFormat = 20;
  static constexpr std::size_t kHead = 52;
  static constexpr const char* kArchive = "ipusim codelets ";

  /// The object files behind the description of an archive.
  [[nodiscard]] std::pair<std::size_t, std::size_t> codeOf(std::size_t archive) const {
    const std::size_t length = bytes_.find('\n', archive) + 1;
    const std::size_t begin = length + 16 + std::stoull(bytes_.substr(length, 16));
    const std::string key = "\"objects\":[";
    const std::size_t sizes = bytes_.find(key, archive) + key.size();
    std::size_t end = begin;
    std::istringstream list(bytes_.substr(sizes, bytes_.find(']', sizes) - sizes));
    for (std::string size; std::getline(list, size, ',');) end += std::stoull(size);
    return {begin, end};
  }

  std::string format_;
  std::string bytes_;
  std::vector<std::pair<std::size_t, std::size_t>> code_;
};

/// Numbers that take the place of one: its neighbours, small ones, and ones that no file has.
std::vector<std::string> othersThan(unsigned char byte) {
  std::vector<std::string> others;
  for (const std::uint64_t number :
       {std::uint64_t(byte) + 1, std::uint64_t(byte) - 1, std::uint64_t(0),
        std::uint64_t(byte) + 64, std::uint64_t(1) << 20, (std::uint64_t(1) << 31) - 1,
        std::uint64_t(1) << 61, ~std::uint64_t(0)}) {
    others.push_back(numberText(number));
  }
  others.emplace_back("9");
  others.emplace_back("999999999999");
  return others;
}

class HostileFile : public LibraryProgram {
 protected:
  /// Loads a file and runs all of it. An exception is an answer.
  void loadAndRun(const std::string& file) {
    if (const char* const kept = std::getenv("IPUSIM_KEEP_LAST_CHANGE")) {
      std::ofstream(kept, std::ios::binary) << file;
    }
    try {
      std::istringstream in(file);
      poplar::Engine engine(Executable::deserialize(in));
      ++loaded_;
      engine.setPrintTensorStream(printed_);
      std::vector<float> host(64);
      if (has_streams_) {
        engine.connectStream("in", host.data(), host.data() + 12);
        engine.connectStream("out", host.data(), host.data() + 3);
      }
      engine.load(device);
      engine.run(0);
      engine.readTensor("read", host.data(), host.data() + host.size());
      engine.getProfileAsJson();
      ++ran_;
    } catch (const std::exception& error) {
      messages_.insert(error.what());
    }
  }

  /// Changes each number of the file. Every `apart`-th change is tried, which is all with 1.
  void changeEach(const Saved& saved, std::size_t apart) {
    testing::internal::CaptureStderr();  // warnings of elements with two writers
    std::size_t change = 0;
    for (std::size_t place = 0; place < saved.size(); ++place) {
      if (saved.isCode(place)) continue;
      for (const std::string& other : othersThan(saved.at(place))) {
        if (++change % apart == 0) loadAndRun(saved.with(place, other));
      }
    }
    testing::internal::GetCapturedStderr();
    if (std::getenv("IPUSIM_SHOW_MESSAGES") != nullptr) {
      for (const std::string& message : messages_) std::cout << message << "\n";
      std::cout << change / apart << " changes, " << loaded_ << " loaded, " << ran_ << " ran\n";
    }
  }

  bool has_streams_ = false;
  std::ostringstream printed_;
  std::set<std::string> messages_;
  std::size_t loaded_ = 0;
  std::size_t ran_ = 0;
};

/// One of that many changes is tried; all of them where the environment says so.
std::size_t apart(std::size_t usual) {
  const char* const text = std::getenv("IPUSIM_CHANGES_APART");
  return text == nullptr ? usual : std::stoull(text);
}

TEST_F(HostileFile, ProgramsOfCodeletsAndControlAreErrorsAndNoCrashes) {
  std::stringstream source(kHostileFileCodelets);
  graph.addCodelets(source);
  const Tensor n = spread<int>({1}, {0});
  const Tensor over = graph.addVariable(poplar::BOOL, {}, "over");
  const Tensor more = graph.addVariable(poplar::BOOL, {}, "more");
  const Tensor data = spread<float>({3, 4}, std::vector<float>(12, 1.5F));
  const Tensor sums = spread<float>({3}, {0, 0, 0});
  graph.setTileMapping(over, 1);
  graph.setTileMapping(more, 1);
  const auto counting = graph.addComputeSet("counting");
  const auto count =
      graph.addVertex(counting, "Count", {{"n", n[0]}, {"over", over}, {"more", more}});
  graph.setInitialValue(count["most"], 20);
  graph.setTileMapping(count, 1);
  const auto summing = graph.addComputeSet("summing");
  const auto rows = graph.addVertex(summing, "Rows", {{"in", data}, {"out", sums}});
  graph.setInitialValue(rows["weights"], std::vector<float>{1, 2});
  graph.setTileMapping(rows, 2);
  // Each loop counts, so that it ends whatever its own number has become.
  const Sequence step({Execute(counting), AbortOnCondition(over, "too often")});
  const auto function = graph.addFunction(Sequence({step, Execute(summing)}));
  has_streams_ = true;
  const auto in = graph.addHostToDeviceFIFO("in", poplar::FLOAT, 12);
  const auto out = graph.addDeviceToHostFIFO("out", poplar::FLOAT, 3);
  graph.createHostRead("read", sums);
  Switch chosen(n[0], step);
  chosen.add(7, Copy(data.slice(0, 1).flatten().slice(0, 3), sums));
  program.add(Copy(in, data));
  program.add(Repeat(2, step));
  program.add(RepeatWhileTrue(step, more, step));
  program.add(If(over, step, chosen));
  program.add(Call(function));
  program.add(Copy(sums, out));
  program.add(PrintTensor("sums", sums));
  poplar::cycleCount(graph, program, 1, poplar::SyncType::INTERNAL);
  const Saved saved(poplar::compileGraph(graph, {program}));
  changeEach(saved, apart(16));
  EXPECT_GT(loaded_, 0U);
  EXPECT_GT(ran_, 0U);
}

TEST_F(HostileFile, OperationsOfTheLibraryAreErrorsAndNoCrashes) {
  const Tensor a = spread<float>({4, 6}, std::vector<float>(24, 2));
  const Tensor b = spread<float>({6, 2}, std::vector<float>(12, 3));
  const Tensor c = poplin::matMul(graph, a, b, program);
  popops::addInPlace(graph, c, c, program);
  graph.createHostRead("read", c);
  const Saved saved(poplar::compileGraph(graph, {program}));
  changeEach(saved, apart(16));
  EXPECT_GT(loaded_, 0U);
  EXPECT_GT(ran_, 0U);
}

TEST_F(HostileFile, ProgramsThatNestTooDeepAreAnErrorWhenTheyAreSaved) {
  Program nested = Sequence();
  for (int depth = 0; depth < 1001; ++depth) nested = Sequence({nested});
  const Executable executable = poplar::compileGraph(graph, {nested});
  std::ostringstream file;
  EXPECT_THROW(executable.serialize(file), poplar::control_program_error);
}

}  // namespace
