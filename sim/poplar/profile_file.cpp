// SPDX-License-Identifier: Apache-2.0
#include "sim/poplar/profile_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/write_file.h"
#include "sim/poplar/engine_data.h"

namespace poplar::detail {

namespace {

class ProfileBook;
ProfileBook& book();

/// The engines of this process, and the profiles of those that ended.
class ProfileBook {
 public:
  ProfileBook() {
    const char* const named = std::getenv("IPUSIM_POPLAR_PROFILE");
    if (named != nullptr) file_ = named;
  }
  ~ProfileBook() = default;
  ProfileBook(const ProfileBook&) = delete;
  ProfileBook& operator=(const ProfileBook&) = delete;

  void begin(const EngineData& engine) {
    const std::lock_guard lock(guard_);
    if (!file_.empty()) living_.push_back(&engine);
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
    if (!engine.loaded) return;
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

  /// A destructor must not throw, so what goes wrong is only said.
  void write(const std::vector<const EngineData*>& ended) {
    try {
      for (const EngineData* engine : ended) note(*engine);
      const std::string all = fmt::format("{}", fmt::join(profiles_, isJson() ? "," : "\n"));
      ipusim::writeFile(file_, isJson() ? "[" + all + "]\n" : all);
    } catch (const std::exception& error) {
      fmt::print(stderr, "IPUSIM_POPLAR_PROFILE: {}\n", error.what());
    }
  }

  std::mutex guard_;
  std::filesystem::path file_;  ///< empty: no profile is asked for
  std::vector<const EngineData*> living_;
  std::vector<std::string> profiles_;
};

/// It is never destroyed: engines of global variables may end after all other objects.
ProfileBook& book() {
  static ProfileBook* const kBook = [] {
    auto made = std::make_unique<ProfileBook>();
    std::atexit([] { book().endAll(); });
    return made.release();
  }();
  return *kBook;
}

}  // namespace

ProfiledToFile::ProfiledToFile(const EngineData& engine) : engine_(engine) {
  book().begin(engine);
}

ProfiledToFile::~ProfiledToFile() {
  book().end(engine_);
}

}  // namespace poplar::detail
