// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/interop/chakra/trace.h"

// The names that writer and reader of Chakra traces share.

namespace ipusim::interop::chakra {

constexpr std::array<const char*, 8> kNodeTypes = {
    "INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
    "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE"};

/// How the JSON form writes a value.
enum class ValueForm : std::uint8_t {
  Real,
  Whole,      ///< a number
  LongWhole,  ///< 64 bits: a text of digits
  Flag,
  Text,
};

struct ValueKind {
  std::string_view base;  ///< the field without its end "_val" or "_list"
  ValueForm form;
};

constexpr std::array<ValueKind, 15> kValueKinds = {{{"double", ValueForm::Real},
                                                    {"float", ValueForm::Real},
                                                    {"int32", ValueForm::Whole},
                                                    {"int64", ValueForm::LongWhole},
                                                    {"uint32", ValueForm::Whole},
                                                    {"uint64", ValueForm::LongWhole},
                                                    {"sint32", ValueForm::Whole},
                                                    {"sint64", ValueForm::LongWhole},
                                                    {"fixed32", ValueForm::Whole},
                                                    {"fixed64", ValueForm::LongWhole},
                                                    {"sfixed32", ValueForm::Whole},
                                                    {"sfixed64", ValueForm::LongWhole},
                                                    {"bool", ValueForm::Flag},
                                                    {"string", ValueForm::Text},
                                                    {"bytes", ValueForm::Text}}};

/// A field that holds a value: its kind, and whether it is a list.
struct ValueField {
  ValueForm form;
  bool is_list;
};

/// The field of that name, such as "int64_val"; nothing for other names.
std::optional<ValueField> valueField(std::string_view field);

}  // namespace ipusim::interop::chakra
