// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/running_call.h"

namespace ipusim::codelets {

namespace {

thread_local RunningCall* this_thread = nullptr;

std::uint64_t rotated(std::uint64_t word, unsigned bits) {
  constexpr unsigned kWordBits = 64;
  return word << bits | word >> (kWordBits - bits);
}

}  // namespace

RunningCall::RunningCall(WorkerContext& context, const Image& image,
                         const std::vector<CodeBlock>& blocks)
    : context_(context), image_(image), blocks_(blocks) {
  this_thread = this;
}

RunningCall::~RunningCall() {
  this_thread = nullptr;
}

RunningCall& RunningCall::current() {
  return *this_thread;
}

std::uint64_t RunningCall::random() {
  auto& state = context_.random;
  const std::uint64_t sum = state[0] + state[1];
  const std::uint64_t mixed = state[1] ^ state[0];
  state[0] = rotated(state[0], 24) ^ mixed ^ mixed << 16U;
  state[1] = rotated(mixed, 37);
  return sum;
}

std::uint64_t RunningCall::clock() {
  return context_.clock + image_.slotsSoFar(blocks_) * kCyclesPerSlot;
}

}  // namespace ipusim::codelets
