# Writes a C++ source with the text of files as the constant NAME of namespace SPACE. Run as a script:
#   cmake -D OUT=FILE -D TEXTS=FILES -D HEADER=FILE -D SPACE=NAMESPACE -D NAME=NAME -P EmbedText.cmake
# The text stands in parts: a compiler need not take a literal of more than 65536 characters.
set(part_length 16000)
set(text "")
foreach(file IN LISTS TEXTS)
  file(READ ${file} part)
  string(APPEND text "${part}")
endforeach()
string(LENGTH "${text}" length)
file(WRITE ${OUT}.draft "// SPDX-License-Identifier: Apache-2.0
// Made by cmake/EmbedText.cmake.
#include \"${HEADER}\"

namespace ${SPACE} {

const std::string_view ${NAME} =\n")
set(begin 0)
while(begin LESS length)
  string(SUBSTRING "${text}" ${begin} ${part_length} part)
  file(APPEND ${OUT}.draft "R\"ipusim_text(")
  file(APPEND ${OUT}.draft "${part}")
  file(APPEND ${OUT}.draft ")ipusim_text\"\n")
  math(EXPR begin "${begin} + ${part_length}")
endwhile()
file(APPEND ${OUT}.draft ";\n\n}  // namespace ${SPACE}\n")
file(RENAME ${OUT}.draft ${OUT})
