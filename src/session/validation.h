// How numbers of a validation are written, the same on the terminal and on its page.
#pragma once

#include "ringlet/validate.h"

namespace ringlet {

struct RowText {
    std::string measured, expected, error, allowed, verdict;  // "" where there is none
};
RowText text_of(const CheckRow& row);

// FOLDER/validation.md. Plots are beside it, named after themselves.
std::string validation_page(const Validation& validation);

}  // namespace ringlet
