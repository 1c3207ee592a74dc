// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workloads/graph/codelet.h"

// Vertex types that are easy to count by hand, all of float: a vertex takes 10 issue slots, 8 bytes
// of state and 16 of code.

namespace ipusim::workloads {

class TestCodelet : public Codelet {
 public:
  TestCodelet(std::string name, std::vector<Field> fields)
      : name_(std::move(name)), fields_(std::move(fields)) {}

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Worker; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Cycles cycles(const models::Machine& /*machine*/) const override {
    return Cycles(10);
  }
  [[nodiscard]] Bytes stateBytes() const override { return Bytes(8); }
  [[nodiscard]] Bytes codeBytes() const override { return Bytes(16); }
  [[nodiscard]] Flops flops() const override { return Flops(0); }

 protected:
  static Field field(const std::string& name, FieldDirection direction, const EdgeGroups& groups) {
    return {name, direction, models::ElementType::Float, groups};
  }

 private:
  std::string name_;
  std::vector<Field> fields_;
};

/// out[i] = a[i] + b[i]. Fields: 0 "a", 1 "b", 2 "out".
class AddVectors : public TestCodelet {
 public:
  explicit AddVectors(std::uint64_t elements)
      : TestCodelet("AddVectors", {field("a", FieldDirection::Input, {{1, elements}}),
                                   field("b", FieldDirection::Input, {{1, elements}}),
                                   field("out", FieldDirection::Output, {{1, elements}})}),
        elements_(elements) {}

  void compute(const VertexData& data) const override {
    const auto* a = data.as<float>(0, 0);
    const auto* b = data.as<float>(1, 0);
    auto* out = data.as<float>(2, 0);
    for (std::uint64_t i = 0; i < elements_; ++i) out[i] = a[i] + b[i];
  }

 private:
  std::uint64_t elements_;
};

/// out[i] = factor * in[i]. Fields: 0 "in", 1 "out".
class Scale : public TestCodelet {
 public:
  Scale(float factor, std::uint64_t elements)
      : TestCodelet("Scale", {field("in", FieldDirection::Input, {{1, elements}}),
                              field("out", FieldDirection::Output, {{1, elements}})}),
        factor_(factor),
        elements_(elements) {}

  void compute(const VertexData& data) const override {
    const auto* in = data.as<float>(0, 0);
    auto* out = data.as<float>(1, 0);
    for (std::uint64_t i = 0; i < elements_; ++i) out[i] = factor_ * in[i];
  }

 private:
  float factor_;
  std::uint64_t elements_;
};

/// sum[i] += in[i]. Fields: 0 "sum", 1 "in".
class Accumulate : public TestCodelet {
 public:
  explicit Accumulate(std::uint64_t elements)
      : TestCodelet("Accumulate", {field("sum", FieldDirection::InOut, {{1, elements}}),
                                   field("in", FieldDirection::Input, {{1, elements}})}),
        elements_(elements) {}

  void compute(const VertexData& data) const override {
    auto* sum = data.as<float>(0, 0);
    const auto* in = data.as<float>(1, 0);
    for (std::uint64_t i = 0; i < elements_; ++i) sum[i] += in[i];
  }

 private:
  std::uint64_t elements_;
};

/// The edges of "in" as digits: out = sum over edges e of (e + 1) * sum of the edge's elements, so
/// that an edge out of its place shows. Fields: 0 "in", 1 "out".
class WeightedSum : public TestCodelet {
 public:
  explicit WeightedSum(const EdgeGroups& groups)
      : TestCodelet("WeightedSum", {field("in", FieldDirection::Input, groups),
                                    field("out", FieldDirection::Output, {{1, 1}})}),
        groups_(groups) {}

  void compute(const VertexData& data) const override {
    float sum = 0;
    std::uint64_t edge = 0;
    for (const EdgeGroup& group : groups_) {
      for (std::uint64_t i = 0; i < group.count; ++i, ++edge) {
        const auto* in = data.as<float>(0, edge);
        for (std::uint64_t e = 0; e < group.elements; ++e) {
          sum += static_cast<float>(edge + 1) * in[e];
        }
      }
    }
    *data.as<float>(1, 0) = sum;
  }

 private:
  EdgeGroups groups_;
};

}  // namespace ipusim::workloads
