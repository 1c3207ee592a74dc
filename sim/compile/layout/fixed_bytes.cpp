// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/ipu/cost/exchange/streaming.h"
#include "sim/compile/emit/row_copy.h"
#include "sim/compile/layout/memory.h"

namespace ipusim::compiler {

namespace {

// Data goes to and from the host in packets. A tile keeps a header for each of its packets. Source:
// recorded profiles in graphcore/tensorflow and graphcore/popliner tests.
constexpr Bytes kHostPacket(256);
constexpr Bytes kHeaderToHost(8);
constexpr Bytes kHeaderToChip(4);

class FixedBytes {
 public:
  FixedBytes(const Lowered& lowered, const std::vector<ExchangeCode>& exchange_code,
             const System& system)
      : lowered_(lowered),
        exchange_code_(exchange_code),
        sizes_(system.ipu.code),
        streaming_(system.ipu.streaming),
        packet_header_(system.timing.packet_header),
        bytes_(exchange_code.size()),
        last_step_(exchange_code.size(), kNone) {}

  std::vector<CategoryBytes> run() {
    for (CategoryBytes& tile : bytes_) {
      at(tile, MemoryCategory::Stack) = sizes_.stack;
      at(tile, MemoryCategory::ControlCode) = sizes_.control_program;
    }
    for (std::uint32_t s = 0; s < lowered_.steps.size(); ++s) addStep(s);
    addExchanges();
    return std::move(bytes_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  static Bytes& at(CategoryBytes& tile, MemoryCategory category) {
    return tile[static_cast<std::size_t>(category)];
  }

  void addStep(std::uint32_t s) {
    const Step& step = lowered_.steps[s];
    for (const BoundFamily& family : step.families) addFamily(step.kind, family, s);
    if (step.kind == StepKind::Sync) {
      for (CategoryBytes& tile : bytes_) {
        at(tile, MemoryCategory::ControlCode) += sizes_.control_per_step;
      }
    }
    if (step.kind == StepKind::HostCopy) addHostCopy(step.host);
    if (step.kind == StepKind::RemoteBegin) addRowCopy(step.remote);
  }

  void addFamily(StepKind kind, const BoundFamily& family, std::uint32_t step) {
    const VertexType& type = *family.type;
    const std::uint32_t t = family.tile.tile();
    CategoryBytes& tile = bytes_[t];
    const MemoryCategory state = kind == StepKind::OnTileCopy ? MemoryCategory::CopyDescriptors
                                                              : MemoryCategory::VertexState;
    at(tile, state) += family.count * type.sizes.state;
    at(tile, MemoryCategory::VertexFieldData) += family.count * type.sizes.field_data;
    std::vector<bool>& has_code = tiles_with_code_[type.name];
    has_code.resize(bytes_.size());
    if (!has_code[t]) at(tile, MemoryCategory::VertexCode) += type.sizes.code;
    has_code[t] = true;
    if (last_step_[t] != step) {
      last_step_[t] = step;
      at(tile, MemoryCategory::ControlCode) += sizes_.control_per_step;
    }
  }

  void addExchanges() {
    for (std::size_t t = 0; t < bytes_.size(); ++t) {
      const ExchangeCode& tile = exchange_code_[t];
      const Bytes bytes = sizes_.exchange_entry * tile.exchanges +
                          sizes_.exchange_per_send * tile.send_instructions +
                          sizes_.exchange_per_receive * tile.receive_instructions;
      at(bytes_[t], MemoryCategory::ExchangeCode) += bytes;
      addGlobalExchanges(tile, bytes_[t]);
    }
  }

  /// A header for every packet, and code: an entry for each exchange and a send for each packet.
  void addGlobalExchanges(const ExchangeCode& code, CategoryBytes& tile) const {
    if (code.global_exchanges == 0) return;
    at(tile, MemoryCategory::GlobalExchangeHeaders) += code.packets_sent * packet_header_;
    at(tile, MemoryCategory::GlobalExchangeCode) += code.global_exchanges * sizes_.exchange_entry +
                                                    code.packets_sent * sizes_.exchange_per_send;
  }

  void addHostCopy(const HostCopy& transfer) {
    for (CategoryBytes& tile : bytes_) {
      at(tile, MemoryCategory::HostExchangeCode) = sizes_.host_exchange;
    }
    const bool to_host = transfer.direction == HostDirection::ToHost;
    const Bytes header = to_host ? kHeaderToHost : kHeaderToChip;
    for (const VariableId variable : transfer.variables) {
      for (const BlockId id : lowered_.share_of.at(indexOf(variable))) {
        if (id == kNoBlock) continue;
        const Block& share = lowered_.blocks[indexOf(id)];
        at(bytes_[share.tile.tile()], MemoryCategory::HostExchangeHeaders) +=
            ceilDiv(share.bytes.value(), kHostPacket.value()) * header;
      }
    }
  }

  /// The exchange with the streaming memory is one with the host: a remote buffer is two streams.
  /// Source: graphcore/popart willow/src/popx/exchangebundle.cpp (MIT).
  void addRowCopy(const RowCopy& row) {
    for (CategoryBytes& tile : bytes_) {
      at(tile, MemoryCategory::HostExchangeCode) = sizes_.host_exchange;
    }
    for (const models::TileShare& share : sharesOf(row, lowered_.blocks)) {
      at(bytes_[share.tile], MemoryCategory::HostExchangeHeaders) +=
          models::packetsOf(streaming_, share.bytes) * streaming_.packet_header;
    }
  }

  const Lowered& lowered_;
  const std::vector<ExchangeCode>& exchange_code_;
  const CodeSizes& sizes_;
  const StreamingMemory& streaming_;
  Bytes packet_header_;  ///< of a packet to another IPU
  std::vector<CategoryBytes> bytes_;
  /// Maps the name of a vertex type to one bit per tile.
  std::unordered_map<std::string_view, std::vector<bool>> tiles_with_code_;
  std::vector<std::uint32_t> last_step_;
};

}  // namespace

std::vector<CategoryBytes> fixedBytes(const Lowered& lowered,
                                      const std::vector<ExchangeCode>& exchange_code,
                                      const System& system) {
  return FixedBytes(lowered, exchange_code, system).run();
}

}  // namespace ipusim::compiler
