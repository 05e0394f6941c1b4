#include "io/usd/usda_lexer.h"

#include <algorithm>
#include <charconv>

#include "io/text.h"

namespace ringlet {

namespace {

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 128;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kMarks = "()[]{}=,:;.";

}  // namespace

int UsdaLexer::line_of(std::size_t offset) {
    offset = std::min(offset, text_.size());
    if (offset < counted_to_) {
        counted_to_ = 0;
        counted_lines_ = 1;
    }
    const std::string_view more = text_.substr(counted_to_, offset - counted_to_);
    counted_lines_ += static_cast<int>(std::count(more.begin(), more.end(), '\n'));
    counted_to_ = offset;
    return counted_lines_;
}

Error UsdaLexer::error_at(const UsdaToken& token, const std::string& what,
                          const std::string& name) const {
    const std::string_view before = text_.substr(0, token.at);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t start = before.rfind('\n');
    const std::size_t column = start == std::string_view::npos ? token.at + 1 : token.at - start;
    using Kind = UsdaToken::Kind;
    const std::string found = token.kind == Kind::broken ? std::string(token.text)
                              : token.kind == Kind::end  ? what + ", but the file ends here"
                                                        : what + ", found " + in_quotes(token.text);
    return Error{found, name, static_cast<int>(line), static_cast<int>(column)};
}

void UsdaLexer::fail(std::string_view what, std::size_t at) {
    token_ = {UsdaToken::Kind::broken, what, 0, at};
    at_ = text_.size();
}

void UsdaLexer::skip_space() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '#')
            at_ = std::min(text_.find('\n', at_), text_.size());
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            ++at_;
        else
            return;
    }
}

void UsdaLexer::advance() {
    if (token_.kind == UsdaToken::Kind::broken) return;
    skip_space();
    token_ = {UsdaToken::Kind::end, {}, 0, at_};
    if (at_ >= text_.size()) return;
    const char c = text_[at_];
    const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (c == '"' || c == '\'') return read_string(c);
    if (c == '@') return read_between('@', '@', UsdaToken::Kind::asset);
    if (c == '<') return read_between('<', '>', UsdaToken::Kind::path);
    if (is_digit(c) || c == '-' || c == '+' || (c == '.' && is_digit(after))) return read_number();
    if (starts_name(c)) return read_name();
    if (kMarks.find(c) == std::string_view::npos)
        return fail("a character that has no meaning here; the file may be damaged", at_);
    token_ = {UsdaToken::Kind::mark, text_.substr(at_, 1), 0, at_};
    ++at_;
}

void UsdaLexer::read_string(char quote) {
    const std::size_t start = at_;
    const std::string triple(3, quote);
    const bool is_triple = text_.substr(at_).starts_with(triple);
    const std::size_t width = is_triple ? 3 : 1, first = at_ + width;
    std::size_t end = first;
    for (;; ++end) {
        if (end >= text_.size()) return fail("a string that never ends", start);
        if (text_[end] == '\\') {
            ++end;
            continue;
        }
        if (!is_triple && text_[end] == '\n')
            return fail("a string that its line does not end", start);
        if (text_[end] == quote && (!is_triple || text_.substr(end).starts_with(triple))) break;
    }
    token_ = {UsdaToken::Kind::text, text_.substr(first, end - first), 0, start};
    at_ = end + width;
}

void UsdaLexer::read_between(char open, char close, UsdaToken::Kind kind) {
    const std::size_t start = at_;
    const bool is_triple = text_.substr(at_).starts_with("@@@");
    const std::string ending(is_triple ? 3 : 1, close);
    const std::size_t first = at_ + ending.size();
    const std::size_t end = text_.find(ending, first);
    if (end == std::string_view::npos)
        return fail(open == '@' ? "an asset path that never ends" : "a path that never ends",
                    start);
    token_ = {kind, text_.substr(first, end - first), 0, start};
    at_ = end + ending.size();
}

void UsdaLexer::read_number() {
    const std::size_t start = at_;
    const std::size_t first = text_[at_] == '+' ? at_ + 1 : at_;
    double value = 0;
    const auto [end, failure] =
        std::from_chars(text_.data() + first, text_.data() + text_.size(), value);
    // Values beyond double are beyond float too, and refused as not finite.
    if (failure == std::errc::invalid_argument) return fail("a number without digits", start);
    if (failure == std::errc::result_out_of_range) return fail("a number out of range", start);
    at_ = static_cast<std::size_t>(end - text_.data());
    token_ = {UsdaToken::Kind::number, text_.substr(start, at_ - start), value, start};
}

void UsdaLexer::read_name() {
    const std::size_t start = at_;
    const auto is_part = [this](std::size_t k) {
        return k < text_.size() && (starts_name(text_[k]) || is_digit(text_[k]));
    };
    while (is_part(at_) || (at_ < text_.size() && text_[at_] == ':' && is_part(at_ + 1))) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    token_ = {UsdaToken::Kind::name, name, 0, start};
    if (name != "inf" && name != "nan") return;
    at_ = start;
    read_number();
}

}  // namespace ringlet
