// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ipusim/tensor.h"
#include "poplar/detail/tensor_api.hpp"
#include "poplar/runtime/shared.h"

namespace poplar::detail {

/// What tensors know of the variables of their graph. It may outlive the graph.
struct VariableNames {
  struct Variable {
    std::string name;
    bool is_constant;
  };

  std::vector<Variable> variables;
};

struct TensorData : Shared {
  TypeId type = TypeId::None;
  /// How many elements of the variables an element takes: the last dimension of `view`, which so
  /// has one even where the tensor has none.
  std::size_t unit = 1;
  ipusim::Tensor view;
  std::shared_ptr<const VariableNames> names;

  [[nodiscard]] std::size_t rank() const { return view.shape().size() - 1; }
  [[nodiscard]] std::size_t elements() const { return view.elements() / unit; }
  [[nodiscard]] std::string name() const;
  /// "NAME{3,4}".
  [[nodiscard]] std::string text() const;
};

/// A tensor over the same variables. Throws as `make` does, with the errors of this library.
template <typename Make>
TensorData* changed(const TensorData& tensor, const Make& make);

}  // namespace poplar::detail
