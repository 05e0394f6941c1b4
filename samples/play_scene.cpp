// Plays a built-in scene with other settings and reads the positions of its strands.
#include <ringlet/ringlet.h>

#include <cstdio>

int main() {
    auto session = ringlet::Session::open("curls", {.overrides = {"groom.strands=200"}});
    if (!session) {
        std::fprintf(stderr, "%s\n", session.error().text().c_str());
        return 1;
    }
    for (int frame = 0; frame < 10; ++frame) session->step();
    const std::vector<float> xyz = session->positions();  // metres
    std::printf("ringlet %s: %d strands, %zu vertices, hash %s\n", ringlet::version(),
                session->strand_count(), xyz.size() / 3, session->hash().c_str());
}
