// An OpenGL context without a window, for the sample gpu_buffers.
#pragma once

// Makes an OpenGL 4.5 context on the first GPU of EGL current. False if there is none.
bool make_gl_context();
