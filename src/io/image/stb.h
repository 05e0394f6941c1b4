// stb's image headers with the same configuration for declarations and implementation.
#pragma once

#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_MAX_DIMENSIONS 16384
#define STBI_WRITE_NO_STDIO

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
