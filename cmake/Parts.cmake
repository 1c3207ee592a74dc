# The parts of the program: name | the parts that it needs. The launcher builds a part when it is first
# used; every other build has all of them. Sets IPUSIM_<PART> for each, and IPUSIM_ABSENT_PARTS.
set(IPUSIM_PARTS "all" CACHE STRING "parts of the program besides that of plain runs: all, or a list")
set(IPUSIM_PART_TABLE
  "networks |"
  "onnx     | networks"
  "traces   |"
  "page     |"
  "systems  | networks"
  "sweep    |"
  "studies  | networks systems sweep page traces onnx"
)
if(NOT IPUSIM_STUDIES AND IPUSIM_PARTS STREQUAL "all")
  set(IPUSIM_PARTS networks onnx traces page systems)
endif()

set(parts ${IPUSIM_PARTS})
foreach(row IN LISTS IPUSIM_PART_TABLE)
  string(REGEX MATCHALL "[a-z]+" names "${row}")
  list(POP_FRONT names part)
  if(part IN_LIST IPUSIM_PARTS)
    list(APPEND parts ${names})
  endif()
endforeach()
set(IPUSIM_ABSENT_PARTS "")
foreach(row IN LISTS IPUSIM_PART_TABLE)
  string(REGEX MATCH "[a-z]+" part "${row}")
  string(TOUPPER ${part} name)
  if(part IN_LIST parts OR IPUSIM_PARTS STREQUAL "all")
    set(IPUSIM_${name} ON)
  else()
    set(IPUSIM_${name} OFF)
    list(APPEND IPUSIM_ABSENT_PARTS ${part})
  endif()
endforeach()
