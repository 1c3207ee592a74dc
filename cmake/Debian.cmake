# The Debian packages that `cpack -G DEB` makes of a build: one for each component of what is installed.
# dpkg-shlibdeps finds the libraries that programs load. What users of a static library link, and
# programs that are started, stand here.
set(CPACK_GENERATOR DEB)
# A package of Debian names who answers for it, with an address. The project has a name, in one file,
# and no mailbox: .invalid is a domain that nobody has (RFC 2606). Who gives packages to others says
# where they answer.
set(IPUSIM_CONTACT_ADDRESS authors@ipusim.invalid CACHE STRING "Address in packages of Debian")
file(STRINGS ${PROJECT_SOURCE_DIR}/CITATION.cff authors REGEX "^  - name: ")
string(REGEX REPLACE "^  - name: \"(.*)\"$" "\\1" authors "${authors}")
set(CPACK_PACKAGE_CONTACT "${authors} <${IPUSIM_CONTACT_ADDRESS}>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Describes the package of a component. Its copyright is installed with it.
set(IPUSIM_DEBIAN_COMPONENTS "")
function(ipusim_debian_package component package)
  cmake_parse_arguments(PACKAGE "" "SECTION;SUMMARY;TEXT" "DEPENDS;RECOMMENDS;SUGGESTS" ${ARGN})
  string(TOUPPER ${component} key)
  list(JOIN PACKAGE_DEPENDS ", " depends)
  list(JOIN PACKAGE_RECOMMENDS ", " recommends)
  list(JOIN PACKAGE_SUGGESTS ", " suggests)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${PACKAGE_SECTION} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${PACKAGE_SUMMARY}\n${PACKAGE_TEXT}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "${recommends}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SUGGESTS "${suggests}" PARENT_SCOPE)
  set(IPUSIM_DEBIAN_COMPONENTS ${IPUSIM_DEBIAN_COMPONENTS} ${component} PARENT_SCOPE)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/${package} RENAME copyright
    COMPONENT ${component})
endfunction()
set(same "(= ${PROJECT_VERSION})")

ipusim_debian_package(program ipusim SECTION science
  SUMMARY "simulator of a Graphcore IPU"
  TEXT "Predicts whether a program fits the memories of the tiles, how many compute
sets and exchanges it takes, and how long it runs: per tile, per step, with the
reason and a stated error. The package holds the program, machines, configs and
the scripts that draw figures."
  RECOMMENDS python3 python3-matplotlib
  SUGGESTS openmpi-bin)
ipusim_debian_package(library ipusim-dev SECTION libdevel
  SUMMARY "simulator of a Graphcore IPU, as a library of C++"
  TEXT "A graph in, a prediction out, and the modules of the chip for a platform in
SystemC: headers, the library, CMake files and examples."
  DEPENDS "ipusim ${same}" libboost-dev libsystemc-dev libfmt-dev libtomlplusplus-dev libsimdjson-dev
    zlib1g-dev libzstd-dev libprotobuf-dev libonnx-dev
  SUGGESTS cmake)
# Codelets take headers of C and C++ from what g++ brings.
ipusim_debian_package(poplar ipusim-poplar SECTION devel
  SUMMARY "simulator of a Graphcore IPU, for programs written for Poplar"
  TEXT "Headers and libraries that programs written for Poplar compile and link with, and
popc, the compiler of codelets. Programs run with real numbers in simulated
memories of tiles. Poplar is a name of Graphcore's, and this is no software of
Graphcore's."
  DEPENDS "ipusim-dev ${same}" g++ clang-16)
if(IPUSIM_PYTHON)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)  # python/ found it for itself alone
  math(EXPR next_python "${Python3_VERSION_MINOR} + 1")
  ipusim_debian_package(python python3-ipusim SECTION python
    SUMMARY "simulator of a Graphcore IPU, as a module of Python"
    TEXT "Runs configs and sweeps, and gives results as objects and tables. With PyTorch, the
package poptorch runs programs that were written for PopTorch; this is no
software of Graphcore's."
    DEPENDS "ipusim ${same}" "python3 (>= ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR})"
      "python3 (<< ${Python3_VERSION_MAJOR}.${next_python})"
    RECOMMENDS python3-pandas
    SUGGESTS python3-torch python3-tqdm)
endif()
set(CPACK_COMPONENTS_ALL ${IPUSIM_DEBIAN_COMPONENTS})
include(CPack)
