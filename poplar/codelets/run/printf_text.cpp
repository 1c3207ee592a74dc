// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/printf_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "poplar/codelets/codelets.h"

namespace ipusim::codelets {

namespace {

/// The longest number that is shown, such as 1e308 with its digits, and its width.
constexpr std::size_t kNumberLength = 1024;

/// One conversion of a format, from its `%` to its letter.
struct Conversion {
  std::string flags;  ///< `%` with flags, width and precision
  bool is_long_long = false;
  char letter = '\0';
};

template <typename Value>
void append(std::string& text, const std::string& format, Value value) {
  std::array<char, kNumberLength> shown;
  const int length = std::snprintf(shown.data(), shown.size(), format.c_str(), value);
  if (length > 0) {
    text.append(shown.data(),
                std::min<std::size_t>(static_cast<std::size_t>(length), shown.size() - 1));
  }
}

/// The arguments, in an object so that they may be passed on by reference.
struct Arguments {
  va_list list;
};

/// Reads a conversion; `at` is that of its letter then.
Conversion readConversion(std::string_view format, std::size_t& at, Arguments& arguments) {
  Conversion conversion{"%"};
  for (++at; at < format.size(); ++at) {
    const char letter = format[at];
    if (letter == '*') {
      conversion.flags += std::to_string(va_arg(arguments.list, int));
    } else if (std::string_view("-+ #0123456789.").find(letter) != std::string_view::npos) {
      conversion.flags += letter;
    } else if (letter == 'l' || letter == 'j' || letter == 'q') {
      const bool is_second = at > 0 && format[at - 1] == 'l';
      conversion.is_long_long = conversion.is_long_long || is_second || letter != 'l';
    } else if (letter != 'h' && letter != 'z' && letter != 't' && letter != 'L') {
      conversion.letter = letter;
      break;
    }
  }
  return conversion;
}

void appendConversion(std::string& text, const Conversion& conversion, Arguments& arguments) {
  const char letter = conversion.letter;
  if (letter == 'd' || letter == 'i') {
    const long long value =
        conversion.is_long_long ? va_arg(arguments.list, long long) : va_arg(arguments.list, int);
    append(text, conversion.flags + "ll" + letter, value);
  } else if (std::string_view("uxXo").find(letter) != std::string_view::npos) {
    const unsigned long long value = conversion.is_long_long
                                         ? va_arg(arguments.list, unsigned long long)
                                         : va_arg(arguments.list, unsigned);
    append(text, conversion.flags + "ll" + letter, value);
  } else if (std::string_view("fFeEgGaA").find(letter) != std::string_view::npos) {
    append(text, conversion.flags + letter, va_arg(arguments.list, double));
  } else if (letter == 'c') {
    append(text, conversion.flags + letter, va_arg(arguments.list, int));
  } else if (letter == 'p') {
    append(text, conversion.flags + "#x", va_arg(arguments.list, unsigned));
  } else if (letter == 's') {
    append(text, conversion.flags + letter,
           reinterpret_cast<const char*>(byteAt(va_arg(arguments.list, unsigned))));
  } else if (letter == '%') {
    text += '%';
  }
}

}  // namespace

void appendPrintf(std::string& text, const char* format, va_list arguments) {
  Arguments rest;
  va_copy(rest.list, arguments);
  const std::string_view all = format;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (all[at] != '%') {
      text += all[at];
      continue;
    }
    const Conversion conversion = readConversion(all, at, rest);
    appendConversion(text, conversion, rest);
  }
  va_end(rest.list);
}

}  // namespace ipusim::codelets
