// Decodes the messages of ringlet_read_mesh (io/foreign/mesh_message.h). The process that wrote a
// message may have been damaged by a malicious file, so nothing in it is trusted.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "geom/mesh.h"
#include "geom/mesh_sequence.h"
#include "ringlet/result.h"

namespace ringlet {

// Textures are searched relative to `folder`. An Error states only the cause.
Result<Mesh> decode_mesh(std::string_view message, const std::filesystem::path& folder);

// All frames have `vertex_count` positions. An Error states only the cause.
Result<MeshFrames> decode_frames(std::string_view message, std::size_t vertex_count);

}  // namespace ringlet
