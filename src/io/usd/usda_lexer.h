// Splits the text of a USD layer into tokens.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "ringlet/result.h"

namespace ringlet {

struct UsdaToken {
    enum class Kind {
        end,     // of the text
        name,    // primvars:st, def, true
        number,  // 1, -2.5e-3, inf, nan
        text,    // "..." or """..."""
        asset,   // @...@
        path,    // <...>
        mark,    // one of ( ) [ ] { } = , : ; .
        broken,  // not a token; `text` is what is wrong
    };
    Kind kind = Kind::end;
    std::string_view text{};  // without quotes; escape sequences are kept as they are
    double number = 0;
    std::size_t at = 0;  // offset of its first character

    bool is(char mark) const { return kind == Kind::mark && text[0] == mark; }
    bool is(std::string_view name) const { return kind == Kind::name && text == name; }
};

class UsdaLexer {
public:
    explicit UsdaLexer(std::string_view text) : text_(text) { advance(); }

    // The current token.
    const UsdaToken& peek() const { return token_; }
    // Returns the current token and moves to the next one.
    UsdaToken next() {
        const UsdaToken out = token_;
        advance();
        return out;
    }
    // Moves on if the current token is this mark.
    bool skip(char mark) {
        if (!token_.is(mark)) return false;
        advance();
        return true;
    }
    bool skip(std::string_view name) {
        if (!token_.is(name)) return false;
        advance();
        return true;
    }
    // The line (1-based) of an offset. Counts from the last call, so ascending offsets are fast.
    int line_of(std::size_t offset);
    // An error at a token of the file `name`.
    Error error_at(const UsdaToken& token, const std::string& what, const std::string& name) const;

private:
    void advance();
    void skip_space();
    void read_string(char quote);
    void read_between(char open, char close, UsdaToken::Kind kind);
    void read_number();
    void read_name();
    void fail(std::string_view what, std::size_t at);

    std::string_view text_;
    std::size_t at_ = 0;  // behind the current token
    UsdaToken token_;
    std::size_t counted_to_ = 0;
    int counted_lines_ = 1;
};

}  // namespace ringlet
