# How tests are built: the sources of a folder are compiled several at a time, and the objects of
# many folders are linked into one program, for a link takes longer than most tests.

# How many sources are compiled together at most.
set(IPUSIM_TEST_BATCH 16)

# A test runs for less time than its compiler: full optimisation would make that a quarter longer.
# Without any, searches that tests repeat take ten times as long: the linker may take the inline
# functions of a program from its tests.
set(IPUSIM_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)

# What a program returns when it skipped all of its tests.
set(IPUSIM_ALL_SKIPPED 77)

# Adds tests to a program. LABEL is the question that they answer, as CONTRIBUTING.md has them.
# PROGRAM is the program, by default that of the label; all tests of a program have the same label.
# USES are the libraries that they test, NEEDS the targets that they run. NAME_tests_alone is a
# program of these tests only, and not part of the build.
function(ipusim_test name)
  cmake_parse_arguments(TEST "" "LABEL;PROGRAM" "SOURCES;USES;NEEDS" ${ARGN})
  if(NOT TEST_PROGRAM)
    set(TEST_PROGRAM ${TEST_LABEL})
  endif()
  ipusim_test_code(${name}_tests OBJECT SOURCES ${TEST_SOURCES} USES ${TEST_USES})
  set_property(GLOBAL APPEND PROPERTY IPUSIM_TEST_PROGRAMS ${TEST_PROGRAM})
  set_property(GLOBAL PROPERTY IPUSIM_TEST_LABEL_${TEST_PROGRAM} ${TEST_LABEL})
  set_property(GLOBAL APPEND PROPERTY IPUSIM_TEST_CODE_${TEST_PROGRAM} ${name}_tests)
  set_property(GLOBAL APPEND PROPERTY IPUSIM_TEST_NEEDS_${TEST_PROGRAM} ${TEST_NEEDS})

  add_executable(${name}_tests_alone EXCLUDE_FROM_ALL)
  target_link_libraries(${name}_tests_alone PRIVATE ${name}_tests ipusim_test_main)
  if(TEST_NEEDS)
    add_dependencies(${name}_tests_alone ${TEST_NEEDS})
  endif()
endfunction()

# Makes a library of KIND from code that tests share, or the objects of tests.
function(ipusim_test_code name kind)
  cmake_parse_arguments(CODE "" "" "SOURCES;USES" ${ARGN})
  add_library(${name} ${kind} ${CODE_SOURCES})
  set_target_properties(${name} PROPERTIES
    UNITY_BUILD ${IPUSIM_UNITY} UNITY_BUILD_BATCH_SIZE ${IPUSIM_TEST_BATCH})
  target_link_libraries(${name} PUBLIC ${CODE_USES} GTest::gmock PRIVATE ipusim_warnings)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${name} PRIVATE ${IPUSIM_TEST_OPTIONS})
  ipusim_use_precompiled(${name} ipusim_precompiled_tests)
endfunction()

# Makes the programs that ipusim_test() was called for: test_PROGRAM, in the folder of the caller,
# and label_LABEL, the target of all programs with a label.
# The tests run in the source tree, so that they find configs/.
function(ipusim_test_programs)
  get_property(programs GLOBAL PROPERTY IPUSIM_TEST_PROGRAMS)
  list(REMOVE_DUPLICATES programs)
  foreach(program IN LISTS programs)
    get_property(label GLOBAL PROPERTY IPUSIM_TEST_LABEL_${program})
    get_property(code GLOBAL PROPERTY IPUSIM_TEST_CODE_${program})
    get_property(needs GLOBAL PROPERTY IPUSIM_TEST_NEEDS_${program})
    add_executable(test_${program})
    target_link_libraries(test_${program} PRIVATE ${code} ipusim_test_main)
    if(needs)
      add_dependencies(test_${program} ${needs})
    endif()
    if(NOT TARGET label_${label})
      add_custom_target(label_${label})
    endif()
    add_dependencies(label_${label} test_${program})
    ipusim_list_suites(test_${program} ${program} ${label})
  endforeach()
endfunction()

# Gives ctest one entry for each suite of a program. The program is asked for them when it was built.
function(ipusim_list_suites target prefix label)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.suites.cmake)
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${target}> -DPREFIX=${prefix} -DLABEL=${label}
      -DSKIPPED=${IPUSIM_ALL_SKIPPED} -DFOLDER=${PROJECT_SOURCE_DIR} -DLIST=${list}
      -DCACHE=$<$<STREQUAL:${prefix},poplar>:${PROJECT_BINARY_DIR}/codelet_cache>
      -P ${PROJECT_SOURCE_DIR}/cmake/ListSuites.cmake
    BYPRODUCTS ${list}
    VERBATIM)
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${target}.include.cmake)
  file(WRITE ${include}
    "if(EXISTS [==[${list}]==])\n  include([==[${list}]==])\n"
    "else()\n  add_test([==[${prefix}.NotBuilt]==] [==[${target}]==])\n"
    "  set_tests_properties([==[${prefix}.NotBuilt]==] PROPERTIES LABELS ${label})\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()
