// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/vertex_reader.h"

#include <fmt/format.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "poplar/codelets/compile_error.h"
#include "poplar/codelets/count/type_reader.h"

namespace ipusim::codelets {

namespace {

namespace dwarf = llvm::dwarf;

constexpr std::uint64_t kFieldByteBits = 8;

/// In the order of poplar::VectorLayout in poplar/device/include/poplar/InOutTypes.hpp.
constexpr std::array kVectorLayouts{VectorLayout::NotVector,    VectorLayout::Span,
                                    VectorLayout::ShortSpan,    VectorLayout::OnePtr,
                                    VectorLayout::ScaledPtr32,  VectorLayout::ScaledPtr64,
                                    VectorLayout::ScaledPtr128, VectorLayout::CompactPtr};
/// In the order of poplar::VectorListLayout there.
constexpr std::array kListLayouts{VectorLayout::NotVector,      VectorLayout::OnePtr,
                                  VectorLayout::ScaledPtr32,    VectorLayout::ScaledPtr64,
                                  VectorLayout::ScaledPtr128,   VectorLayout::DeltaN,
                                  VectorLayout::DeltaNElements, VectorLayout::CompactDeltaN};

/// Assembly whose text is empty only holds the compiler back.
bool isAssembly(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || !call->isInlineAsm()) return false;
  return !llvm::cast<llvm::InlineAsm>(call->getCalledOperand())->getAsmString().empty();
}

void refuseAssembly(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (!isAssembly(instruction)) continue;
    const llvm::DebugLoc& place = instruction.getDebugLoc();
    throw CompileError(
        fmt::format("{}:{}: inline assembly of the tile is not executed here; wanted C++",
                    place ? place->getFilename().str() : "", place ? place.getLine() : 0));
  }
}

/// True for the member that a base class is.
bool isBase(const llvm::DIDerivedType& member) {
  return member.getTag() == dwarf::DW_TAG_inheritance;
}

FieldKind edgeKind(const llvm::DIType* type) {
  if (isPoplar(type, "Input")) return FieldKind::Input;
  if (isPoplar(type, "Output")) return FieldKind::Output;
  if (isPoplar(type, "InOut")) return FieldKind::InOut;
  return FieldKind::State;
}

void readAttributes(const llvm::DIType* vector, Field& field) {
  field.element = elementOfType(typeParameter(vector, "T"));
  field.min_align = static_cast<std::uint32_t>(valueParameter(vector, "MinAlign"));
  field.interleaved = valueParameter(vector, "Interleaved") != 0;
}

/// A vector of elements, or of edges that are its rows.
void readVector(const llvm::DIType* vector, Field& field) {
  field.layout = kVectorLayouts.at(valueParameter(vector, "Layout"));
  const llvm::DIType* const inner = typeParameter(vector, "T");
  const FieldKind row_kind = edgeKind(inner);
  if (row_kind == FieldKind::State) {
    field.shape = FieldShape::Vector;
    readAttributes(vector, field);
    return;
  }
  field.kind = row_kind;
  field.shape = FieldShape::VectorList;
  const llvm::DIType* const row = typeParameter(inner, "T");
  if (isPoplar(row, "Vector")) {
    readAttributes(row, field);
    field.rows = kVectorLayouts.at(valueParameter(row, "Layout"));
  } else {
    field.element = elementOfType(row);
    field.min_align = alignmentOfType(row);
    field.rows = VectorLayout::OnePtr;
  }
}

void readMember(const llvm::DIType* type, Field& field) {
  field.min_align = alignmentOfType(type);
  const auto* const array = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (array != nullptr && array->getTag() == dwarf::DW_TAG_array_type) {
    field.element = elementOfType(array->getBaseType());
    field.extent = field.element.bytes == 0 ? 0 : field.bytes / field.element.bytes;
    return;
  }
  field.element = elementOfType(type);
  if (field.bytes == 0) field.bytes = field.element.bytes;
}

Field readField(const llvm::DIType* type) {
  type = plainType(type);
  Field field;
  field.bytes = bytesOfType(type);
  field.kind = edgeKind(type);
  const llvm::DIType* const inside =
      field.kind == FieldKind::State ? type : typeParameter(type, "T");
  if (isPoplar(inside, "Vector")) {
    readVector(inside, field);
  } else if (isPoplar(inside, "VectorList")) {
    readAttributes(inside, field);
    field.shape = FieldShape::VectorList;
    field.layout = kListLayouts.at(valueParameter(inside, "Layout"));
    field.rows = VectorLayout::Span;
  } else if (field.kind == FieldKind::State) {
    readMember(type, field);
  } else {
    field.element = elementOfType(inside);
    field.min_align = alignmentOfType(inside);
  }
  return field;
}

void readFields(const llvm::DIType* type, std::uint64_t offset_bits, std::vector<Field>& fields) {
  forEachMember(type, [&](const llvm::DIDerivedType& member) {
    const std::uint64_t at = offset_bits + member.getOffsetInBits();
    if (isBase(member)) {
      readFields(plainType(member.getBaseType()), at, fields);
      return;
    }
    if (member.getTag() != dwarf::DW_TAG_member || member.isStaticMember()) return;
    Field field = readField(member.getBaseType());
    field.name = member.getName().str();
    field.offset = static_cast<std::uint32_t>(at / kFieldByteBits);
    fields.push_back(std::move(field));
  });
}

/// The first value that `of` gives for a base class of the type.
template <typename Of>
auto firstOfBases(const llvm::DIType* type, const Of& of) {
  decltype(of(type)) found{};
  forEachMember(type, [&](const llvm::DIDerivedType& member) {
    if (!found && isBase(member)) found = of(plainType(member.getBaseType()));
  });
  return found;
}

/// The class of poplar that the type derives from; none where it is no vertex.
std::optional<VertexClass> classOf(const llvm::DIType* type) {
  if (isPoplar(type, "Vertex")) return VertexClass::Vertex;
  if (isPoplar(type, "MultiVertex")) return VertexClass::MultiVertex;
  if (isPoplar(type, "SupervisorVertex")) return VertexClass::Supervisor;
  return firstOfBases(type, [](const llvm::DIType* base) { return classOf(base); });
}

class VertexReader {
 public:
  explicit VertexReader(const llvm::Module& module) {
    types_.processModule(module);
    for (const llvm::Function& function : module) {
      refuseAssembly(function);
      if (!function.isDeclaration() && !function.hasInternalLinkage()) noteCompute(function);
    }
  }

  [[nodiscard]] std::vector<VertexType> read() const {
    std::vector<VertexType> found;
    for (const llvm::DIType* const type : types_.types()) {
      if (auto vertex = readClass(type)) found.push_back(std::move(*vertex));
    }
    std::sort(found.begin(), found.end(), [](const VertexType& a, const VertexType& b) {
      return std::tie(a.file, a.line, a.name) < std::tie(b.file, b.line, b.name);
    });
    return found;
  }

 private:
  struct Compute {
    std::string symbol;
    bool returns_value = true;
  };

  void noteCompute(const llvm::Function& function) {
    const llvm::DISubprogram* const definition = function.getSubprogram();
    if (definition == nullptr || definition->getName() != "compute") return;
    const llvm::DITypeRefArray types = definition->getType()->getTypeArray();
    const bool returns = types.size() > 0 && types[0] != nullptr;
    const llvm::DISubprogram* const declaration = definition->getDeclaration();
    const llvm::DIScope* const owner =
        (declaration == nullptr ? definition : declaration)->getScope();
    computes_.emplace(owner, Compute{function.getName().str(), returns});
  }

  /// The compute() of the class, or else of the first base that has one.
  [[nodiscard]] const Compute* computeOf(const llvm::DIType* type) const {
    const auto own = computes_.find(type);
    if (own != computes_.end()) return &own->second;
    return firstOfBases(type, [this](const llvm::DIType* base) { return computeOf(base); });
  }

  [[nodiscard]] std::optional<VertexType> readClass(const llvm::DIType* type) const {
    const bool is_class = type->getTag() == dwarf::DW_TAG_class_type ||
                          type->getTag() == dwarf::DW_TAG_structure_type;
    if (!is_class || type->isForwardDecl()) return std::nullopt;
    const auto kind = classOf(type);
    const Compute* const compute = kind ? computeOf(type) : nullptr;
    if (compute == nullptr) return std::nullopt;
    VertexType vertex;
    vertex.name = nameOfType(type);
    vertex.kind = *kind;
    vertex.bytes = bytesOfType(type);
    vertex.alignment = alignmentOfType(type);
    readFields(type, 0, vertex.fields);
    vertex.file = type->getFilename().str();
    vertex.line = type->getLine();
    vertex.symbol = compute->symbol;
    vertex.returns_value = compute->returns_value;
    return vertex;
  }

  llvm::DebugInfoFinder types_;
  std::unordered_map<const llvm::DIScope*, Compute> computes_;  ///< by class
};

}  // namespace

std::vector<VertexType> readVertices(const llvm::Module& module) {
  return VertexReader(module).read();
}

}  // namespace ipusim::codelets
