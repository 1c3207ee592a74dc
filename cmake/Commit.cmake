# The commit that a program is built from. Each build asks for it. Its file is written only when the
# answer is another: one small source is compiled then, and the programs are linked again.
if(CMAKE_SCRIPT_MODE_FILE)
  if(NOT COMMIT AND EXISTS ${TREE}/.git)
    execute_process(
      COMMAND git -c safe.directory=${TREE} --no-optional-locks describe --always --dirty --abbrev=12
      WORKING_DIRECTORY ${TREE} OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT COMMIT)
    set(COMMIT unknown)
  endif()
  file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT [[
extern "C" {
extern const char ipusim_commit[];
const char ipusim_commit[] = "@COMMIT@";
}
]])
  return()
endif()

set(IPUSIM_COMMIT "" CACHE STRING "the commit, where the tree is a copy without .git")
add_custom_target(ipusim_commit_text
  COMMAND ${CMAKE_COMMAND} -D TREE=${PROJECT_SOURCE_DIR} -D COMMIT=${IPUSIM_COMMIT}
    -D OUT=${CMAKE_BINARY_DIR}/commit.cpp -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${CMAKE_BINARY_DIR}/commit.cpp
  COMMENT "Asking for the commit"
  VERBATIM)
# base/version.cpp reads it where it is linked. Tests do without, and are not linked again.
add_library(ipusim_commit OBJECT ${CMAKE_BINARY_DIR}/commit.cpp)
set_target_properties(ipusim_commit PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_dependencies(ipusim_commit ipusim_commit_text)
