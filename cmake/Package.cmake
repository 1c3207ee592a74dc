# What `cmake --install` installs: the program, the public library with its headers, the shipped
# configs, and the package that find_package(ipusim) finds. No installed file holds a path of this
# tree. The components are the Debian packages of cmake/Debian.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(IPUSIM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ipusim)

# All layers that a prediction needs are one library, the chip included: `run` plays programs on it,
# and `report` writes what comes of it.
ipusim_layers_under(poplar IPUSIM_LIBRARY_LAYERS)
ipusim_layers_under(answer answer_layers)
list(APPEND IPUSIM_LIBRARY_LAYERS ${answer_layers})
list(REMOVE_DUPLICATES IPUSIM_LIBRARY_LAYERS)
list(REMOVE_ITEM IPUSIM_LIBRARY_LAYERS poplar codelets codelet_count tile_compiler record)
list(TRANSFORM IPUSIM_LIBRARY_LAYERS REPLACE "(.+)" "$<TARGET_OBJECTS:ipusim_\\1>"
  OUTPUT_VARIABLE IPUSIM_LIBRARY_OBJECTS)
add_library(ipusim ${IPUSIM_LIBRARY_OBJECTS} $<TARGET_OBJECTS:ipusim_absent> $<TARGET_OBJECTS:ipusim_commit>)
target_compile_features(ipusim PUBLIC cxx_std_17)
target_include_directories(ipusim PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# No public header shows these libraries, so users of a shared library need none of them.
target_link_libraries(ipusim PRIVATE fmt::fmt tomlplusplus::tomlplusplus SystemC::systemc
  $<TARGET_NAME_IF_EXISTS:simdjson::simdjson> $<TARGET_NAME_IF_EXISTS:ZLIB::ZLIB>
  $<TARGET_NAME_IF_EXISTS:zstd::libzstd_shared> $<TARGET_NAME_IF_EXISTS:onnx_proto> ${CMAKE_DL_LIBS})
if(NOT BUILD_SHARED_LIBS)
  # See models/ipu/engines/chip/sc_main.cpp and base/version.cpp.
  target_link_options(ipusim INTERFACE LINKER:--undefined=sc_main LINKER:--undefined=ipusim_commit)
endif()
# Before 1.0.0 a minor version may break what the one before promised.
set_target_properties(ipusim PROPERTIES
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

# The library for users who also include SystemC's headers.
add_library(ipusim_systemc INTERFACE)
set_target_properties(ipusim_systemc PROPERTIES EXPORT_NAME chip)
target_link_libraries(ipusim_systemc INTERFACE ipusim SystemC::systemc)

target_sources(ipusim_cli PRIVATE $<TARGET_OBJECTS:ipusim_commit>)
install(TARGETS ipusim_cli RUNTIME COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/share/ipusim.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/share/ipusim
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/share/_ipusim
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT program)
# homeFolder() of base/files/home_folder.h looks for exactly this folder. What the configs name lies beside
# them, as in the tree.
install(DIRECTORY configs DESTINATION share/ipusim COMPONENT program)
install(DIRECTORY plots DESTINATION share/ipusim COMPONENT program USE_SOURCE_PERMISSIONS
  FILES_MATCHING PATTERN *.py PATTERN __pycache__ EXCLUDE)
install(FILES CHANGELOG.md CITATION.cff DESTINATION share/doc/ipusim COMPONENT program)

install(TARGETS ipusim ipusim_systemc EXPORT ipusimTargets COMPONENT library)
install(EXPORT ipusimTargets NAMESPACE ipusim:: DESTINATION ${IPUSIM_PACKAGE_DIR} COMPONENT library)
install(DIRECTORY include/ipusim DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library
  FILES_MATCHING PATTERN *.h)
install(DIRECTORY examples DESTINATION share/ipusim COMPONENT library)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ipusimConfig.cmake.in
  ${CMAKE_BINARY_DIR}/ipusimConfig.cmake INSTALL_DESTINATION ${IPUSIM_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ipusimConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/ipusimConfig.cmake
  ${CMAKE_BINARY_DIR}/ipusimConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSystemC.cmake
  DESTINATION ${IPUSIM_PACKAGE_DIR} COMPONENT library)
