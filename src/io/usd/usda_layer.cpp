// A parser of the text format of USD layers by recursive descent.
#include "io/usd/usda_layer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "io/text.h"
#include "io/usd/usda_lexer.h"

namespace ringlet {

namespace {

using Token = UsdaToken;

constexpr int kMostUsdaDepth = 100;                // of prims, and of brackets
constexpr std::size_t kMostUsdaItems = 1'000'000;  // prims, attributes and time samples together

// Attributes that readers of curves and meshes use.
bool is_used(std::string_view name) {
    constexpr std::array<std::string_view, 18> kUsed{"points",
                                                     "curveVertexCounts",
                                                     "widths",
                                                     "type",
                                                     "basis",
                                                     "wrap",
                                                     "xformOpOrder",
                                                     "faceVertexCounts",
                                                     "faceVertexIndices",
                                                     "orientation",
                                                     "visibility",
                                                     "purpose",
                                                     "primvars:st",
                                                     "primvars:st:indices",
                                                     "primvars:displayColor",
                                                     "primvars:displayColor:indices",
                                                     "primvars:groom_root_uv",
                                                     "primvars:groom_width"};
    return name.starts_with("xformOp:") || std::ranges::find(kUsed, name) != kUsed.end();
}

bool is_list_edit(const Token& token) {
    return token.is("add") || token.is("append") || token.is("prepend") || token.is("delete") ||
           token.is("reorder");
}

class UsdaParser {
public:
    UsdaParser(std::string_view text, const std::string& name) : lexer_(text), name_(name) {}

    Result<UsdaLayer> parse() {
        if (lexer_.peek().is('(') && !layer_metadata()) return *error_;
        while (lexer_.peek().kind != Token::Kind::end) {
            if (lexer_.skip(';')) continue;
            if (lexer_.peek().is("reorder")) {
                lexer_.next();
                if (!expect_name("a name after \"reorder\"") || !expect('=') || !skip_value())
                    return *error_;
                continue;
            }
            if (!prim(layer_.prims, 0)) return *error_;
        }
        return std::move(layer_);
    }

private:
    // All functions return false after an error, which is kept in error_.

    bool fail(const Token& token, const std::string& what) {
        if (!error_) error_ = lexer_.error_at(token, what, name_);
        return false;
    }
    bool expect(char mark) {
        if (lexer_.skip(mark)) return true;
        return fail(lexer_.peek(), std::string("expected \"") + mark + '"');
    }
    bool expect_name(const char* what) {
        if (lexer_.peek().kind != Token::Kind::name)
            return fail(lexer_.peek(), std::string("expected ") + what);
        lexer_.next();
        return true;
    }
    bool count_item(const Token& at) {
        if (++items_ <= kMostUsdaItems) return true;
        return fail(at, "has more than a million prims, attributes and samples; the next one is");
    }

    // A value that nothing uses: a token, or brackets with everything in between.
    bool skip_value() {
        const Token first = lexer_.next();
        if (first.is('(') || first.is('[') || first.is('{')) return skip_to_end(first);
        if (first.kind == Token::Kind::mark || first.kind == Token::Kind::end ||
            first.kind == Token::Kind::broken)
            return fail(first, "expected a value");
        // @layer@</prim> (offset = 1)
        if (first.kind == Token::Kind::asset) {
            if (lexer_.peek().kind == Token::Kind::path) lexer_.next();
            if (lexer_.peek().is('(')) return skip_to_end(lexer_.next());
        }
        return true;
    }

    // Skips to the bracket that closes `first`.
    bool skip_to_end(const Token& first) {
        std::string open;  // the closing brackets that are expected, the next one last
        const auto push = [&open](const Token& token) {
            open += token.is('(') ? ')' : token.is('[') ? ']' : '}';
        };
        push(first);
        while (!open.empty()) {
            const Token token = lexer_.next();
            if (token.kind == Token::Kind::end || token.kind == Token::Kind::broken)
                return fail(token, std::string("expected \"") + open.back() + '"');
            if (token.is('(') || token.is('[') || token.is('{')) {
                if (open.size() >= kMostUsdaDepth) return fail(token, "too many nested brackets");
                push(token);
            } else if (token.is(')') || token.is(']') || token.is('}')) {
                if (!token.is(open.back()))
                    return fail(token, std::string("expected \"") + open.back() + '"');
                open.pop_back();
            }
        }
        return true;
    }

    // Keeps the first reason why other layers are needed.
    void need(const Token& token) {
        if (!layer_.needs.empty()) return;
        layer_.needs = token.text;
        layer_.needs_line = lexer_.line_of(token.at);
    }

    // Entries until ")". `entry` receives the key and whether it handled the value itself.
    template <class Entry>
    bool metadata(const Entry& entry) {
        lexer_.next();
        while (!lexer_.skip(')')) {
            if (lexer_.skip(';') || lexer_.skip(',')) continue;
            if (lexer_.peek().kind == Token::Kind::text) {  // a comment
                lexer_.next();
                continue;
            }
            if (is_list_edit(lexer_.peek())) lexer_.next();
            const Token key = lexer_.peek();
            if (!expect_name("a key or \")\"") || !expect('=')) return false;
            if (!entry(key)) return false;
        }
        return true;
    }

    bool layer_metadata() {
        return metadata([this](const Token& key) {
            const Token value = lexer_.peek();
            if (key.is("subLayers") && !is_empty_list()) need(key);
            if (!skip_value()) return false;
            if (key.is("metersPerUnit")) return positive(value, layer_.metres_per_unit);
            if (key.is("timeCodesPerSecond")) return positive(value, layer_.time_codes_per_second);
            if (!key.is("upAxis")) return true;
            if (value.text != "Y" && value.text != "Z")
                return fail(value, "expected the up axis \"Y\" or \"Z\"");
            layer_.states_axis = true;
            layer_.is_z_up = value.text == "Z";
            return true;
        });
    }

    bool positive(const Token& value, double& out) {
        if (value.kind != Token::Kind::number || !(value.number > 0) || !(value.number < 1e9))
            return fail(value, "expected a number above 0");
        out = value.number;
        return true;
    }

    // Whether the value that follows is None or [].
    bool is_empty_list() {
        if (lexer_.peek().is("None")) return true;
        UsdaLexer ahead = lexer_;
        return ahead.skip('[') && ahead.peek().is(']');
    }

    bool prim_metadata(UsdaPrim& out) {
        return metadata([this, &out](const Token& key) {
            for (const char* const other :
                 {"references", "payload", "inherits", "specializes", "clips", "variants"})
                if (key.is(other) && !is_empty_list()) need(key);
            if (key.is("active")) out.is_active = !lexer_.peek().is("false");
            return skip_value();
        });
    }

    bool prim(std::vector<UsdaPrim>& siblings, int depth) {
        const Token first = lexer_.next();
        if (!first.is("def") && !first.is("over") && !first.is("class"))
            return fail(first, "expected a prim (def, over or class)");
        if (depth >= kMostUsdaDepth) return fail(first, "too many nested prims");
        if (!count_item(first)) return false;
        UsdaPrim out;
        out.line = lexer_.line_of(first.at);
        out.is_class = first.is("class");
        if (lexer_.peek().kind == Token::Kind::name) out.type = lexer_.next().text;
        if (lexer_.peek().kind != Token::Kind::text)
            return fail(lexer_.peek(), "expected the name of a prim in quotes");
        out.name = lexer_.next().text;
        if (lexer_.peek().is('(') && !prim_metadata(out)) return false;
        if (!expect('{')) return false;
        while (!lexer_.skip('}'))
            if (!lexer_.skip(';') && !statement(out, depth)) return false;
        siblings.push_back(std::move(out));
        return true;
    }

    bool statement(UsdaPrim& prim_out, int depth) {
        const Token& first = lexer_.peek();
        if (first.is("def") || first.is("over") || first.is("class"))
            return prim(prim_out.children, depth + 1);
        if (first.is("variantSet")) {
            need(first);
            lexer_.next();
            if (lexer_.peek().kind != Token::Kind::text)
                return fail(lexer_.peek(), "expected the name of a variant set");
            lexer_.next();
            return expect('=') && skip_value();
        }
        return property(prim_out);
    }

    // [custom] [uniform] type[] name[.timeSamples] [= value] [(metadata)]
    bool property(UsdaPrim& prim_out) {
        if (is_list_edit(lexer_.peek())) lexer_.next();
        for (const char* const word : {"custom", "uniform", "varying", "config"})
            lexer_.skip(std::string_view(word));
        const Token type = lexer_.peek();
        if (!expect_name("an attribute, a prim or \"}\"")) return false;
        std::string type_text(type.text);
        if (lexer_.skip('[')) {
            if (!expect(']')) return false;
            type_text += "[]";
        }
        const Token name = lexer_.peek();
        // "reorder properties = [...]" has one name only.
        if (name.is('=')) return lexer_.skip('=') && skip_value();
        if (!expect_name("the name of an attribute")) return false;
        std::string_view part;
        if (lexer_.skip('.')) {
            part = lexer_.peek().text;
            if (!expect_name("timeSamples or connect")) return false;
        }
        const bool is_kept =
            type_text != "rel" && is_used(name.text) && (part.empty() || part == "timeSamples");
        if (is_kept) return used_attribute(prim_out, type_text, name, !part.empty());
        if (lexer_.skip('=') && !skip_value()) return false;
        return !lexer_.peek().is('(') || skip_to_end(lexer_.next());
    }

    bool used_attribute(UsdaPrim& prim_out, const std::string& type, const Token& name,
                        bool has_samples) {
        if (!count_item(name)) return false;
        UsdaAttribute& out = prim_out.attributes[std::string(name.text)];
        if (!out.type.empty() && out.type != type)
            return fail(name, "expected the same type as before");
        out.type = type;
        out.line = lexer_.line_of(name.at);
        if (lexer_.skip('=')) {
            if (has_samples ? !samples(out) : !single_value(out)) return false;
        }
        if (!lexer_.peek().is('(')) return true;
        return metadata([this, &out](const Token& key) {
            if (key.is("interpolation") && lexer_.peek().kind == Token::Kind::text)
                out.interpolation = lexer_.peek().text;
            return skip_value();
        });
    }

    bool single_value(UsdaAttribute& out) {
        if (lexer_.skip("None")) return true;
        out.value = {};
        out.has_value = true;
        return value(out.type, out.value);
    }

    bool samples(UsdaAttribute& out) {
        if (!expect('{')) return false;
        while (!lexer_.skip('}')) {
            const Token time = lexer_.next();
            if (time.kind != Token::Kind::number || !std::isfinite(time.number))
                return fail(time, "expected a time code or \"}\"");
            if (!count_item(time) || !expect(':')) return false;
            UsdaValue sample;
            if (lexer_.peek().is("None"))
                lexer_.next();
            else if (!value(out.type, sample))
                return false;
            else if (!out.samples.emplace(time.number, std::move(sample)).second)
                return fail(time, "expected each time code once");
            if (!lexer_.skip(',') && !lexer_.peek().is('}'))
                return fail(lexer_.peek(), "expected \",\" or \"}\"");
        }
        return true;
    }

    // Numbers or words within any brackets. The readers check their number.
    bool value(const std::string& type, UsdaValue& out) {
        const bool is_integer = type == "int[]" || type == "int";
        std::string open;
        do {
            const Token token = lexer_.next();
            if (token.kind == Token::Kind::number) {
                if (is_integer ? !integer(token, out) : !number(token, out)) return false;
            } else if (token.kind == Token::Kind::text || token.kind == Token::Kind::path) {
                out.words.emplace_back(token.text);
            } else if (token.is('[') || token.is('(')) {
                if (open.size() >= 4) return fail(token, "too many nested brackets");
                open += token.is('[') ? ']' : ')';
                if (lexer_.peek().is(open.back())) {
                    lexer_.next();
                    open.pop_back();
                }
                continue;
            } else {
                return fail(token, "expected a value of type " + type);
            }
            while (!open.empty() && lexer_.skip(open.back())) open.pop_back();
            if (open.empty()) return true;
            if (!expect(',')) return false;
            while (!open.empty() && lexer_.skip(open.back())) open.pop_back();
        } while (!open.empty());
        return true;
    }

    bool integer(const Token& token, UsdaValue& out) {
        const double value = token.number;
        if (!(std::abs(value) <= 2147483647.0) || value != std::floor(value))
            return fail(token, "expected a whole number");
        out.integers.push_back(static_cast<std::int32_t>(value));
        return true;
    }
    bool number(const Token& token, UsdaValue& out) {
        const double value = token.number;
        if (std::isfinite(value) && std::abs(value) > double{std::numeric_limits<float>::max()})
            return fail(token, "expected a number in the range of float");
        out.numbers.push_back(static_cast<float>(value));
        return true;
    }

    UsdaLexer lexer_;
    const std::string& name_;
    UsdaLayer layer_;
    std::optional<Error> error_;
    std::size_t items_ = 0;
};

}  // namespace

const UsdaAttribute* UsdaPrim::find(std::string_view attribute) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end()) return nullptr;
    const UsdaAttribute& out = found->second;
    return out.has_value || !out.samples.empty() ? &out : nullptr;
}

std::string UsdaPrim::word(std::string_view attribute) const {
    const UsdaAttribute* const found = find(attribute);
    return found && found->value.words.size() == 1 ? found->value.words.front() : std::string();
}

Result<UsdaLayer> parse_usda(std::string_view text, const std::string& name) {
    if (!text.starts_with("#usda 1.0"))
        return Error{"is not a USD text layer: it does not begin with \"#usda 1.0\"", name};
    return UsdaParser(text, name).parse();
}

}  // namespace ringlet
