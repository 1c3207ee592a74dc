// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/codec.h"

#include <fmt/format.h>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/quarters.h"
#include "workloads/networks/operations/shaping.h"

namespace ipusim::workloads {

namespace {

class SignCodec final : public Codec {
 public:
  [[nodiscard]] std::optional<std::string> wantedInsteadOf(
      const TensorType& /*type*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] bool keepsSignsAlone() const override { return true; }
  [[nodiscard]] Code encode(const CodecSite& site, NetworkTensorId x) const override {
    return {site.add("signs", packSigns(), {x}), std::nullopt};
  }
  [[nodiscard]] NetworkTensorId decode(const CodecSite& site, const Code& code,
                                       const TensorType& type) const override {
    return site.add("unpacked", unpackSigns(type), {code.values});
  }
};

class HalfCodec final : public Codec {
 public:
  [[nodiscard]] std::optional<std::string> wantedInsteadOf(const TensorType& type) const override {
    if (type.type == ElementType::Float) return std::nullopt;
    return "floats";
  }
  [[nodiscard]] Code encode(const CodecSite& site, NetworkTensorId x) const override {
    return {site.add("half", cast(ElementType::Half), {x}), std::nullopt};
  }
  [[nodiscard]] NetworkTensorId decode(const CodecSite& site, const Code& code,
                                       const TensorType& type) const override {
    return site.add("float", cast(type.type), {code.values});
  }
};

class Float8Codec final : public Codec {
 public:
  [[nodiscard]] std::optional<std::string> wantedInsteadOf(
      const TensorType& /*type*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] Code encode(const CodecSite& site, NetworkTensorId x) const override {
    const auto results = site.graph.addNode(site.name + "/float8", toQuarters(), {x});
    return {results[0], results[1]};
  }
  [[nodiscard]] NetworkTensorId decode(const CodecSite& site, const Code& code,
                                       const TensorType& type) const override {
    return site.add("float8", fromQuarters(type.type), {code.values, *code.scales});
  }
};

class QuantisingCodec final : public Codec {
 public:
  QuantisingCodec(CodecPointer first, const Quantiser& quantiser)
      : first_(std::move(first)), quantiser_(quantiser) {}

  [[nodiscard]] std::optional<std::string> wantedInsteadOf(const TensorType& type) const override {
    if (first_) {
      if (auto wanted = first_->wantedInsteadOf(type)) return wanted;
    }
    const std::uint64_t elements = elementsOf(codedType(type).shape);
    if (quantiser_.block == 0 || elements % quantiser_.block == 0) return std::nullopt;
    return fmt::format("blocks of {} elements that divide its {} values", quantiser_.block,
                       elements);
  }
  [[nodiscard]] Code encode(const CodecSite& site, NetworkTensorId x) const override {
    const NetworkTensorId values = first_ ? first_->encode(site, x).values : x;
    const auto results =
        site.graph.addNode(site.name + "/quantised", quantise(quantiser_), {values});
    return {results[0], results[1]};
  }
  [[nodiscard]] NetworkTensorId decode(const CodecSite& site, const Code& code,
                                       const TensorType& type) const override {
    const NetworkTensorId values =
        site.add("levels", dequantise(quantiser_, codedType(type)), {code.values, *code.scales});
    return first_ ? first_->decode(site, {values, std::nullopt}, type) : values;
  }

 private:
  /// The type of what is quantised.
  [[nodiscard]] TensorType codedType(const TensorType& type) const {
    if (!first_) return type;
    NetworkGraph graph;
    CodecConstants constants;
    const NetworkTensorId x = graph.addSource("x", type, TensorRole::Input);
    return graph[first_->encode({graph, constants, ""}, x).values].type;
  }

  CodecPointer first_;  ///< may be null
  Quantiser quantiser_;
};

}  // namespace

NetworkTensorId CodecSite::reshaped(const std::string& part, const Shape& shape,
                                    NetworkTensorId tensor) const {
  if (graph.shapeOf(tensor) == shape) return tensor;
  return add(part, reshape(shape), {tensor});
}

NetworkTensorId CodecSite::arranged(const std::string& part, const std::vector<std::size_t>& order,
                                    NetworkTensorId tensor) const {
  return add(part, rowMajor(), {add(part + "/transposed", transpose(order), {tensor})});
}

NetworkTensorId CodecSite::constant(const std::string& of, const TensorType& type,
                                    const TensorValues& values) const {
  const std::string key = fmt::format("codec/{}/{}", of, nameOf(type.type));
  const auto known = constants.find(key);
  if (known != constants.end()) return known->second;
  const NetworkTensorId added = graph.addConstant(key, type, values);
  constants.emplace(key, added);
  return added;
}

CodecPointer signCodec() {
  return std::make_shared<SignCodec>();
}

CodecPointer halfCodec() {
  return std::make_shared<HalfCodec>();
}

CodecPointer float8Codec() {
  return std::make_shared<Float8Codec>();
}

CodecPointer quantisingCodec(const Quantiser& quantiser) {
  return quantised(nullptr, quantiser);
}

CodecPointer quantised(CodecPointer first, const Quantiser& quantiser) {
  return std::make_shared<QuantisingCodec>(std::move(first), quantiser);
}

}  // namespace ipusim::workloads
