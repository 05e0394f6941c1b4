// Builds the Picture of a session for a renderer.
#pragma once

#include "picture/picture.h"
#include "ringlet/session.h"

namespace ringlet {

// Returns the state last shown (Session::Impl::advance_to). The picture refers to data of the
// session: it is valid until the session is advanced, changed or destroyed.
Picture picture_of(const Session& session);

// Copies the positions of a picture, to be the start of the motion that a later one blurs.
std::shared_ptr<const OpenShutter> open_shutter_of(const Picture& picture);

}  // namespace ringlet
