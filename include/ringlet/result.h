// Error handling: functions whose input comes from the user return a value or an Error. The library
// throws no exceptions and prints nothing.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "ringlet/export.h"

namespace ringlet {

// Describes one fault in the user's data in one line: where it is, what is wrong, and how to fix
// it.
struct RINGLET_API Error {
    std::string message;  // cause and remedy, without a trailing period or line break
    std::string file{};   // path of the file concerned; empty: none
    int line = 0;         // 1-based; 0: unknown
    int column = 0;       // 1-based; 0: unknown

    // Returns "file:line:column: message". Leaves out the parts that are unknown.
    std::string text() const;
};

// Report the misuse of a Result to the assertion handler (ringlet/assertions.h).
[[noreturn]] RINGLET_API void failed_result_dereferenced(const Error& error);
[[noreturn]] RINGLET_API void error_of_successful_result();

// Holds either a value of type T or an Error. Test it before use:
//
//     Result<Scene> scene = load_scene(name, {});
//     if (!scene) return scene.error();
//     simulate(*scene);
//
// Owns the value or the error. Not thread-safe, like any plain value.
template <class T>
class [[nodiscard]] Result {
public:
    // Both conversions are implicit, so that `return value;` and `return Error{...};` work.
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    // True if there is a value.
    explicit operator bool() const { return state_.index() == 0; }

    // Access to the value. Precondition: there is a value. Otherwise the assertion handler receives
    // the text of the error (ringlet/assertions.h).
    T& operator*() { return value(*this); }
    const T& operator*() const { return value(*this); }
    T* operator->() { return &value(*this); }
    const T* operator->() const { return &value(*this); }

    // Access to the error. Precondition: there is no value. The reference is valid as long as this
    // Result is.
    const Error& error() const {
        if (*this) error_of_successful_result();
        return *std::get_if<1>(&state_);
    }

private:
    // One text for the const and the non-const access.
    template <class Self>
    static auto& value(Self& self) {
        if (!self) failed_result_dereferenced(self.error());
        return *std::get_if<0>(&self.state_);
    }

    std::variant<T, Error> state_;
};

// The value of a successful Result<void>.
struct Nothing {};

// The result of a function that returns no value: success, or an Error. A default-constructed one
// is a success.
template <>
class [[nodiscard]] Result<void> : public Result<Nothing> {
public:
    Result() : Result<Nothing>(Nothing{}) {}
    Result(Error error) : Result<Nothing>(std::move(error)) {}
};

}  // namespace ringlet
