// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ipusim/observer.h"

namespace ipusim::models {

/// All that an engine tells an observer, in an order that does not depend on the engine.
class Story : public Observer {
 public:
  void busy(TileId tile, OpKind kind, const Interval& when) override {
    add("busy", tile.tile(), static_cast<std::uint32_t>(kind), when);
  }
  void transmission(std::uint32_t transmission, const Interval& when) override {
    add("transmission", transmission, 0, when);
  }
  void sync(const Interval& when) override { add("sync", 0, 0, when); }
  void hostTransfer(std::uint32_t transfer, const Interval& when) override {
    add("host transfer", transfer, 0, when);
  }

  /// One line per event, sorted.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> lines;
    for (const auto& [line, times] : events_) lines.insert(lines.end(), times, line);
    return lines;
  }

 private:
  void add(const char* what, std::uint32_t which, std::uint32_t kind, const Interval& when) {
    ++events_[std::string(what) + ' ' + std::to_string(which) + ' ' + std::to_string(kind) +
              " step " + std::to_string(indexOf(when.step)) + ": " +
              std::to_string(when.begin.value()) + " to " + std::to_string(when.end.value()) +
              " x " + std::to_string(when.iterations)];
  }

  std::map<std::string, std::size_t> events_;
};

}  // namespace ipusim::models
