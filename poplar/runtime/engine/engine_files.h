// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar::detail {

struct EngineData;

/// A part of an engine, which writes the files that were asked for when the engine ends, or else
/// when the process exits. An engine that was never loaded has none.
///
/// The file of IPUSIM_POPLAR_PROFILE has the profiles of all engines of the process in the order in
/// which they ended: their summaries with the steps, or an array of JSON where its name ends in
/// .json. The file of EngineData::record_file has the execution record of the engine, behind those
/// of other engines of the process that have the same file.
class EngineFiles {
 public:
  explicit EngineFiles(const EngineData& engine);
  ~EngineFiles();
  EngineFiles(const EngineFiles&) = delete;
  EngineFiles& operator=(const EngineFiles&) = delete;

 private:
  const EngineData& engine_;
};

}  // namespace poplar::detail
