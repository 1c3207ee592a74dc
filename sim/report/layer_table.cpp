// SPDX-License-Identifier: Apache-2.0
#include "sim/report/layer_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/message.h"
#include "sim/report/quantity.h"
#include "sim/report/text_layout.h"

namespace ipusim::run {

namespace {

constexpr std::size_t kMostLayers = 14;
constexpr std::size_t kLongestLayer = 19;
constexpr std::size_t kLongestGpu = 10;
constexpr std::size_t kLayerTableLongestText = 30;

/// A layer's part of the run, or of one round of it where layers are programs of their own.
Cycles cyclesOf(const LayerResult& layer) {
  return layer.program ? layer.program->cycles : layer.total();
}

/// The layers with the most cycles, in the order of the network.
std::vector<const LayerResult*> longestLayers(const std::vector<LayerResult>& layers) {
  std::vector<const LayerResult*> longest;
  longest.reserve(layers.size());
  for (const LayerResult& layer : layers) longest.push_back(&layer);
  std::stable_sort(longest.begin(), longest.end(), [](const LayerResult* a, const LayerResult* b) {
    return cyclesOf(*a) > cyclesOf(*b);
  });
  longest.resize(std::min(longest.size(), kMostLayers));
  std::sort(longest.begin(), longest.end());  // the pointers into one vector are in its order
  return longest;
}

const char* boundOf(const LayerResult& layer) {
  return layer.compute < layer.movement ? "movement" : "compute";
}

std::string headings(const RunResult& result) {
  std::string text = result.separate ? fmt::format("\n  {:<20}{:>12}{:>12}{:>12}{:>7}", "",
                                                   "cycles", "time", "on a tile", "fits")
                                     : fmt::format("\n  {:<20}{:>12}{:>12}{:>12}{:>12}", "",
                                                   "parameters", "forward", "backward", "update");
  text += fmt::format("{:>9}  {:<8}", "share", "bound by");
  if (result.layers.front().gpu) {
    text += fmt::format("{:>12}", shortened(oneLine(result.compare->gpu), kLongestGpu));
  }
  return text + '\n';
}

/// `rounds`: how often the program of the layer runs. A GPU beside it has the time of all rounds.
std::string row(const LayerResult& layer, Cycles all, std::uint64_t rounds) {
  std::string text = fmt::format("  {:<20}", shortened(layer.name, kLongestLayer));
  if (layer.program) {
    text +=
        fmt::format("{:>12}{:>12}{:>12}{:>7}", countText((layer.program->cycles * rounds).value()),
                    secondsText(layer.program->seconds * static_cast<double>(rounds)),
                    bytesText(layer.program->max_tile_bytes), layer.program->fits ? "yes" : "NO");
  } else {
    text += fmt::format("{:>12}{:>12}{:>12}{:>12}", countText(layer.parameters),
                        countText(layer.forward.value()), countText(layer.backward.value()),
                        countText(layer.update.value()));
  }
  const double share = all == Cycles(0) ? 0
                                        : static_cast<double>(cyclesOf(layer).value()) /
                                              static_cast<double>(all.value());
  text += fmt::format("{:>9}  {:<8}", percentText(share), boundOf(layer));
  if (layer.gpu) text += fmt::format("{:>12}", secondsText(layer.gpu->seconds));
  return text + '\n';
}

}  // namespace

std::string layersText(const RunResult& result) {
  const std::vector<LayerResult>& layers = result.layers;
  if (layers.empty()) return "";
  Cycles all;
  for (const LayerResult& layer : layers) all += cyclesOf(layer);
  const std::vector<const LayerResult*> longest = longestLayers(layers);
  std::string text = "LAYERS    " + countOf(layers.size(), "layer");
  if (longest.size() < layers.size()) text += fmt::format("; the {} longest", longest.size());
  text += headings(result);
  const std::uint64_t rounds = result.separate ? result.separate->rounds : 1;
  for (const LayerResult* layer : longest) text += row(*layer, all, rounds);
  return text + '\n';
}

std::string separateText(const RunResult& result) {
  if (!result.separate) return "";
  const SeparateResult& separate = *result.separate;
  const std::string fullest = oneLine(separate.fullest, kLayerTableLongestText);
  std::string text = wrapped(
      "SEPARATE",
      {countOf(separate.layers, "layer") + ", each a program of its own",
       countText(separate.programs) + " of them different",
       separate.do_not_fit == 0 ? "all fit" : countText(separate.do_not_fit) + " DO NOT FIT"});
  text += wrapped("", {"time: the sum over layers, whose operands are in tile memory",
                       "moving the " + bytesText(separate.operands) +
                           " of all layers in and out is not in it"});
  return text + wrapped("", {"memory: that of layer " + fullest}) + '\n';
}

}  // namespace ipusim::run
