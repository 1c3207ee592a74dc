# Writes a file that gives ctest one entry for each suite of a program of tests: PREFIX.SUITE. A
# process for each test would take longer than most tests.
#   cmake -DPROGRAM=... -DPREFIX=... -DLABEL=... -DSKIPPED=... -DFOLDER=... -DLIST=... [-DCACHE=...]
#     -P ListSuites.cmake
# SKIPPED is what the program returns when it skipped all tests; FOLDER is where it runs. CACHE is
# where it keeps what it compiles.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests
  WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
# A line of a suite starts at its margin. The values of parameters, which follow the names of tests,
# may have any characters.
string(REGEX MATCHALL "\n[A-Za-z0-9_/]+\\.[ \n]" suites "\n${listed}")
set(entries "")
set(environment "")
if(CACHE)
  set(environment " ENVIRONMENT [==[XDG_CACHE_HOME=${CACHE}]==]")
endif()
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "[ \n.]" "" suite "${suite}")
  string(APPEND entries
    "add_test([==[${PREFIX}.${suite}]==] [==[${PROGRAM}]==] [==[--gtest_filter=${suite}.*]==])\n"
    "set_tests_properties([==[${PREFIX}.${suite}]==] PROPERTIES LABELS ${LABEL}"
    " WORKING_DIRECTORY [==[${FOLDER}]==] SKIP_RETURN_CODE ${SKIPPED}${environment})\n")
endforeach()
file(WRITE ${LIST} "${entries}")
