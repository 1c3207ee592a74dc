// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/units.h"
#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// Whether tensors fit the GPU's memory. A program that does not fit is an answer and no error.
struct Capacity {
  Bytes required;
  Bytes available;  ///< what context, allocator and ECC leave, rounded down
  [[nodiscard]] bool fits() const { return required <= available; }
};

Capacity capacityFor(const Machine& machine, Bytes required);

}  // namespace ipusim::gpu
