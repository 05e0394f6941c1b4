# The libraries for other projects: ringlet::sim, the simulation alone, and ringlet::ringlet, which adds
# scenes, grooms, files and renderers. Both are linked from the objects of the modules. cmake --install
# writes them with headers, a CMake package and pkg-config files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
include(${PROJECT_SOURCE_DIR}/cmake/ringletDependencies.cmake)
if(PROJECT_VERSION_MAJOR GREATER 0)
    set(RINGLET_SOVERSION ${PROJECT_VERSION_MAJOR})
else()
    set(RINGLET_SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endif()

# ringlet_library(NAME FILE modules...): the library ringlet::NAME in libFILE.
function(ringlet_library NAME FILE)
    set(library ringlet_package_${NAME})
    list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:ringlet_\\1>" OUTPUT_VARIABLE objects)
    add_library(${library} ${objects})
    add_library(ringlet::${NAME} ALIAS ${library})
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${FILE} EXPORT_NAME ${NAME} LINKER_LANGUAGE CXX
        VERSION ${PROJECT_VERSION} SOVERSION ${RINGLET_SOVERSION})
    target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
    target_compile_features(${library} INTERFACE cxx_std_20)
    if(RINGLET_INSTALL)
        install(TARGETS ${library} EXPORT ringlet_${NAME} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
        install(EXPORT ringlet_${NAME} FILE ringlet_${NAME}.cmake NAMESPACE ringlet::
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ringlet)
    endif()
endfunction()

# What the objects of ringlet::sim link.
set(sim_modules base geom strand collide sim parameters sim_api)
set(sim_links "")
if(RINGLET_WITH_TBB)
    list(APPEND sim_links TBB::tbb)
endif()
if(RINGLET_HAS_CUDA)
    list(APPEND sim_links CUDA::cudart_static)
endif()
ringlet_library(sim ringlet_sim ${sim_modules})
target_link_libraries(ringlet_package_sim PRIVATE ${sim_links})

if(NOT RINGLET_KERNELS_ONLY)
    list(TRANSFORM RINGLET_RENDERERS PREPEND render_ OUTPUT_VARIABLE renderers)
    set(modules files validate bench peak_portable peak_avx2 peak_fma shade picture fit groom fur io scene ${renderers} session)
    # A shared library hides what the other one would need of it, so this one contains the simulation, too.
    if(BUILD_SHARED_LIBS)
        list(APPEND modules ${sim_modules})
    endif()
    ringlet_library(ringlet ringlet ${modules})
    if(BUILD_SHARED_LIBS)
        target_link_libraries(ringlet_package_ringlet PRIVATE ${sim_links})
    else()
        target_link_libraries(ringlet_package_ringlet PUBLIC ringlet_package_sim)
    endif()
    target_link_libraries(ringlet_package_ringlet PRIVATE fmt::fmt tinyobjloader::tinyobjloader JPEG::JPEG
        PkgConfig::RINGLET_LIBAV PkgConfig::RINGLET_GL PkgConfig::RINGLET_TOML)
endif()

if(NOT RINGLET_INSTALL)
    return()
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ringlet DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/ringlet)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ringletConfig.cmake.in
    ${PROJECT_BINARY_DIR}/ringletConfig.cmake INSTALL_DESTINATION ${package_folder})
# Until 1.0, a minor version may change the interface (ringlet/version.h).
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ringletConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/ringletConfig.cmake ${PROJECT_BINARY_DIR}/ringletConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/ringletDependencies.cmake DESTINATION ${package_folder})

file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# A shared library names the libraries that it uses itself.
set(sim_uses "")
set(sim_libraries "")
set(ringlet_uses "")
if(NOT BUILD_SHARED_LIBS)
    if(RINGLET_WITH_TBB)
        set(sim_uses tbb)
    endif()
    if(RINGLET_HAS_CUDA)
        set(sim_libraries "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt -lpthread")
    endif()
    set(ringlet_uses "ringlet-sim = ${PROJECT_VERSION} tomlplusplus fmt tinyobjloader libjpeg libavformat libavcodec libswscale libavutil epoxy egl")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/ringlet-sim.pc.in ${PROJECT_BINARY_DIR}/ringlet-sim.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ringlet-sim.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(NOT RINGLET_KERNELS_ONLY)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/ringlet.pc.in ${PROJECT_BINARY_DIR}/ringlet.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/ringlet.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
    install(TARGETS ringlet_program)
    # The program that reads glTF and FBX, where io/foreign looks for it.
    install(TARGETS ringlet_read_mesh DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/ringlet)
endif()

# cpack -G DEB in the build folder writes a Debian package.
set(CPACK_PACKAGE_CONTACT "Ringlet contributors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
include(CPack)
