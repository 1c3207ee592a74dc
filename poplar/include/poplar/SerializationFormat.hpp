// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar {

enum class SerializationFormat { Binary, JSON };

}  // namespace poplar
