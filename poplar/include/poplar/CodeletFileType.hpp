// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar {

/// What a file of codelets holds. Auto goes by the ending of the name.
enum class CodeletFileType {
  PreprocessedAsmSource,
  AsmSource,
  CSource,
  CppSource,
  IrSource,
  Object,
  Auto
};

}  // namespace poplar
