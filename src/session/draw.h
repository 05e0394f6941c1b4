// From a session to what a renderer draws.
#pragma once

#include "picture/picture.h"
#include "ringlet/session.h"

namespace ringlet {

// The picture of the state last shown (Session::Impl::advance_to); borrows from the session.
Picture picture_of(const Session& session);

}  // namespace ringlet
