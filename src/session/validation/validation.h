// Formats the numbers of a validation, equally for the terminal and the Markdown page.
#pragma once

#include "ringlet/validate.h"

namespace ringlet {

struct RowText {
    std::string measured, expected, error, allowed, verdict;  // empty: no value
};
RowText text_of(const CheckRow& row);

// The content of validation.md. It refers to plots in the same folder by Plot::name.
std::string validation_page(const Validation& validation);

}  // namespace ringlet
