// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/type_reader.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace ipusim::codelets {

namespace {

namespace dwarf = llvm::dwarf;

constexpr std::uint32_t kPointerBytes = 4;
constexpr std::uint32_t kByteBits = 8;
/// The widest load of the tile.
constexpr std::uint32_t kMostAlignment = 8;

bool hasTag(const llvm::DINode* node, std::initializer_list<dwarf::Tag> tags) {
  return node != nullptr && std::find(tags.begin(), tags.end(), node->getTag()) != tags.end();
}

const llvm::DIType* baseOf(const llvm::DIType* type) {
  if (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type))
    return derived->getBaseType();
  if (const auto* whole = llvm::dyn_cast_or_null<llvm::DICompositeType>(type))
    return whole->getBaseType();
  return nullptr;
}

ElementKind kindOf(const llvm::DIBasicType& type) {
  switch (type.getEncoding()) {
    case dwarf::DW_ATE_boolean:
      return ElementKind::Bool;
    case dwarf::DW_ATE_float:
      return ElementKind::Floating;
    case dwarf::DW_ATE_unsigned:
    case dwarf::DW_ATE_unsigned_char:
    case dwarf::DW_ATE_UTF:
      return ElementKind::Unsigned;
    default:
      return ElementKind::Signed;
  }
}

const llvm::ConstantInt* numberOf(const llvm::DITemplateValueParameter& parameter) {
  return llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(parameter.getValue());
}

/// The names of the scopes around a type, each with `::` after it.
std::string scopesOf(const llvm::DIScope* scope) {
  if (const auto* space = llvm::dyn_cast_or_null<llvm::DINamespace>(scope))
    return scopesOf(space->getScope()) + space->getName().str() + "::";
  if (const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(scope))
    return nameOfType(type) + "::";
  return {};
}

/// The enumerator of the number, else the number.
std::string enumeratorOf(const llvm::DICompositeType& type, const llvm::ConstantInt& number) {
  const llvm::APInt& value = number.getValue();
  for (const llvm::DINode* const element : type.getElements()) {
    const auto* const each = llvm::dyn_cast_or_null<llvm::DIEnumerator>(element);
    if (each != nullptr && each->getValue().sextOrTrunc(value.getBitWidth()) == value)
      return nameOfType(&type) + "::" + each->getName().str();
  }
  return llvm::toString(value, /*Radix=*/10, /*Signed=*/true);
}

/// A value that is no number has the name that the code gives it.
std::string valueName(const llvm::DITemplateValueParameter& parameter) {
  if (const llvm::ConstantInt* const number = numberOf(parameter)) {
    const llvm::DIType* const type = plainType(parameter.getType());
    const auto* const basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type);
    if (basic != nullptr && kindOf(*basic) == ElementKind::Bool)
      return number->isZero() ? "false" : "true";
    if (hasTag(type, {dwarf::DW_TAG_enumeration_type}))
      return enumeratorOf(*llvm::cast<llvm::DICompositeType>(type), *number);
    return llvm::toString(number->getValue(), /*Radix=*/10, /*Signed=*/true);
  }
  if (const auto* const text = llvm::dyn_cast_or_null<llvm::MDString>(parameter.getValue()))
    return text->getString().str();
  std::string name;
  llvm::raw_string_ostream out(name);
  if (const auto* const value =
          llvm::mdconst::dyn_extract_or_null<llvm::Constant>(parameter.getValue()))
    value->printAsOperand(out, /*PrintType=*/false);
  return out.str();
}

std::string parametersOf(const llvm::MDNode* list);

std::string parameterName(const llvm::Metadata* each) {
  if (const auto* type = llvm::dyn_cast_or_null<llvm::DITemplateTypeParameter>(each))
    return nameOfType(type->getType());
  const auto* const value = llvm::dyn_cast_or_null<llvm::DITemplateValueParameter>(each);
  if (value == nullptr) return {};
  if (hasTag(value, {dwarf::DW_TAG_GNU_template_parameter_pack}))
    return parametersOf(llvm::dyn_cast_or_null<llvm::MDNode>(value->getValue()));
  return valueName(*value);
}

std::string parametersOf(const llvm::MDNode* list) {
  std::string names;
  if (list == nullptr) return names;
  for (const llvm::MDOperand& each : list->operands()) {
    const std::string name = parameterName(each.get());
    names += (names.empty() || name.empty() ? "" : ",") + name;
  }
  return names;
}

const llvm::DITemplateParameter* parameterOf(const llvm::DIType* type, std::string_view name) {
  const auto* const whole = llvm::dyn_cast_or_null<llvm::DICompositeType>(type);
  if (whole == nullptr) return nullptr;
  for (const llvm::DITemplateParameter* const each : whole->getTemplateParams()) {
    if (each->getName() == llvm::StringRef(name)) return each;
  }
  return nullptr;
}

std::string_view withoutParameters(llvm::StringRef name) {
  return std::string_view(name).substr(0, name.find('<'));
}

std::uint32_t alignmentOfMembers(const llvm::DIType* type) {
  std::uint32_t most = 1;
  forEachMember(type, [&](const llvm::DIDerivedType& member) {
    if (!member.isStaticMember()) most = std::max(most, alignmentOfType(member.getBaseType()));
  });
  return most;
}

}  // namespace

const llvm::DIType* plainType(const llvm::DIType* type) {
  while (
      hasTag(type, {dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type}))
    type = baseOf(type);
  return type;
}

std::string nameOfType(const llvm::DIType* type) {
  type = plainType(type);
  if (type == nullptr) return {};
  if (hasTag(type, {dwarf::DW_TAG_pointer_type})) return nameOfType(baseOf(type)) + " *";
  if (type->getName() == "_Float16") return "half";
  std::string whole = scopesOf(type->getScope()) + std::string(withoutParameters(type->getName()));
  const auto* const composite = llvm::dyn_cast<llvm::DICompositeType>(type);
  const llvm::MDNode* const parameters =
      composite == nullptr ? nullptr : composite->getTemplateParams().get();
  if (parameters != nullptr) whole += "<" + parametersOf(parameters) + ">";
  return whole;
}

std::uint32_t bytesOfType(const llvm::DIType* type) {
  const llvm::DIType* const plain = plainType(type);
  return plain == nullptr ? 0 : static_cast<std::uint32_t>(plain->getSizeInBits() / kByteBits);
}

std::uint32_t alignmentOfType(const llvm::DIType* type) {
  if (type == nullptr) return 1;
  if (type->getAlignInBits() != 0) return type->getAlignInBits() / kByteBits;
  if (llvm::isa<llvm::DIBasicType>(type)) return std::max(bytesOfType(type), 1U);
  if (hasTag(type, {dwarf::DW_TAG_pointer_type, dwarf::DW_TAG_reference_type}))
    return kPointerBytes;
  if (hasTag(type, {dwarf::DW_TAG_array_type}) && type->isVector())
    return std::min(bytesOfType(type), kMostAlignment);
  if (hasTag(type,
             {dwarf::DW_TAG_class_type, dwarf::DW_TAG_structure_type, dwarf::DW_TAG_union_type}))
    return alignmentOfMembers(type);
  return alignmentOfType(baseOf(type));
}

Element elementOfType(const llvm::DIType* type) {
  type = plainType(type);
  while (hasTag(type, {dwarf::DW_TAG_enumeration_type}) && baseOf(type) != nullptr)
    type = plainType(baseOf(type));
  Element element{nameOfType(type), ElementKind::Struct, bytesOfType(type)};
  if (const auto* const basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(type))
    element.kind = kindOf(*basic);
  if (hasTag(type, {dwarf::DW_TAG_pointer_type})) element.bytes = kPointerBytes;
  return element;
}

bool isPoplar(const llvm::DIType* type, std::string_view name) {
  return type != nullptr && withoutParameters(type->getName()) == name &&
         scopesOf(type->getScope()) == "poplar::";
}

const llvm::DIType* typeParameter(const llvm::DIType* type, std::string_view name) {
  const llvm::DITemplateParameter* const found = parameterOf(type, name);
  return found == nullptr ? nullptr : plainType(found->getType());
}

std::uint64_t valueParameter(const llvm::DIType* type, std::string_view name) {
  const auto* const found =
      llvm::dyn_cast_or_null<llvm::DITemplateValueParameter>(parameterOf(type, name));
  const llvm::ConstantInt* const number = found == nullptr ? nullptr : numberOf(*found);
  return number == nullptr ? 0 : number->getZExtValue();
}

}  // namespace ipusim::codelets
