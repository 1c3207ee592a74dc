// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/network_compression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/config/words.h"
#include "workloads/networks/compression/dct_chop.h"
#include "workloads/networks/graph/counts.h"

namespace ipusim::workloads {

namespace {

enum class CodecWord : std::uint8_t { None, DctChop, Quantise, ReluMask, Half, Float8, LowRank };

constexpr Words<CodecWord, 7> kCodecs{{
    {CodecWord::None, "none"},
    {CodecWord::DctChop, "dct_chop"},
    {CodecWord::Quantise, "quantise"},
    {CodecWord::ReluMask, "relu_mask"},
    {CodecWord::Half, "half"},
    {CodecWord::Float8, "float8"},
    {CodecWord::LowRank, "low_rank"},
}};

/// Those that code a tensor.
constexpr Words<CodecWord, 6> kTensorCodecs{{
    {CodecWord::DctChop, "dct_chop"},
    {CodecWord::Quantise, "quantise"},
    {CodecWord::ReluMask, "relu_mask"},
    {CodecWord::Half, "half"},
    {CodecWord::Float8, "float8"},
    {CodecWord::LowRank, "low_rank"},
}};

enum class ScaleWord : std::uint8_t { Tensor, Block };

constexpr Words<ScaleWord, 2> kScales{{
    {ScaleWord::Tensor, "tensor"},
    {ScaleWord::Block, "block"},
}};

constexpr std::uint64_t kMostSplit = 1U << 10U;
constexpr std::uint64_t kLargestRank = 1U << 16U;
constexpr std::uint64_t kLargestBlock = 1U << 24U;
constexpr std::uint64_t kLargestSeed = std::uint64_t{1} << 32U;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50U;
constexpr std::uint64_t kUsualBlock = 64;

/// Throws for a key that is there and has no meaning beside others. `beside` names them.
void expectUnused(const ConfigReader& config, const char* key, const std::string& beside) {
  if (!config.has(key)) return;
  throw config.error(key, fmt::format("no {} beside {}", key, beside));
}

Quantiser readQuantiser(const ConfigReader& config, std::uint64_t bits) {
  Quantiser quantiser;
  quantiser.bits = bits;
  if (readWord(config, "scale", kScales, ScaleWord::Tensor) == ScaleWord::Block) {
    quantiser.block = config.whole("block", 2, kLargestBlock, kUsualBlock);
  } else {
    expectUnused(config, "block", "a scale per tensor");
  }
  quantiser.rounding = readWord(config, "rounding", kLevelRoundings, LevelRounding::Nearest);
  if (quantiser.rounding == LevelRounding::Stochastic) {
    quantiser.seed = config.whole("seed", 0, kLargestSeed, 0);
  } else {
    expectUnused(config, "seed", "the rounding nearest");
  }
  return quantiser;
}

std::uint64_t readBits(const ConfigReader& config) {
  constexpr std::array<std::uint64_t, 4> kBits{2, 4, 8, 16};
  const std::uint64_t bits = config.whole("bits", kBits.front(), kBits.back(), 8);
  if (std::find(kBits.begin(), kBits.end(), bits) != kBits.end()) return bits;
  throw config.error("bits", "one of 2, 4, 8, 16");
}

CodecPointer readDctChop(const ConfigReader& config) {
  DctChop rule;
  rule.chop = config.whole("chop", 1, kDctBlock, rule.chop);
  rule.corner = readWord(config, "corner", kDctCorners, DctCorner::Square);
  rule.form = readWord(config, "form", kDctForms, DctForm::Dense);
  rule.split = config.whole("split", 1, kMostSplit, 1);
  return dctChopCodec(rule);
}

/// The keys of a codec.
const std::vector<std::string>& keysOf(CodecWord codec) {
  static const std::vector<std::string> kTransform{"chop",  "corner",   "form",  "split", "bits",
                                                   "scale", "rounding", "block", "seed"};
  static const std::vector<std::string> kLevels{"bits", "scale", "rounding", "block", "seed"};
  static const std::vector<std::string> kRank{"rank", "seed"};
  static const std::vector<std::string> kNone;
  switch (codec) {
    case CodecWord::DctChop:
      return kTransform;
    case CodecWord::Quantise:
      return kLevels;
    case CodecWord::LowRank:
      return kRank;
    case CodecWord::None:
    case CodecWord::ReluMask:
    case CodecWord::Half:
    case CodecWord::Float8:
      break;
  }
  return kNone;
}

void expectKeysOf(const ConfigReader& config, CodecWord codec) {
  const std::vector<std::string>& used = keysOf(codec);
  for (const CodecWord other : {CodecWord::DctChop, CodecWord::LowRank}) {
    for (const std::string& key : keysOf(other)) {
      if (std::find(used.begin(), used.end(), key) != used.end()) continue;
      expectUnused(config, key.c_str(),
                   fmt::format("the codec {}, which does not use it", wordOf(codec, kCodecs)));
    }
  }
}

CodecPointer readCodec(const ConfigReader& config, CodecWord codec) {
  expectKeysOf(config, codec);
  switch (codec) {
    case CodecWord::DctChop: {
      CodecPointer transform = readDctChop(config);
      if (config.has("bits")) {
        return quantised(std::move(transform), readQuantiser(config, readBits(config)));
      }
      for (const char* key : {"scale", "rounding", "block", "seed"}) {
        expectUnused(config, key, "a code without levels, which bits make");
      }
      return transform;
    }
    case CodecWord::Quantise:
      return quantisingCodec(readQuantiser(config, readBits(config)));
    case CodecWord::ReluMask:
      return signCodec();
    case CodecWord::Half:
      return halfCodec();
    case CodecWord::Float8:
      return float8Codec();
    case CodecWord::None:  // readNetworkCompression()
    case CodecWord::LowRank:
      break;
  }
  return lowRankCodec(
      {config.whole("rank", 1, kLargestRank), config.whole("seed", 0, kLargestSeed, 0)});
}

CompressionChoice readChoice(const ConfigReader& config, const Codec& codec) {
  CompressionChoice choice;
  choice.names = config.texts("tensors", {});
  choice.kinds = config.texts("kinds", {});
  if (codec.keepsSignsAlone()) {
    expectUnused(config, "signs", "a codec that keeps nothing else");
  } else {
    choice.signs = readWord(config, "signs", kSignSources, SignSource::Decoded);
  }
  choice.least_bytes = Bytes(config.whole("least_bytes", 0, kMostBytes, 0));
  if (choice.names.empty()) {
    choice.target = Bytes(config.whole("target_bytes", 0, kMostBytes, 0));
  } else {
    expectUnused(config, "target_bytes", "tensors that are named");
  }
  return choice;
}

/// Reads the keys beside the codec `none`. They then mean nothing, so that an override or an axis
/// of a sweep turns codes off; they are read, for a misspelt one is an error still.
void readUnused(const ConfigReader& compress) {
  for (const char* key :
       {"bits", "block", "chop", "least_bytes", "rank", "seed", "split", "target_bytes"}) {
    std::ignore = compress.whole(key, 0, kMostBytes, 0);
  }
  for (const char* key : {"corner", "form", "rounding", "scale", "signs"}) {
    std::ignore = compress.text(key, "");
  }
  for (const char* key : {"kinds", "tensors"}) std::ignore = compress.texts(key, {});
}

}  // namespace

CodecPointer readCodec(const ConfigReader& config) {
  return readCodec(config, readWord(config, "codec", kTensorCodecs, CodecWord::DctChop));
}

std::optional<NetworkCompression> readNetworkCompression(const ConfigReader& config) {
  if (!config.has("compress")) return std::nullopt;
  if (!config.has("train")) {
    throw config.error("compress", "no compress beside a forward pass, which saves nothing");
  }
  const ConfigReader compress = config.table("compress");
  const CodecWord codec = readWord(compress, "codec", kCodecs, CodecWord::DctChop);
  if (codec == CodecWord::None) {
    readUnused(compress);
    return std::nullopt;
  }
  NetworkCompression compression;
  compression.codec = readCodec(compress, codec);
  compression.choice = readChoice(compress, *compression.codec);
  return compression;
}

CompressedNetwork compress(const NetworkCompression& compression, const NetworkGraph& graph) {
  CompressedNetwork network;
  CompressionSummary& summary = network.summary;
  summary.saved_before = keptBytes(graph);
  Compression compressed = withCompression(graph, *compression.codec, compression.choice);
  for (const CompressedTensor& one : compressed.tensors) {
    summary.tensors.push_back({graph[one.tensor].name, one.before, one.after});
    summary.metadata += one.metadata;
  }
  network.graph = std::move(compressed.graph);
  summary.saved_after = keptBytes(network.graph);
  for (const NetworkTensorId constant : network.graph.tensorsOf(TensorRole::Constant)) {
    const NetworkTensor& tensor = network.graph[constant];
    if (!tensor.values.empty()) summary.constants += bytesOf(tensor);
  }
  return network;
}

}  // namespace ipusim::workloads
