// SPDX-License-Identifier: Apache-2.0
#include "sim/answer/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/config/words.h"
#include "base/text/message.h"

namespace ipusim::answer {

namespace {

constexpr Words<RunKind, 3> kKindWords{
    {{RunKind::Program, "program"}, {RunKind::Parallel, "parallel"}, {RunKind::Gpu, "gpu"}}};

double over(Bytes needed, Bytes capacity) {
  return static_cast<double>(needed.value()) / static_cast<double>(capacity.value()) - 1;
}

struct OutcomeOf {
  Outcome operator()(const ProgramAnswer& answer) const {
    const run::RunResult& result = answer.result;
    Outcome outcome{RunKind::Program, result.fits()};
    outcome.seconds = result.time.seconds;
    outcome.max_tile = result.memory.max_tile_bytes;
    if (result.energy) outcome.joules = result.energy->joules;
    if (!result.oom) return outcome;
    outcome.overflow = static_cast<double>(result.oom->bytes_over.value()) /
                       static_cast<double>(result.machine.sram_per_tile.value());
    outcome.lacks = fmt::format("tile {} is {} bytes over ({}) in {}", result.oom->tile,
                                result.oom->bytes_over.value(), keyOf(result.oom->category),
                                oneLine(result.oom->step));
    return outcome;
  }

  Outcome operator()(const ParallelAnswer& answer) const {
    const parallel::ParallelPrediction& prediction = answer.prediction;
    Outcome outcome{RunKind::Parallel, prediction.fits()};
    outcome.seconds = prediction.step_seconds;
    for (const parallel::StagePrediction& stage : prediction.stages) {
      outcome.max_tile = std::max(outcome.max_tile, stage.cost.max_tile_bytes);
    }
    if (prediction.energy) outcome.joules = prediction.energy->joules;
    if (const auto& streaming = prediction.streaming_overflow) {
      setOverflow(streaming->needed, streaming->capacity, "streaming memory", outcome);
    } else if (const auto* stage = prediction.firstOverflow()) {
      setOverflow(stage->cost.overflow->needed, stage->cost.overflow->capacity,
                  fmt::format("a tile of stage {}", stage - prediction.stages.data()), outcome);
    }
    return outcome;
  }

  Outcome operator()(const GpuAnswer& answer) const {
    const run::CompareResult& result = answer.result;
    Outcome outcome{RunKind::Gpu, result.fits()};
    for (const auto& one : {result.fp32, result.tf32, result.half}) {
      if (!one || !one->time) continue;
      outcome.seconds = std::min(outcome.seconds.value_or(one->time->seconds), one->time->seconds);
    }
    if (!outcome.fits) outcome.lacks = kTooLargeForGpu;
    return outcome;
  }

 private:
  static void setOverflow(Bytes needed, Bytes capacity, const std::string& where,
                          Outcome& outcome) {
    outcome.overflow = over(needed, capacity);
    outcome.lacks = fmt::format("{} is {} bytes over {}", where, excess(needed, capacity).value(),
                                capacity.value());
  }
};

std::optional<double> numberIn(const Json& json, const char* key) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

Json orNull(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

Outcome outcomeOf(const Answer& answer) {
  return std::visit(OutcomeOf(), answer);
}

Json toJson(const Outcome& outcome) {
  return {{"kind", wordOf(outcome.kind, kKindWords)},
          {"fits", outcome.fits},
          {"overflow", outcome.overflow},
          {"lacks", outcome.lacks},
          {"seconds", orNull(outcome.seconds)},
          {"max_tile_bytes", outcome.max_tile.value()},
          {"joules", orNull(outcome.joules)}};
}

std::optional<Outcome> outcomeFrom(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto kind = json.find("kind");
  const auto fits = json.find("fits");
  const auto lacks = json.find("lacks");
  const auto bytes = json.find("max_tile_bytes");
  const std::optional<double> overflow = numberIn(json, "overflow");
  const bool is_whole = kind != json.end() && kind->is_string() && fits != json.end() &&
                        fits->is_boolean() && lacks != json.end() && lacks->is_string() &&
                        bytes != json.end() && bytes->is_number_unsigned() && overflow.has_value();
  if (!is_whole) return std::nullopt;
  const auto word = kind->get<std::string>();
  const auto* const row = std::find_if(kKindWords.begin(), kKindWords.end(),
                                       [&word](const auto& one) { return one.word == word; });
  if (row == kKindWords.end()) return std::nullopt;
  return Outcome{row->value,
                 fits->get<bool>(),
                 *overflow,
                 lacks->get<std::string>(),
                 numberIn(json, "seconds"),
                 Bytes(bytes->get<std::uint64_t>()),
                 numberIn(json, "joules")};
}

}  // namespace ipusim::answer
