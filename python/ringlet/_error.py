"""The exception of all failures of the library."""


class Error(RuntimeError):
    """A failure, with the place in the user's file where there is one.

    `file` is a path or "", `line` and `column` count from 1 or are 0.
    """

    def __init__(self, message: str, file: str = "", line: int = 0, column: int = 0) -> None:
        place = ":".join([file] + [str(number) for number in (line, column) if number]) if file else ""
        super().__init__(f"{place}: {message}" if place else message)
        self.message, self.file, self.line, self.column = message, file, line, column
