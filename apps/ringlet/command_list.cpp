// To add a command: write commands/NAME.cpp with a function that returns its Command, and add that
// function here.
#include "command.h"

Command bench_command(), convert_command(), groom_command(), info_command(), new_command(),
    render_command(), scenes_command(), sheet_command(), simulate_command(), validate_command(),
    video_command(), view_command();

std::vector<Command> all_commands() {
    return {view_command(),  new_command(),      render_command(), simulate_command(),
            groom_command(), convert_command(),  sheet_command(),  video_command(),
            info_command(),  validate_command(), bench_command(),  scenes_command()};
}
