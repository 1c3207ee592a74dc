// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar::detail {

struct EngineData;

/// A part of an engine. Where the environment variable IPUSIM_POPLAR_PROFILE names a file, the
/// profile of the engine goes there when the engine ends, or else when the process exits. The file
/// has the profiles of all engines of the process in the order in which they ended: their summaries
/// with the steps, or an array of JSON where its name ends in .json. An engine that was never
/// loaded has none.
class ProfiledToFile {
 public:
  explicit ProfiledToFile(const EngineData& engine);
  ~ProfiledToFile();
  ProfiledToFile(const ProfiledToFile&) = delete;
  ProfiledToFile& operator=(const ProfiledToFile&) = delete;

 private:
  const EngineData& engine_;
};

}  // namespace poplar::detail
