# Headers of others that most files include, compiled once. Tests use them always. The libraries do
# in builds with clang++ whose code is not optimised: there half of the time goes into headers. g++
# gains nothing by it where it optimises.

# Makes the target NAME, whose HEADERS other targets may use precompiled. LINKS are the libraries of
# those headers, OPTIONS the flags that those targets have beside the common ones.
function(ipusim_precompiled name)
  cmake_parse_arguments(PRECOMPILED "" "" "HEADERS;LINKS;OPTIONS" ${ARGN})
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ipusim_warnings ${PRECOMPILED_LINKS})
  target_compile_options(${name} PRIVATE ${PRECOMPILED_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${PRECOMPILED_HEADERS})
endfunction()

# Lets a target use the headers that `name` has precompiled, if any.
function(ipusim_use_precompiled target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

# What most files of the libraries include.
set(IPUSIM_COMMON_HEADERS
  <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <numeric>
  <optional> <set> <string> <string_view> <unordered_map> <utility> <variant> <vector>
  <boost/container/small_vector.hpp> <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)
set(IPUSIM_COMMON_LINKS Boost::headers fmt::fmt nlohmann_json::nlohmann_json)
