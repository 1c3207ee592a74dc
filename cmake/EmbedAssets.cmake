# Writes the C++ source that holds the files of a report page. Run as a script:
#   cmake -D OUT=FILE -D ASSETS=FOLDER -D COMMON=A.js,B.js -D RUN=C.js -D PARALLEL=D.js
#         -D POINTS=E.js -D CHANGES=F.js -D START=G.js -D VEGA=FOLDER -D VEGA_MODULES=util,time -P EmbedAssets.cmake
# VEGA is empty where the library that draws the charts is missing.
set(header "// SPDX-License-Identifier: Apache-2.0
// Made by cmake/EmbedAssets.cmake.
#include \"sim/report/page/assets.h\"

namespace ipusim::report::assets {

")

# Appends a constant with the text to the file.
function(embed name text)
  file(APPEND ${OUT}.draft "const std::string_view ${name} = R\"ipusim_asset(")
  file(APPEND ${OUT}.draft "${text}")
  file(APPEND ${OUT}.draft ")ipusim_asset\";\n")
endfunction()

file(WRITE ${OUT}.draft "${header}")
file(READ ${ASSETS}/page.html page)
embed(kPage "${page}")
file(READ ${ASSETS}/page.css style)
embed(kStyle "${style}")

# Appends a constant with the files of a list, one after the other.
function(embed_scripts constant list)
  set(script "")
  string(REPLACE "," ";" names "${list}")
  foreach(name IN LISTS names)
    file(READ ${ASSETS}/${name} text)
    string(APPEND script "${text}\n")
  endforeach()
  embed(${constant} "${script}")
endfunction()
embed_scripts(kCommonScript "${COMMON}")
embed_scripts(kRunScript "${RUN}")
embed_scripts(kParallelScript "${PARALLEL}")
embed_scripts(kPointsScript "${POINTS}")
embed_scripts(kChangesScript "${CHANGES}")
embed_scripts(kStartScript "${START}")

# Debian ships Vega as modules. Each becomes a function that require() calls.
set(charts "")
if(VEGA)
  # Its licences ask that their notices stay with copies.
  set(notices /usr/share/doc/libjs-vega/copyright)
  if(EXISTS ${notices})
    file(READ ${notices} text)
    string(REPLACE "*/" "* /" text "${text}")
    set(charts "/*\n${text}*/\n")
  endif()
  file(READ ${ASSETS}/vega_modules.js text)
  string(APPEND charts "${text}")
  string(REPLACE "," ";" modules "${VEGA_MODULES}")
  foreach(module IN LISTS modules)
    file(READ ${VEGA}/vega-${module}.min.js text)
    string(REGEX REPLACE "//# sourceMappingURL=[^\n]*" "" text "${text}")
    string(APPEND charts "vegaModules[\"vega-${module}\"] = function (exports, require, module) {\n")
    string(APPEND charts "${text}\n};\n")
  endforeach()
  file(READ ${ASSETS}/vega.js text)
  string(APPEND charts "${text}")
endif()
embed(kCharts "${charts}")
file(APPEND ${OUT}.draft "\n}  // namespace ipusim::report::assets\n")
file(RENAME ${OUT}.draft ${OUT})
