# The libraries that programs written for Poplar link, under the names that they ask for. Each name
# is a text that the linker reads: it stands for the libraries of this project and for those that
# they need.
list(TRANSFORM IPUSIM_LIBRARY_LAYERS REPLACE ".*ipusim_([a-z_]+)>" "\\1" OUTPUT_VARIABLE in_library)
ipusim_layers_under(poplar poplar_layers)
list(REMOVE_ITEM poplar_layers ${in_library})
list(TRANSFORM poplar_layers REPLACE "(.+)" "$<TARGET_OBJECTS:ipusim_\\1>")
add_library(ipusim_poplar_host STATIC ${poplar_layers})
set_target_properties(ipusim_poplar_host PROPERTIES
  ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
add_dependencies(ipusim_poplar_host ipusim)
# The file itself is in the package of the library, its short name only in that of the headers.
get_filename_component(poplar_llvm ${LLVM16_LIBRARY} REALPATH)
# ld seeks a file of a script in the folder of the script first, so the full path of a text works
# without -L. The build folder has the folders that the roots of such libraries have.
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/poplar/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)
foreach(name IN ITEMS poplar poputil popops poplin poprand popnn popfloat)
  file(WRITE ${CMAKE_BINARY_DIR}/lib/lib${name}.so
    "/* GNU ld script: programs written for Poplar link this name. */\n"
    "EXTERN(sc_main ipusim_commit)\n"
    "GROUP(libipusim_poplar_host.a libipusim.a -lfmt -ltomlplusplus -lsystemc -lsimdjson -lz -lzstd -lonnx_proto"
    " -lprotobuf ${poplar_llvm} -lstdc++ -lm -ldl -lpthread)\n")
  install(FILES ${CMAKE_BINARY_DIR}/lib/lib${name}.so DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT poplar)
endforeach()
install(TARGETS ipusim_poplar_host ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT poplar)
foreach(folder IN ITEMS popfloat poplar poputil popops poplin poprand popnn)
  list(APPEND poplar_headers ${PROJECT_SOURCE_DIR}/poplar/include/${folder})
endforeach()
install(DIRECTORY ${poplar_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT poplar
  FILES_MATCHING PATTERN *.hpp)
install(TARGETS popc RUNTIME COMPONENT poplar)
install(FILES poplar/codelets/compile/popc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT poplar)
# poplar/codelets/compile/clang_command.cpp looks for this one there.
install(DIRECTORY poplar/device DESTINATION share/ipusim/poplar COMPONENT poplar)
install(DIRECTORY poplar/examples/ DESTINATION share/ipusim/examples/poplar COMPONENT poplar USE_SOURCE_PERMISSIONS)

# find_package(poplar) and find_package(poplibs): in the build folder, and where this is installed.
foreach(package IN ITEMS poplar poplibs)
  set(POPLAR_INCLUDE ${PROJECT_SOURCE_DIR}/poplar/include)
  set(POPLAR_LIB ${CMAKE_BINARY_DIR}/lib)
  configure_file(cmake/poplar-config.cmake.in
    ${CMAKE_BINARY_DIR}/lib/cmake/${package}/${package}-config.cmake @ONLY)
  set(POPLAR_INCLUDE "\${CMAKE_CURRENT_LIST_DIR}/../../../include")
  set(POPLAR_LIB "\${CMAKE_CURRENT_LIST_DIR}/../..")
  configure_file(cmake/poplar-config.cmake.in
    ${CMAKE_BINARY_DIR}/installed/${package}-config.cmake @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/installed/${package}-config.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/${package} COMPONENT poplar)
endforeach()
