// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "tests/fuzz/inputs.h"
#include "workloads/sources/onnx/onnx_import.h"
#include "workloads/sources/onnx/onnx_model.h"

namespace ipusim::fuzz {

void onnx(std::string_view bytes) {
  expectOneLine([&] {
    try {
      workloads::importOnnx(workloads::parseOnnxModel(bytes, "fuzz"), {});
    } catch (const workloads::OnnxError& error) {
      throw ConfigError(error.what());
    }
  });
}

}  // namespace ipusim::fuzz
