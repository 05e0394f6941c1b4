# Writes resources.S (the bytes, by .incbin) and resources.cpp (the table) for the files given.
function(ringlet_embed OUT_SOURCES)
    set(assembly "    .section .rodata\n")
    set(declarations "")
    set(table "")
    set(index 0)
    foreach(file IN LISTS ARGN)
        get_filename_component(name ${file} NAME)
        string(APPEND assembly
            "    .global ringlet_resource_${index}\n    .global ringlet_resource_${index}_end\n"
            "ringlet_resource_${index}:\n    .incbin \"${file}\"\nringlet_resource_${index}_end:\n    .byte 0\n")
        string(APPEND declarations
            "extern \"C\" const char ringlet_resource_${index}[], ringlet_resource_${index}_end[];\n")
        string(APPEND table
            "    {\"${name}\", {ringlet_resource_${index}, static_cast<std::size_t>(ringlet_resource_${index}_end - ringlet_resource_${index})}},\n")
        math(EXPR index "${index} + 1")
    endforeach()
    string(APPEND assembly "    .section .note.GNU-stack,\"\",%progbits\n")
    set(folder ${CMAKE_CURRENT_BINARY_DIR})
    file(CONFIGURE OUTPUT ${folder}/resources.S CONTENT "${assembly}" @ONLY)
    file(CONFIGURE OUTPUT ${folder}/resources.cpp CONTENT
"// Made by src/session/resources.cmake.
#include \"session/resources.h\"

${declarations}
namespace ringlet {

std::span<const Resource> all_resources() {
    static const Resource table[] = {
${table}    };
    return table;
}

std::optional<std::string_view> find_resource(std::string_view name) {
    for (const Resource& resource : all_resources())
        if (resource.name == name) return resource.bytes;
    return std::nullopt;
}

}  // namespace ringlet
" @ONLY)
    set_source_files_properties(${folder}/resources.S PROPERTIES OBJECT_DEPENDS "${ARGN}")
    set(${OUT_SOURCES} ${folder}/resources.S ${folder}/resources.cpp PARENT_SCOPE)
endfunction()
