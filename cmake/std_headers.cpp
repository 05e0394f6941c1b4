// Gives the precompiled standard headers a target of their own, which all modules share.
