// SPDX-License-Identifier: Apache-2.0
// Blurs an image of four channels again and again. Each IPU has a rectangle of the image, each tile
// a rectangle of that, each worker a part of it. Arguments: height, width, rows and columns of
// IPUs, rows and columns of tiles on an IPU, vertex (BlurFloat, BlurFloat2, BlurHalf4), steps
// (even).
#include <poplar/CycleCount.hpp>

#include "program.hpp"

using namespace poplar;
using namespace poplar::program;

namespace {

constexpr unsigned kChannels = 4;
constexpr unsigned kWorkers = 6;

struct Rectangle {
  Interval rows;
  Interval columns;
};

struct Grid {
  unsigned rows;
  unsigned columns;

  unsigned size() const { return rows * columns; }
  Rectangle part(const Rectangle& whole, unsigned index) const {
    const auto cut = [](const Interval& side, unsigned i, unsigned parts) {
      const auto size = unsigned(side.size());
      return Interval(side.begin() + blockBegin(i, parts, size),
                      side.begin() + blockBegin(i + 1, parts, size));
    };
    return {cut(whole.rows, index / columns, rows), cut(whole.columns, index % columns, columns)};
  }
};

struct Plan {
  unsigned height;
  unsigned width;
  Grid ipus;
  Grid tiles;  // of an IPU
  std::string vertex;

  Type type() const { return vertex == "BlurHalf4" ? HALF : FLOAT; }
};

/// What a tile has of the image.
struct Place {
  unsigned tile;
  Rectangle whole;
};

std::vector<Place> placesOf(const Plan& plan, unsigned tiles_of_ipu) {
  std::vector<Place> places;
  const Rectangle image = {Interval(0, plan.height), Interval(0, plan.width)};
  for (unsigned ipu = 0; ipu < plan.ipus.size(); ++ipu) {
    const Rectangle of_ipu = plan.ipus.part(image, ipu);
    for (unsigned tile = 0; tile < plan.tiles.size(); ++tile) {
      places.push_back({ipu * tiles_of_ipu + tile, plan.tiles.part(of_ipu, tile)});
    }
  }
  return places;
}

/// Part of a rectangle for a worker, cut along the side that leaves less over.
Rectangle partOf(const Rectangle& whole, unsigned worker) {
  const bool by_rows = whole.rows.size() % kWorkers <= whole.columns.size() % kWorkers;
  return (by_rows ? Grid{kWorkers, 1} : Grid{1, kWorkers}).part(whole, worker);
}

/// The part with its halo; beyond the image there are zeros.
Tensor withHalo(const Tensor& image, const Rectangle& part, const Tensor& zeros) {
  const std::size_t top = part.rows.begin() == 0 ? 0 : part.rows.begin() - 1;
  const std::size_t bottom = std::min(part.rows.end() + 1, image.dim(0));
  const std::size_t left = part.columns.begin() == 0 ? 0 : part.columns.begin() - 1;
  const std::size_t right = std::min(part.columns.end() + 1, image.dim(1));
  Tensor inside = image.slice({top, left, 0}, {bottom, right, kChannels});
  const auto zerosOf = [&zeros](std::size_t rows, std::size_t columns) {
    return zeros.broadcast(unsigned(rows * columns * kChannels), 0)
        .reshape({rows, columns, kChannels});
  };
  if (part.columns.begin() == 0) inside = concat(zerosOf(inside.dim(0), 1), inside, 1);
  if (part.columns.end() == image.dim(1)) inside = concat(inside, zerosOf(inside.dim(0), 1), 1);
  if (part.rows.begin() == 0) inside = concat(zerosOf(1, inside.dim(1)), inside, 0);
  if (part.rows.end() == image.dim(0)) inside = concat(inside, zerosOf(1, inside.dim(1)), 0);
  return inside.flatten();
}

ComputeSet addBlur(Graph& graph, const std::string& type, const std::vector<Place>& places,
                   const Tensor& from, const Tensor& to, const std::vector<Tensor>& zeros) {
  const ComputeSet blur = graph.addComputeSet("blur");
  for (std::size_t place = 0; place < places.size(); ++place) {
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
      const Rectangle part = partOf(places[place].whole, worker);
      if (part.rows.size() == 0 || part.columns.size() == 0) continue;
      const Tensor out = to.slice({part.rows.begin(), part.columns.begin(), 0},
                                  {part.rows.end(), part.columns.end(), kChannels});
      const VertexRef vertex = graph.addVertex(
          blur, type, {{"in", withHalo(from, part, zeros[place])}, {"out", out.flatten()}});
      graph.setInitialValue(vertex["height"], unsigned(part.rows.size()));
      graph.setInitialValue(vertex["width"], unsigned(part.columns.size()));
      graph.setTileMapping(vertex, places[place].tile);
    }
  }
  return blur;
}

std::vector<float> onHost(const Plan& plan, unsigned steps, std::vector<float> from) {
  const auto at = [&](long y, long x, unsigned c) {
    if (y < 0 || x < 0 || y >= long(plan.height) || x >= long(plan.width)) return 0.f;
    return from[(y * plan.width + x) * kChannels + c];
  };
  std::vector<float> to = from;
  for (unsigned step = 0; step < steps; ++step) {
    std::size_t i = 0;
    for (long y = 0; y < long(plan.height); ++y) {
      for (long x = 0; x < long(plan.width); ++x) {
        for (unsigned c = 0; c < kChannels; ++c, ++i) {
          to[i] =
              1.f / 16 *
                  (at(y - 1, x - 1, c) + at(y - 1, x + 1, c) + at(y + 1, x - 1, c) +
                   at(y + 1, x + 1, c)) +
              4.f / 16 * at(y, x, c) +
              2.f / 16 * (at(y - 1, x, c) + at(y, x - 1, c) + at(y, x + 1, c) + at(y + 1, x, c));
        }
      }
    }
    std::swap(from, to);
  }
  return from;
}

/// Maps both images, a rectangle a tile, and returns a zero on each tile.
std::vector<Tensor> mapped(Graph& graph, const Plan& plan, const std::vector<Place>& places,
                           const std::vector<Tensor>& images) {
  std::vector<Tensor> zeros;
  for (const Place& place : places) {
    const Rectangle& whole = place.whole;
    for (const Tensor& tensor : images) {
      graph.setTileMapping(tensor.slice({whole.rows.begin(), whole.columns.begin(), 0},
                                        {whole.rows.end(), whole.columns.end(), kChannels}),
                           place.tile);
    }
    zeros.push_back(graph.addConstant<float>(plan.type(), {1}, 0.f, "zero"));
    graph.setTileMapping(zeros.back(), place.tile);
  }
  return zeros;
}

/// Runs the engine on an image, and returns what becomes of it.
std::vector<float> blurred(Engine& engine, const Device& device, const Type& type,
                           const std::vector<float>& start) {
  std::vector<float> found(start.size());
  if (type == HALF) {
    std::vector<std::uint16_t> halves(start.size());
    copyFloatToDeviceHalf(device.getTarget(), start.data(), halves.data(), halves.size());
    engine.writeTensor("image", halves.data(), halves.data() + halves.size());
    engine.run();
    engine.readTensor("image", halves.data(), halves.data() + halves.size());
    copyDeviceHalfToFloat(device.getTarget(), halves.data(), found.data(), found.size());
  } else {
    engine.writeTensor("image", start.data(), start.data() + start.size());
    engine.run();
    engine.readTensor("image", found.data(), found.data() + found.size());
  }
  return found;
}

}  // namespace

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const Plan plan = {arguments.number("height", 1122), arguments.number("width", 2200),
                     Grid{arguments.number("ipu_rows", 1), arguments.number("ipu_columns", 1)},
                     Grid{arguments.number("tile_rows", 24), arguments.number("tile_columns", 49)},
                     arguments.text("vertex", "BlurFloat")};
  const unsigned steps = arguments.number("steps", 2);
  const Device device = attachedDevice(plan.ipus.size());
  Graph graph(device);
  graph.addCodelets("blur_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Tensor image =
      graph.addVariable(plan.type(), {plan.height, plan.width, kChannels}, "image");
  const Tensor other =
      graph.addVariable(plan.type(), {plan.height, plan.width, kChannels}, "other");
  const std::vector<Place> places = placesOf(plan, device.getTarget().getTilesPerIPU());
  const std::vector<Tensor> zeros = mapped(graph, plan, places, {image, other});
  const auto step = [&](const Tensor& from, const Tensor& to) {
    return Execute(addBlur(graph, plan.vertex, places, from, to, zeros));
  };
  Sequence timed{Repeat(steps / 2, Sequence{step(image, other), step(other, image)})};
  const Tensor cycles = cycleCount(graph, timed, 0, SyncType::INTERNAL, "cycles");
  graph.createHostRead("cycles", cycles);
  graph.createHostWrite("image", image);
  graph.createHostRead("image", image);

  std::vector<float> start(image.numElements());
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = float(i * 7919 % 256);
  std::vector<unsigned> took(2);
  Engine engine(graph, timed, {{"debug.instrument", "true"}});
  engine.load(device);
  const std::vector<float> found = blurred(engine, device, plan.type(), start);
  engine.readTensor("cycles", took.data(), took.data() + 2);
  engine.printProfileSummary(std::cout, {{"showExecutionSteps", "true"}});
  tell("step_cycles", double((std::uint64_t{took[1]} << 32) + took[0]) / steps);
  if (plan.type() == FLOAT) return compared(found, onHost(plan, steps, start));
  // Halves round at each operation: a few units of their last place in 256.
  const std::vector<float> wanted = onHost(plan, steps, start);
  float worst = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - wanted[i]));
  }
  tell("worst_difference", worst);
  return worst <= 1.0f ? 0 : 1;
}
