// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "poplar/tests/runtime/library_fixture.h"
#include "poplin/MatMul.hpp"
#include "popops/ElementWise.hpp"
#include "popops/Reduce.hpp"

namespace {

using namespace poplar::program;
using poplar::Executable;
using poplar::Tensor;

std::string saved(const Executable& executable) {
  std::ostringstream file;
  executable.serialize(file);
  return file.str();
}

Executable loaded(const std::string& bytes) {
  std::istringstream file(bytes);
  return Executable::deserialize(file);
}

/// What a load of the bytes says that it found.
std::string faultOf(const std::string& bytes) {
  try {
    loaded(bytes);
  } catch (const poplar::file_load_error& error) {
    return error.what();
  }
  return "";
}

/// What a program left in a tensor, and the cycles that it took.
struct Outcome {
  std::vector<float> values;
  std::uint64_t cycles;
  std::string profile;
};

Outcome runOf(Executable executable, const poplar::Device& device, std::size_t count) {
  poplar::Engine engine(std::move(executable));
  engine.loadAndRun(device);
  Outcome run{std::vector<float>(count), engine.getTimeStamp().cycles, engine.getProfileAsJson()};
  engine.readTensor("values", run.values.data(), run.values.data() + count);
  return run;
}

class ExecutableFile : public LibraryProgram {
 protected:
  std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 1.0F);
    return values;
  }
  /// Saves the program, runs the saved and the compiled one, and compares them.
  Outcome runBoth(const Tensor& result) {
    graph.createHostRead("values", result);
    Executable executable = poplar::compileGraph(graph, {program});
    const std::string bytes = saved(executable);
    Outcome run = runOf(std::move(executable), device, result.numElements());
    const Outcome again = runOf(loaded(bytes), device, result.numElements());
    EXPECT_EQ(again.values, run.values);
    EXPECT_EQ(again.cycles, run.cycles);
    EXPECT_EQ(again.profile, run.profile);
    EXPECT_EQ(saved(loaded(bytes)), bytes);
    return run;
  }
};

const char* const kScale = R"(
#include <poplar/Vertex.hpp>
class Scale : public poplar::Vertex {
 public:
  poplar::InOut<poplar::Vector<float>> data;
  float factor;
  bool compute() {
    for (unsigned i = 0; i < data.size(); ++i) data[i] *= factor;
    return true;
  }
};
)";

TEST_F(ExecutableFile, CodeletsRunWithoutTheirSource) {
  std::stringstream source(kScale);
  graph.addCodelets(source);
  const Tensor data = spread<float>({4}, counting(4));
  const auto compute_set = graph.addComputeSet("scale");
  const auto vertex = graph.addVertex(compute_set, "Scale", {{"data", data}});
  graph.setInitialValue(vertex["factor"], 3.0F);
  graph.setTileMapping(vertex, 1);
  program.add(Repeat(2, Execute(compute_set)));
  EXPECT_THAT(runBoth(data).values, testing::ElementsAre(9, 18, 27, 36));
}

TEST_F(ExecutableFile, OperationsOfTheLibraryComeBack) {
  const Tensor a = spread<float>({24, 18}, counting(std::size_t(24) * 18));
  const Tensor b = spread<float>({18, 20}, counting(std::size_t(18) * 20));
  const Tensor c = poplin::matMul(graph, a, b, program);
  popops::addInPlace(graph, c, c, program);
  const Tensor sum = popops::reduce(graph, c, {0}, popops::Operation::ADD, program);
  EXPECT_EQ(runBoth(sum).values.size(), 20U);
}

TEST_F(ExecutableFile, ViewsOfAnyLayoutComeBack) {
  const Tensor a = spread<float>({3, 4}, counting(12));
  const Tensor b = spread<float>({2, 3}, counting(6));
  const Tensor view = poplar::concat(a.transpose().slice(1, 3), b).reshape({6, 2}).transpose();
  const Tensor to = graph.addVariable(poplar::FLOAT, {2, 6}, "to");
  graph.setTileMapping(to, 3);
  program.add(Copy(view, to));
  program.add(Copy(a.slice(1, 1), to.slice(0, 0)));
  EXPECT_THAT(runBoth(to).values, testing::ElementsAre(2, 10, 7, 1, 3, 5, 6, 3, 11, 2, 4, 6));
}

TEST_F(ExecutableFile, EdgesWithoutElementsComeBack) {
  std::stringstream source(kScale);
  graph.addCodelets(source);
  const Tensor data = spread<float>({4}, counting(4));
  const Tensor none = graph.addVariable(poplar::FLOAT, {0}, "none");
  const auto compute_set = graph.addComputeSet("scale");
  for (const Tensor& empty : {none, data.slice(2, 2)}) {
    const auto vertex = graph.addVertex(compute_set, "Scale", {{"data", empty}});
    graph.setTileMapping(vertex, 1);
  }
  program.add(Execute(compute_set));
  EXPECT_THAT(runBoth(data).values, testing::ElementsAre(1, 2, 3, 4));
}

TEST_F(ExecutableFile, ControlAndFunctionsComeBack) {
  const Tensor data = spread<float>({4}, counting(4));
  const Tensor other = spread<float>({4}, {9, 9, 9, 9});
  const Tensor selector = spread<int>({1}, {7});
  const auto function = graph.addFunction(Copy(data.slice(0, 1), data.slice(3, 4)));
  Switch chosen(selector[0], Copy(other, data));
  chosen.add(7, Copy(data.reverse(0), other));
  program.add(Call(function));
  program.add(If(selector[0], chosen, Copy(other, data)));
  program.add(Call(function));
  EXPECT_THAT(runBoth(poplar::concat(data, other)).values,
              testing::ElementsAre(1, 2, 3, 1, 1, 3, 2, 1));
}

TEST_F(ExecutableFile, StreamsKeepTheirHandlesAndProgramsTheirNumbers) {
  const Tensor data = spread<float>({4}, counting(4));
  const auto in = graph.addHostToDeviceFIFO("in", poplar::FLOAT, 4);
  const auto out = graph.addDeviceToHostFIFO("out", poplar::FLOAT, 4);
  const Executable compiled = poplar::compileGraph(graph, {Copy(in, data), Copy(data, out)});
  poplar::Engine engine(loaded(saved(compiled)));
  std::vector<float> from = {5, 6, 7, 8};
  std::vector<float> to(4);
  engine.connectStream("in", from.data(), from.data() + 4);
  engine.connectStream("out", to.data(), to.data() + 4);
  engine.load(device);
  engine.run(0);
  engine.run(1);
  EXPECT_EQ(to, from);
}

TEST_F(ExecutableFile, WhatFollowsInTheStreamStays) {
  const Executable executable = poplar::compileGraph(graph, {program});
  std::stringstream file;
  executable.serialize(file);
  file << "next";
  Executable::deserialize(file);
  std::string next;
  file >> next;
  EXPECT_EQ(next, "next");
}

TEST_F(ExecutableFile, ACutOffFileIsAnErrorAtAnyLength) {
  spread<float>({4}, counting(4));
  const std::string bytes = saved(poplar::compileGraph(graph, {program}));
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    EXPECT_THROW(loaded(bytes.substr(0, size)), poplar::file_load_error) << size;
  }
  EXPECT_THAT(faultOf(bytes.substr(0, bytes.size() - 1)), testing::HasSubstr("is cut off"));
}

TEST_F(ExecutableFile, ADamagedFileIsAnError) {
  std::string bytes = saved(poplar::compileGraph(graph, {program}));
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_THAT(faultOf(bytes), testing::HasSubstr("the file is damaged"));
}

TEST(ForeignExecutable, SaysWhatWasFound) {
  EXPECT_THAT(faultOf("PK\x03zip of something else"),
              testing::HasSubstr("found one that begins with \"PK?zip of something"));
  EXPECT_THAT(faultOf(""), testing::HasSubstr("found an empty one or none"));
  std::ifstream missing("/no/such/file");
  EXPECT_THROW(Executable::deserialize(missing), poplar::poplar_error);
}

}  // namespace
