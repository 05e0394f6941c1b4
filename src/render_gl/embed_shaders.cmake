# Embeds the shader files in one C++ source: cmake -DFOLDER=... -DSHARED=... -DOUTPUT=... -P embed_shaders.cmake
# Inserts constants.glsl after the #version line of each shader and resolves  #include "file.glsl"
# one level deep, because GLSL has no includes. SHARED is the folder of the parts that are C++, too.
file(GLOB FILES RELATIVE ${FOLDER} ${FOLDER}/*.vert ${FOLDER}/*.tesc
    ${FOLDER}/*.tese ${FOLDER}/*.geom ${FOLDER}/*.frag ${FOLDER}/*.comp)
list(SORT FILES)
file(GLOB PARTS ${FOLDER}/*.glsl ${SHARED}/*.glsl)
file(READ ${FOLDER}/constants.glsl CONSTANTS)

set(CODE "#include \"render_gl/shader_source.h\"\n\nnamespace ringlet {\n\n")
string(APPEND CODE "std::string_view shader_source(std::string_view name) {\n")
foreach(FILE ${FILES})
    file(READ ${FOLDER}/${FILE} TEXT)
    foreach(PART ${PARTS})
        file(READ ${PART} PART_TEXT)
        get_filename_component(NAME ${PART} NAME)
        string(REPLACE "#include \"${NAME}\"" "${PART_TEXT}" TEXT "${TEXT}")
    endforeach()
    string(REPLACE "#version 450 core\n" "#version 450 core\n${CONSTANTS}#line 2\n" TEXT "${TEXT}")
    string(APPEND CODE "    if (name == \"${FILE}\")\n        return R\"glsl(${TEXT})glsl\";\n")
endforeach()
string(APPEND CODE "    return {};\n}\n\n}  // namespace ringlet\n")
file(WRITE ${OUTPUT} "${CODE}")
