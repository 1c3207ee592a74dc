# Warnings for the code of this project only. The presets add -Werror.
add_library(ipusim_warnings INTERFACE)
target_compile_options(ipusim_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual)
# g++ 12 reports false overflows for boost::container::small_vector, in Boost's own headers.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(ipusim_warnings INTERFACE -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-use-after-free)
endif()
# Sources that are compiled together are one file to g++: a class of one of them may have members of
# private types.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND IPUSIM_UNITY)
  target_compile_options(ipusim_warnings INTERFACE -Wno-subobject-linkage)
endif()
# A fuzzer finds its way by the branches that it sees taken, so all code of the project reports
# them.
if(IPUSIM_FUZZERS)
  target_compile_options(ipusim_warnings INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all)
  target_link_options(ipusim_warnings INTERFACE -fsanitize=address,undefined)
endif()

# The layers, bottom up: name | files | the layers right below | the option IPUSIM_… that the layer
# needs, if any. A layer may include the layers below it, and all layers below those. This table
# makes the libraries. tests/layering/layers.py compares the includes of the tree with it.
set(IPUSIM_LAYERS
  "base           | base/*                     |"
  "tile_compiler  | poplar/tile_compiler/*     | base"
  "codelet_count  | poplar/codelets/count/* poplar/codelets/vertex_type.* poplar/codelets/compile_error.h | tile_compiler | LLVM"
  "machine        | models/ipu/machine/*       | base"
  "cost           | models/ipu/cost/*          | machine"
  "energy         | models/ipu/energy/*        | machine"
  "program        | models/ipu/program/*       | machine"
  "closed_form    | models/ipu/engines/closed_form/* | program"
  "chip           | models/ipu/engines/chip/* | program"
  "pod            | models/ipu/engines/pod/* | chip"
  "gpu            | models/gpu/*               | base"
  "graph          | workloads/graph/*          | cost"
  "vertices       | workloads/vertices/*       | graph"
  "codelets       | poplar/codelets/*          | codelet_count | LLVM"
  "conv_planner   | workloads/ops/conv/planner/* workloads/ops/matmul/plan.* | cost"
  "embedding_planner | workloads/ops/gather/planner/* workloads/ops/placement/ranges.* | conv_planner"
  "reduce_planner | workloads/ops/reduce/planner/* | cost"
  "ops            | workloads/ops/*            | vertices embedding_planner reduce_planner gpu"
  "sources        | workloads/sources/*        | ops"
  "networks       | workloads/networks/*       | ops | NETWORKS"
  "network_sources | workloads/sources/layer_programs.* workloads/sources/network_* workloads/sources/named/butterfly.* workloads/sources/named/codec.* workloads/sources/named/conv.* workloads/sources/named/linear.* workloads/sources/named/message_passing.* workloads/sources/named/mlp_training.* workloads/sources/named/shl_training.* workloads/sources/named/structured_layer.* workloads/sources/named/parts/classifier.* workloads/sources/named/parts/conv_options.* workloads/sources/named/parts/layer.* workloads/sources/named/parts/message_passing_body.* workloads/sources/named/parts/structured_layers.* workloads/sources/text/* | networks sources | NETWORKS"
  "onnx_source    | workloads/sources/onnx/*   | network_sources | ONNX"
  "trace_source   | workloads/sources/trace/*  | sources | TRACES"
  "topology       | sim/interop/topology/*     | network_sources | NETWORKS"
  "registry       | sim/registry/*             | onnx_source topology trace_source sources"
  "compile        | sim/compile/*              | vertices program"
  "execute        | sim/execute/*              | compile"
  "run            | sim/run/*                  | execute pod closed_form registry energy"
  "report         | sim/report/*               | run"
  "page           | sim/report/page/* sim/report/timeline/* sim/report/diff/* | report | PAGE"
  "interop        | sim/interop/*              | report | TRACES"
  "parallel       | sim/parallel/*             | page interop | SYSTEMS"
  "answer         | sim/answer/*              | parallel"
  "record         | sim/record/*               | pod closed_form"
  "poplar         | poplar/runtime/* poplar/include/* | page interop codelets record | LLVM"
  "validate       | sim/studies/validate/*     | answer | STUDIES"
  "calibrate      | sim/studies/calibrate/*    | validate | STUDIES"
  "sweep          | sim/studies/sweep/*        | answer | SWEEP"
  "search         | sim/studies/search/*       | sweep | STUDIES"
  "reproduce      | sim/studies/reproduce/*    | validate sweep | STUDIES"
  "cli            | sim/cli/*                  | validate calibrate search reproduce sweep answer page interop record"
  "absent         | sim/absent/*               | cli"
)

# The public headers by the layer that each belongs to: include/ipusim/NAME.h, or all of a folder.
set(IPUSIM_PUBLIC_HEADERS
  "base     | version units ids error activity"
  "machine  | machine element_type vertex_kind"
  "program  | tile_program memory_use step_kind observer"
  "chip     | chip"
  "vertices | vertex_table"
  "compile  | compile"
  "execute  | execute"
  "run      | predict result"
  "answer   | run_config"
  "graph    | section tensor program vertex_type graph reference verify"
)

# Sets `result` to the layers right below layer `name`. In place of a layer whose option is off stand
# those below it.
function(ipusim_layers_below name result)
  set(built "")
  foreach(row IN LISTS IPUSIM_LAYERS)
    string(REGEX MATCH "^([a-z_]+) +\\|[^|]+\\|([^|]*)\\|? ?([A-Z]*)$" row "${row}")
    if(CMAKE_MATCH_1 STREQUAL name)
      set(below "")
      string(REGEX MATCHALL "[a-z_]+" listed "${CMAKE_MATCH_2}")
      foreach(layer IN LISTS listed)
        if(NOT layer IN_LIST built)
          ipusim_layers_below(${layer} layer)
        endif()
        list(APPEND below ${layer})
      endforeach()
      list(REMOVE_DUPLICATES below)
      set(${result} ${below} PARENT_SCOPE)
      return()
    elseif("${CMAKE_MATCH_3}" STREQUAL "" OR IPUSIM_${CMAKE_MATCH_3})
      list(APPEND built ${CMAKE_MATCH_1})
    endif()
  endforeach()
  message(FATAL_ERROR "cmake/Layers.cmake has no layer ${name}")
endfunction()

# Sets `result` to layer `name` and all layers below it.
function(ipusim_layers_under name result)
  set(found ${name})
  ipusim_layers_below(${name} open)
  while(open)
    list(POP_FRONT open layer)
    if(NOT layer IN_LIST found)
      list(APPEND found ${layer})
      ipusim_layers_below(${layer} below)
      list(APPEND open ${below})
    endif()
  endwhile()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Makes the library of a layer of the table. LINKS are libraries of others. The code of a layer that
# is COLD, whose time no user waits for, is optimised less: it compiles faster. That of a HOT layer,
# where runs spend their time, is optimised more. The code fits into a shared library, at no cost to
# the program: no other library may replace its functions.
function(ipusim_layer name)
  cmake_parse_arguments(LAYER "COLD;HOT" "" "SOURCES;LINKS" ${ARGN})
  ipusim_layers_below(${name} below)
  list(TRANSFORM below PREPEND "ipusim_")
  add_library(ipusim_${name} STATIC ${LAYER_SOURCES})
  set_target_properties(ipusim_${name} PROPERTIES UNITY_BUILD ${IPUSIM_UNITY} UNITY_BUILD_BATCH_SIZE ${IPUSIM_BATCH})
  if(LAYER_COLD)
    target_compile_options(ipusim_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(LAYER_HOT)
    target_compile_options(ipusim_${name} PRIVATE $<$<CONFIG:Release>:-O3>)
  endif()
  target_include_directories(ipusim_${name} PUBLIC
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
  target_link_libraries(ipusim_${name} PUBLIC ${below} ${LAYER_LINKS} PRIVATE ipusim_warnings)
  ipusim_use_precompiled(ipusim_${name} ipusim_precompiled)
  if(BUILD_SHARED_LIBS OR IPUSIM_PYTHON)
    set_target_properties(ipusim_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(ipusim_${name} PRIVATE -fno-semantic-interposition)
  endif()
endfunction()

# Makes a libFuzzer target (clang), fuzz/fuzz_NAME in the build tree. It calls the function CALLS, by
# default NAME, of NAME.cpp; its seeds are in corpus/NAME, and those of NAME_check in corpus/NAME too.
function(ipusim_fuzzer name)
  cmake_parse_arguments(FUZZER "" "CALLS" "SOURCES;USES" ${ARGN})
  if(NOT FUZZER_CALLS)
    set(FUZZER_CALLS ${name})
  endif()
  add_executable(fuzz_${name} fuzz_target.cpp ${name}.cpp ${FUZZER_SOURCES})
  target_compile_definitions(fuzz_${name} PRIVATE IPUSIM_FUZZ_INPUT=${FUZZER_CALLS})
  target_link_libraries(fuzz_${name} PRIVATE ${FUZZER_USES} ipusim_warnings)
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(fuzz_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endfunction()
