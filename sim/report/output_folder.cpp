// SPDX-License-Identifier: Apache-2.0
#include "sim/report/output_folder.h"

#include <utility>

namespace ipusim::report {

OutputFolder::OutputFolder(std::filesystem::path path) : path_(std::move(path)) {
  makeFolder(path_);
  removeLostDrafts(path_);
}

void OutputFolder::write(const std::string& name, std::string_view text) const {
  write(name, [text](const Sink& sink) { sink(text); });
}

void OutputFolder::write(const std::string& name, const Fill& fill) const {
  replaceFile(path_ / name, fill);
}

std::filesystem::path OutputFolder::placeOf(const std::string& name) const {
  std::filesystem::path place = path_ / name;
  expectReplaceable(place);
  return place;
}

}  // namespace ipusim::report
