// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/tile_program.h"
#include "models/ipu/machine/system.h"

namespace ipusim {

/// One exchange among all IPUs of a pod. It begins when the last of them comes to it.
struct GlobalExchange {
  Cycles sync;      ///< the external sync
  Cycles transfer;  ///< the fixed cost and the payload
  std::vector<LinkLoad> loads;
};

/// What the IPUs of a pod run. IPUs with equal programs share one.
struct SystemPrograms {
  std::vector<ChipPrograms> chips;         ///< all different
  std::vector<std::uint32_t> chip_of_ipu;  ///< one entry per IPU
  std::vector<GlobalExchange> exchanges;   ///< a GlobalExchange op names one of them
  std::uint32_t link_sets = 0;

  [[nodiscard]] std::uint32_t ipus() const {
    return static_cast<std::uint32_t>(chip_of_ipu.size());
  }
  /// The program of a system of one IPU.
  [[nodiscard]] const ChipPrograms& only() const;
};

/// What a set of links carried over the run.
struct LinkUse {
  Bytes bytes;
  Cycles busy;
};

bool operator==(const LinkUse& a, const LinkUse& b);

/// What an engine measured on a pod.
struct MeasuredSystem {
  std::vector<ChipResult> chips;  ///< one entry per program
  std::vector<LinkUse> links;     ///< one entry per set
};

/// Whether the two chips run equal programs with equal timing.
bool areEqual(const ChipPrograms& a, const ChipPrograms& b);

/// Adds the program of the next IPU. An IPU whose program equals an earlier one shares that.
void addIpu(ChipPrograms program, SystemPrograms& system);

/// The pod with a program for every IPU, equal or not.
SystemPrograms everyChip(const SystemPrograms& system);

/// Throws InternalError unless the engines can play `system`: each program is right by itself, and
/// all IPUs come to the same exchanges, in the same order and in the same loops. The message names
/// the IPU that does not.
void verify(const SystemPrograms& system);

/// "global exchange 3" or "remote transfer 3": what the chips of a pod wait for at an op of that
/// kind.
std::string nameOfBarrier(OpKind kind, std::uint32_t index);

/// Adds the loads of an exchange that ran `times` times. Throws CountError beyond 64 bits.
void addLoads(const GlobalExchange& exchange, std::uint64_t times, std::vector<LinkUse>& links);

/// The result of all IPUs as that of one chip with all their tiles, IPU by IPU.
ChipResult overAllIpus(const SystemPrograms& system, MeasuredSystem measured);

}  // namespace ipusim
