// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/image.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <cstring>

#include "poplar/codelets/run/host_functions.h"

namespace ipusim::codelets {

namespace {

/// movabs $address, %r11; jmp *%r11. The register is free at a call.
constexpr std::array<unsigned char, 2> kLoadAddress{0x49, 0xbb};
constexpr std::array<unsigned char, 3> kJump{0x41, 0xff, 0xe3};

void writeStub(char* at, std::uint64_t address) {
  std::memcpy(at, kLoadAddress.data(), kLoadAddress.size());
  std::memcpy(at + kLoadAddress.size(), &address, sizeof address);
  std::memcpy(at + kLoadAddress.size() + sizeof address, kJump.data(), kJump.size());
}

}  // namespace

Image::Image(const Layout& layout) : layout_(layout), memory_(1, Bytes(layout.bytes())) {
  char* const bytes = reinterpret_cast<char*>(memory_.at(0));
  layout.write(memory_.address(0), bytes);
  for (std::size_t index = 0; index < layout.externals().size(); ++index) {
    writeStub(bytes + layout.stubOffset(index), hostFunction(layout.externals()[index]));
  }
  if (mprotect(bytes, layout.readOnlyBytes(), PROT_READ | PROT_EXEC) != 0) {
    throw ConfigError("codelets: this system does not let a program run code that it has made");
  }
  for (const std::uint32_t offset : layout.initializers()) {
    std::uint32_t function = 0;
    std::memcpy(&function, bytes + offset, sizeof function);
    const CallResult entered = enterGuarded(code(), function, 0, 0, std::chrono::seconds(30));
    if (entered.fault != FaultKind::None) {
      throw CodeletFault("a file-scope variable of a codelet: its initial value faults");
    }
  }
}

void Image::useContext(const WorkerContext& context) {
  const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&context));
  std::memcpy(memory_.at(0) + layout_.contextOffset(), &address, sizeof address);
}

void Image::takeCounts(std::vector<std::uint64_t>& counts) {
  for (const CountsPlace& place : layout_.counts()) {
    std::byte* const from = memory_.at(0) + place.offset;
    const std::size_t bytes = std::size_t{place.number} * sizeof(std::uint64_t);
    std::memcpy(counts.data() + place.first, from, bytes);
    std::memset(from, 0, bytes);
  }
}

std::uint64_t Image::slotsSoFar(const std::vector<CodeBlock>& blocks) const {
  std::uint64_t slots = 0;
  for (const CountsPlace& place : layout_.counts()) {
    for (std::size_t index = 0; index < place.number; ++index) {
      std::uint64_t count = 0;
      std::memcpy(&count, memory_.at(0) + place.offset + index * sizeof count, sizeof count);
      slots += count * blocks[place.first + index].slots;
    }
  }
  return slots;
}

}  // namespace ipusim::codelets
