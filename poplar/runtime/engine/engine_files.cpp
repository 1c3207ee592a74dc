// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/engine_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/files/write_file.h"
#include "poplar/runtime/engine/engine_data.h"
#include "poplar/runtime/engine/engine_record.h"
#include "sim/record/record_file.h"

namespace poplar::detail {

namespace {

/// Writes the record of an engine behind those that this process wrote to the file before.
void writeRecord(const EngineData& engine, std::set<std::string>& begun) {
  const std::string text = ipusim::record::recordText(recordOf(engine));
  if (begun.insert(engine.record_file).second) return ipusim::writeFile(engine.record_file, text);
  std::ofstream file(engine.record_file, std::ios::binary | std::ios::app);
  if (!file.write(text.data(), static_cast<std::streamsize>(text.size())).flush()) {
    throw ipusim::ConfigError(
        fmt::format("{}: wanted room for a record, found none", engine.record_file));
  }
}

/// The engines of this process, and what was written of those that ended.
class EngineBook {
 public:
  EngineBook() {
    const char* const named = std::getenv("IPUSIM_POPLAR_PROFILE");
    if (named != nullptr) file_ = named;
  }
  ~EngineBook() = default;
  EngineBook(const EngineBook&) = delete;
  EngineBook& operator=(const EngineBook&) = delete;

  void begin(const EngineData& engine) {
    const std::lock_guard lock(guard_);
    living_.push_back(&engine);
  }

  void end(const EngineData& engine) {
    const std::lock_guard lock(guard_);
    const auto found = std::find(living_.begin(), living_.end(), &engine);
    if (found == living_.end()) return;
    living_.erase(found);
    write({&engine});
  }

  /// Programs may end with engines that they never delete, or delete later.
  void endAll() {
    const std::lock_guard lock(guard_);
    if (!living_.empty()) write(living_);
    living_.clear();
  }

 private:
  [[nodiscard]] bool isJson() const { return file_.extension() == ".json"; }

  void note(const EngineData& engine) {
    std::string text;
    const Sink sink{&text, [](void* to, Text part) {
                      static_cast<std::string*>(to)->append(part.data, part.size);
                    }};
    if (isJson()) {
      profileJson(&engine, sink);
    } else {
      const std::vector<Text> options{Text{"showExecutionSteps", 18}, Text{"true", 4}};
      profileSummary(&engine, {options.data(), options.size()}, sink);
    }
    profiles_.push_back(std::move(text));
  }

  void writeProfiles() const {
    const std::string all = fmt::format("{}", fmt::join(profiles_, isJson() ? "," : "\n"));
    ipusim::writeFile(file_, isJson() ? "[" + all + "]\n" : all);
  }

  /// A destructor must not throw, so what goes wrong is only said.
  template <typename Write>
  static void orSay(const char* what, const Write& write) {
    try {
      write();
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}: {}\n", what, error.what());
    }
  }

  void write(const std::vector<const EngineData*>& ended) {
    for (const EngineData* engine : ended) {
      if (!engine->loaded || engine->record_file.empty()) continue;
      orSay("execution record", [&] { writeRecord(*engine, records_); });
    }
    if (file_.empty()) return;
    orSay("IPUSIM_POPLAR_PROFILE", [&] {
      for (const EngineData* engine : ended) {
        if (engine->loaded) note(*engine);
      }
      writeProfiles();
    });
  }

  std::mutex guard_;
  std::filesystem::path file_;  ///< empty: no profile is asked for
  std::vector<const EngineData*> living_;
  std::vector<std::string> profiles_;
  std::set<std::string> records_;  ///< files that have a record of this process
};

/// It is never destroyed: engines of global variables may end after all other objects.
EngineBook& book() {
  static EngineBook* const kBook = [] {
    auto made = std::make_unique<EngineBook>();
    std::atexit([] { book().endAll(); });
    return made.release();
  }();
  return *kBook;
}

}  // namespace

EngineFiles::EngineFiles(const EngineData& engine) : engine_(engine) {
  book().begin(engine);
}

EngineFiles::~EngineFiles() {
  book().end(engine_);
}

}  // namespace poplar::detail
