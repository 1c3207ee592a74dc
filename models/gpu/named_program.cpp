// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/named_program.h"

#include <cmath>
#include <map>

#include "base/numbers/powers_of_two.h"
#include "models/gpu/torch_operators.h"
#include "models/gpu/training.h"

namespace ipusim::gpu {
namespace {

// A product of three such extents stays far below 2^63.
constexpr std::uint64_t kMaxExtent = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMaxBlockEdge = 32;  // 1024 threads
constexpr std::uint64_t kUsualBlockEdge = 16;
constexpr std::uint64_t kMaxWidth = 1024;  // of a head
constexpr std::uint64_t kNamedProgramMaxBytes = std::uint64_t{1} << 50U;
constexpr std::uint64_t kNamedProgramMaxSteps = 1'000'000'000;
constexpr std::uint64_t kMaxClasses = 1'000'000;
constexpr std::uint64_t kNamedProgramElementBytes = 4;
constexpr std::uint64_t kUsualClasses = 10;
constexpr std::uint64_t kSmallestPixelfly = 4;

constexpr Words<Numbers, 2> kNumberWords{{{Numbers::Float, "float"}, {Numbers::Half, "half"}}};

std::uint64_t extent(const ConfigReader& table, const char* key) {
  return table.whole(key, 1, kMaxExtent);
}

std::uint64_t powerOfTwo(const ConfigReader& table, const char* key, std::uint64_t low,
                         std::uint64_t high, std::uint64_t otherwise) {
  const std::uint64_t value = table.whole(key, low, high, otherwise);
  if (!isPowerOfTwo(value)) throw table.error(key, "a power of two");
  return value;
}

GemmShape readShape(const ConfigReader& table) {
  const std::uint64_t m = extent(table, "m");
  return {m, extent(table, "n"), extent(table, "k")};
}

Bytes denseBytes(const GemmShape& shape, Precision precision = Precision::Fp32) {
  return Bytes(elementBytes(precision) *
               (shape.m * shape.k + shape.k * shape.n + shape.m * shape.n));
}

Flops flopsFor(const GemmShape& shape) {
  return Flops(2 * shape.m * shape.n * shape.k);
}

NamedProgram readProduct(const ConfigReader& table) {
  const GemmShape shape = readShape(table);
  const std::string name = table.choice("kernel", {"library", "naive", "shared_memory"}, "library");
  const Numbers numbers = readWord(table, "type", kNumberWords, Numbers::Float);
  if (name == "library") {
    if (table.has("block_edge"))
      throw table.error("block_edge", "a kernel that is not of the library");
    const Precision precision = numbers == Numbers::Half ? Precision::Fp16 : Precision::Fp32;
    const Operator op{"product", FrameworkCall::Product, {Gemm{shape, precision}}};
    return {{"product", {op}, denseBytes(shape, precision), numbers}, flopsFor(shape)};
  }
  if (numbers == Numbers::Half) {
    throw table.error("type", "\"float\" beside a kernel that is not of the library");
  }
  const Staging staging = name == "naive" ? Staging::None : Staging::SharedMemory;
  const std::uint64_t edge = table.whole("block_edge", 1, kMaxBlockEdge, kUsualBlockEdge);
  const Operator op{"product", FrameworkCall::Product, {ThreadGemm{shape, staging, edge}}};
  return {{"thread product", {op}, denseBytes(shape)}, flopsFor(shape)};
}

NamedProgram readCsrSpmm(const ConfigReader& table) {
  const GemmShape shape = readShape(table);
  const double places = static_cast<double>(shape.m) * static_cast<double>(shape.k);
  const auto nonzeros =
      static_cast<std::uint64_t>(std::round(table.real("density", 0, 1) * places));
  const CsrSpmm spmm{shape.m, shape.k, shape.n, nonzeros};
  const Bytes bytes(kNamedProgramElementBytes *
                    (2 * nonzeros + shape.m + 1 + shape.n * (shape.k + shape.m)));
  return {{"csr spmm", {{"csr spmm", FrameworkCall::Product, {spmm}}}, bytes}, flopsFor(shape)};
}

NamedProgram readAttention(const ConfigReader& table) {
  const std::uint64_t heads = extent(table, "batch") * extent(table, "heads");
  const std::uint64_t length = table.whole("length", 1, kMaxExtent);
  const Attention attention{heads, length, length, table.whole("width", 1, kMaxWidth)};
  constexpr double kMostFlops = 9e18;
  if (attentionFlops(attention) > kMostFlops)
    throw table.error("length", "at most 9e18 FLOPs in all");
  const Bytes bytes(4 * elementBytes(Precision::Fp16) * heads * length * attention.width);
  const auto flops = static_cast<std::uint64_t>(attentionFlops(attention));
  return {{"attention", {{"attention", FrameworkCall::Product, {attention}}}, bytes, Numbers::Half},
          Flops(flops)};
}

NamedProgram readElementwise(const ConfigReader& table) {
  const Bytes read(table.whole("read_bytes", 0, kNamedProgramMaxBytes));
  const Bytes written(table.whole("written_bytes", 0, kNamedProgramMaxBytes));
  const Elementwise kernel{read, written, read + written};
  return {{"elementwise", {{"elementwise", FrameworkCall::Elementwise, {kernel}}}, read + written},
          Flops(0)};
}

LayerShape readLayerShape(const ConfigReader& table, HiddenLayer layer) {
  const std::uint64_t batch = extent(table, "batch");
  if (layer == HiddenLayer::Dense || layer == HiddenLayer::LowRank) {
    return {extent(table, "width"), batch};
  }
  const std::uint64_t low = layer == HiddenLayer::Pixelfly ? kSmallestPixelfly : 2;
  static_cast<void>(table.whole("width", low, kMaxExtent));
  return {powerOfTwo(table, "width", low, kMaxExtent, low), batch};
}

PixelflyShape readPixelfly(const ConfigReader& table, const LayerShape& layer) {
  PixelflyShape shape = usualPixelfly(layer);
  shape.block = powerOfTwo(table, "block", 1, layer.width, shape.block);
  const std::uint64_t side = layer.width / shape.block;
  shape.rank = table.whole("rank", 0, layer.width, shape.rank);
  shape.butterfly = powerOfTwo(table, "butterfly", 1, side, side);
  return shape;
}

/// How a layer is written.
enum class Form : std::uint8_t { Fused, Operators };
constexpr Words<Form, 2> kFormWords{{{Form::Fused, "fused"}, {Form::Operators, "operators"}}};

Form readForm(const ConfigReader& table) {
  return readWord(table, "form", kFormWords, Form::Fused);
}

std::uint64_t readRank(const ConfigReader& table, const LayerShape& layer) {
  return table.whole("rank", 1, layer.width, 1);
}

Program readPixelflyOperators(const ConfigReader& table, const LayerShape& layer) {
  const PixelflyShape shape = readPixelfly(table, layer);
  const std::uint64_t side = layer.width / shape.block;
  return pixelflyOperators(shape,
                           table.whole("blocks_per_row", 1, side, pixelflyBlocksPerRow(shape)));
}

Program readOperators(const ConfigReader& table, HiddenLayer kind, const LayerShape& layer) {
  switch (kind) {
    case HiddenLayer::Dense:
      return linearLayer(layer);
    case HiddenLayer::LowRank:
      return lowRankOperators(layer, readRank(table, layer));
    case HiddenLayer::Circulant:
      return circulantOperators(layer);
    case HiddenLayer::Fastfood:
      return fastfoodOperators(layer);
    case HiddenLayer::Pixelfly:
      return readPixelflyOperators(table, layer);
    case HiddenLayer::Butterfly:
      return butterflyOperators(layer);
  }
  throw table.error("kind", "a layer");
}

TrainedLayer readHidden(const ConfigReader& table, HiddenLayer kind, const LayerShape& layer) {
  const Form form = readForm(table);
  TrainedLayer hidden = kind == HiddenLayer::Pixelfly ? trainedPixelfly(readPixelfly(table, layer))
                                                      : trainedLayer(kind, layer);
  if (kind == HiddenLayer::LowRank) {
    const std::uint64_t rank = readRank(table, layer);
    hidden.forward = lowRankLayer(layer, rank);
    hidden.parameters = 2 * rank * layer.width + layer.width;
  }
  if (form == Form::Operators) {
    hidden.forward = readOperators(table, kind, layer);
    hidden.operations = operatorsInTraining(kind, layer.width);
  }
  return hidden;
}

NamedProgram readLayer(const ConfigReader& table) {
  const HiddenLayer kind = valueOf(table.text("kind"), kHiddenLayerWords);
  const LayerShape layer = readLayerShape(table, kind);
  NamedProgram named{readHidden(table, kind, layer).forward,
                     Flops(2 * layer.batch * layer.width * layer.width)};
  named.dense = linearLayer(layer);
  return named;
}

NamedProgram readTraining(const ConfigReader& table) {
  const HiddenLayer kind = readWord(table, "layer", kHiddenLayerWords);
  const LayerShape layer = readLayerShape(table, kind);
  const std::uint64_t classes = table.whole("classes", 1, kMaxClasses, kUsualClasses);
  const std::uint64_t steps = table.whole("steps", 1, kNamedProgramMaxSteps, 1);
  const auto steps_of = [&](const TrainedLayer& hidden) {
    Program program = trainingStep(hidden, layer, classes);
    program.operators.front().times = steps;
    if (readForm(table) == Form::Operators) program.name += " of operators";
    return program;
  };
  return {steps_of(readHidden(table, kind, layer)), Flops(0),
          steps_of(trainedLayer(HiddenLayer::Dense, layer))};
}

using Read = NamedProgram (*)(const ConfigReader& table);

const std::map<std::string, Read>& readers() {
  static const std::map<std::string, Read> kReaders = [] {
    std::map<std::string, Read> all = {{"product", readProduct},
                                       {"csr_spmm", readCsrSpmm},
                                       {"attention", readAttention},
                                       {"elementwise", readElementwise},
                                       {"training", readTraining}};
    for (const Word<HiddenLayer>& layer : kHiddenLayerWords) all.emplace(layer.word, readLayer);
    return all;
  }();
  return kReaders;
}

}  // namespace

std::vector<std::string> programKinds() {
  std::vector<std::string> names;
  names.reserve(readers().size());
  for (const auto& [name, read] : readers()) names.push_back(name);
  return names;
}

NamedProgram readProgram(const ConfigReader& table) {
  return readers().at(table.choice("kind", programKinds()))(table);
}

}  // namespace ipusim::gpu
