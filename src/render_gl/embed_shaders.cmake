# Turns shader files into one C++ source: cmake -DFOLDER=... -DOUTPUT=... -P embed_shaders.cmake
# Resolves  #include "file.glsl"  one level deep, for GLSL has no such thing itself.
file(GLOB FILES RELATIVE ${FOLDER} ${FOLDER}/*.vert ${FOLDER}/*.tesc
    ${FOLDER}/*.tese ${FOLDER}/*.geom ${FOLDER}/*.frag ${FOLDER}/*.comp)
list(SORT FILES)
file(GLOB PARTS RELATIVE ${FOLDER} ${FOLDER}/*.glsl)

set(CODE "#include \"render_gl/shader_source.h\"\n\nnamespace ringlet {\n\n")
string(APPEND CODE "std::string_view shader_source(std::string_view name) {\n")
foreach(FILE ${FILES})
    file(READ ${FOLDER}/${FILE} TEXT)
    foreach(PART ${PARTS})
        file(READ ${FOLDER}/${PART} PART_TEXT)
        string(REPLACE "#include \"${PART}\"" "${PART_TEXT}" TEXT "${TEXT}")
    endforeach()
    string(APPEND CODE "    if (name == \"${FILE}\")\n        return R\"glsl(${TEXT})glsl\";\n")
endforeach()
string(APPEND CODE "    return {};\n}\n\n}  // namespace ringlet\n")
file(WRITE ${OUTPUT} "${CODE}")
