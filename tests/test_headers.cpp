// Gives the precompiled header a target of its own, which all test programs share.
