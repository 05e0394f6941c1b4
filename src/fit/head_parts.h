// Chooses the part of a mesh that hair grows on, where a file holds several (head, eyes, body).
#pragma once

#include "base/messages.h"
#include "geom/mesh.h"
#include "ringlet/result.h"

namespace ringlet {

// "auto": by name and shape; "all": every part; otherwise the name of a part, in any case. Parts
// that share vertices, such as the groups of one surface, count as one. Returns a value for
// Mesh::grows_hair. "auto" adds a line to the assumptions if it leaves parts out. Fails if no part
// has the name. `key` and `file` are used in messages.
Result<std::vector<bool>> choose_head_parts(const Mesh& mesh, const std::string& wanted,
                                            const std::string& key, const std::string& file,
                                            Messages& messages);

}  // namespace ringlet
