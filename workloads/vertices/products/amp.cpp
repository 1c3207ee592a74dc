// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/products/conv_numbers.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

namespace {

// 4 one-word pointers and 7 16-bit scalars, padded to words.
// Source: poplibs lib/poplin/codelets/ConvPartial1x1Out.cpp, the version with 16-bit worklists.
constexpr Bytes kAmpStateBytes(32);
// Estimated: a matmul's vertex code is 1.6 kB per tile in a recorded BERT-large profile
// (graphcore/popliner tests), most of it this vertex.
constexpr Bytes kAmpCodeBytes(1024);

constexpr std::size_t kAmpIn = 0;
constexpr std::size_t kAmpOut = 2;

ConvBlocks blocksOf(const AmpVertexShape& shape) {
  const models::Amp1x1Shape& product = shape.product;
  return {product.conv_groups,      product.in_groups,           product.out_groups,
          shape.in_chans_per_group, product.out_chans_per_group, product.field};
}

std::string nameFor(const models::AmpEngine& engine) {
  return std::string("poplin::ConvPartial1x1Out<") + nameOf(engine.inputs) + "," +
         nameOf(engine.partials) + "," + std::to_string(engine.conv_units) + ">";
}

Params paramsOf(const AmpVertexShape& shape) {
  const models::Amp1x1Shape& product = shape.product;
  return {{"type", wordOf(product.engine.inputs, kNumberWords)},
          {"partials_type", wordOf(product.engine.partials, kNumberWords)},
          {"conv_units", product.engine.conv_units},
          {"weight_load_bits", wordOf(product.engine.weight_load, kWeightLoadWords)},
          {"field", product.field},
          {"conv_groups", product.conv_groups},
          {"in_groups", product.in_groups},
          {"out_groups", product.out_groups},
          {"in_chans", shape.in_chans_per_group},
          {"out_chans", product.out_chans_per_group}};
}

/// The engine holds the weights of an out group and an in group while the positions stream by. The
/// partials are loaded again for every in group but the first.
VertexWork workFor(const ConvBlocks& blocks, const models::AmpEngine& engine) {
  const std::uint64_t passes = blocks.conv_groups * blocks.out_groups * blocks.in_groups;
  const std::uint64_t chans = blocks.in_chans * (blocks.field + blocks.out_chans);
  const Bytes partials = sizeOf(engine.partials) * (blocks.field * blocks.out_chans);
  const Bytes reloaded = partials * (passes - blocks.conv_groups * blocks.out_groups);
  const VertexWork work{convFlops(blocks), sizeOf(engine.inputs) * chans * passes + reloaded,
                        partials * passes};
  return allMacs(work, engine.inputs);
}

Cycles ampCost(const AmpVertexShape& shape, const Architecture& machine) {
  return models::amp1x1Cycles(machine, shape.product);
}

void computeAmp(const AmpVertexShape& shape, const VertexData& data) {
  const models::AmpEngine& engine = shape.product.engine;
  computeConv(blocksOf(shape), engine.inputs, engine.partials, data);
}

VertexType readAmp(const ConfigReader& config, const Architecture& machine) {
  const auto [inputs, partials] = readProductTypes(config);
  models::AmpEngine engine{inputs, partials, 0};
  engine.conv_units = static_cast<std::uint32_t>(
      readCount(config, "conv_units", models::ampUnits(machine, inputs, partials)));
  engine.weight_load =
      readWord(config, "weight_load_bits", kWeightLoadWords, models::WeightLoad::Bits64);
  const std::uint32_t in_chans = models::ampWeightsPerUnit(machine, inputs);
  return ampVertex({{engine, readCount(config, "field"), readCount(config, "conv_groups", 1),
                     readCount(config, "in_groups", 1), readCount(config, "out_groups", 1),
                     static_cast<std::uint32_t>(readCount(config, "out_chans", engine.conv_units))},
                    static_cast<std::uint32_t>(readCount(config, "in_chans", in_chans))});
}

}  // namespace

VertexType ampVertex(const AmpVertexShape& shape) {
  const models::Amp1x1Shape& product = shape.product;
  check(product.field > 0 && product.in_groups > 0 && product.out_groups > 0 &&
            product.conv_groups > 0,
        "ConvPartial1x1Out with nothing to do");
  const ConvBlocks blocks = blocksOf(shape);
  VertexType type;
  type.name = nameFor(product.engine);
  type.maker = kAmpEntry.name;
  type.params = paramsOf(shape);
  type.kind = VertexKind::Supervisor;
  type.fields = convFields(blocks, product.engine.inputs, product.engine.partials);
  type.fields[kAmpOut].memory = FieldMemory::Interleaved;
  type.fields[kAmpOut].apart_from = static_cast<int>(kAmpIn);
  type.sizes = {kAmpStateBytes, convTableBytes(type.fields), kAmpCodeBytes};
  type.work = workFor(blocks, product.engine);
  return withFunctions<AmpVertexShape>(std::move(type), shape, {ampCost, computeAmp});
}

const VertexEntry kAmpEntry{
    "amp", "matrix engine, ConvPartial1x1Out: type, partials_type, field, in_groups, out_groups",
    readAmp};

}  // namespace ipusim::workloads
