// How the library tells its caller that the user's data is wrong: a value or an Error, never an
// exception, never a message on the terminal.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace ringlet {

// One line a person can act on: where, what, and what to do about it.
struct Error {
    std::string message;  // what is wrong, and the remedy
    std::string file{};   // empty when no file is concerned
    int line = 0;         // 1-based; 0 when unknown
    int column = 0;       // 1-based; 0 when unknown

    // "file:line:column: message", leaving out what is not known.
    std::string text() const;
};

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return state_.index() == 0; }
    T& operator*() { return *std::get_if<0>(&state_); }
    const T& operator*() const { return *std::get_if<0>(&state_); }
    T* operator->() { return std::get_if<0>(&state_); }
    const T* operator->() const { return std::get_if<0>(&state_); }
    const Error& error() const { return *std::get_if<1>(&state_); }

private:
    std::variant<T, Error> state_;
};

struct Nothing {};

template <>
class [[nodiscard]] Result<void> : public Result<Nothing> {
public:
    Result() : Result<Nothing>(Nothing{}) {}
    Result(Error error) : Result<Nothing>(std::move(error)) {}
};

}  // namespace ringlet
