// Prints tables for docs/models:
//     measure_motion pbd ftl spring   how sag, frequency and decay depend on the step
//     measure_motion published        the same for pbd with sim.pbd.stiffness_step = 0
//     measure_motion second_order     the same for pbd with sim.pbd.integrator = "second_order"
//     measure_motion conserved        energy and angular momentum that pbd loses
//     measure_motion bounce           decay of released curls of the rod at several steps
//     measure_motion dials FOLDER     decay against sim.rod.bounce_dial; FOLDER/bounce_dial.svg
#include <cstdio>
#include <fstream>
#include <string>

#include "motion.h"
#include "sim/materials.h"
#include "validate/svg_plot.h"

namespace {

using namespace ringlet;

struct Effort {
    int per_second, substeps, iterations;
};

void make_stiff(SimSettings& settings, std::string_view model) {
    for (const ModelEntry& entry : all_models())
        if (entry.name == model) {
            entry.profile.prepare(settings);
            entry.profile.make_stiff(settings);
        }
    settings.pbd.bend_stiffness = 0.8f;
}

void make_curly(SimSettings& settings, std::string_view model) {
    for (const ModelEntry& entry : all_models())
        if (entry.name == model) entry.profile.make_curly(settings);
}

void make_limp(SimSettings& settings, std::string_view model) {
    for (const ModelEntry& entry : all_models())
        if (entry.name == model) {
            entry.profile.prepare(settings);
            entry.profile.make_limp(settings);
        }
    settings.clamp_root = false;
}

void use_material(RodSettings& rod, const std::string& name) {
    for (std::size_t k = 0; k < all_materials().size(); ++k)
        if (all_materials()[k].name == name) set_material(rod, static_cast<int>(k));
}

PbdSettings published() {
    PbdSettings out;
    out.stiffness_step = 0;
    return out;
}

PbdSettings of_second_order() {
    PbdSettings out;
    out.integrator = Integrator::second_order;
    return out;
}

void print_model(const std::string& model, const PbdSettings& pbd = {}) {
    std::vector<Effort> efforts;
    for (const int substeps : {1, 2, 4, 8, 16, 40}) efforts.push_back({60, substeps, 5});
    for (const int per_second : {30, 240}) efforts.push_back({per_second, 8, 5});
    if (model == "pbd") {
        for (const int iterations : {1, 3, 20}) efforts.push_back({60, 8, iterations});
        efforts.push_back({60, 40, 1});
    }
    efforts.push_back({60, 128, 5});
    std::printf(
        "%s\n| dt, substeps x iterations | chain: Hz, decay s | beam: sag mm, Hz, decay s | "
        "curl: sag mm, Hz, decay s |\n|---|---|---|---|\n",
        model.c_str());
    for (const Effort& effort : efforts) {
        SimSettings limp = settings_of(model);
        limp.dt = 1.0f / static_cast<float>(effort.per_second);
        limp.substeps = effort.substeps;
        limp.iterations = effort.iterations;
        limp.pbd.stiffness_step = pbd.stiffness_step;
        limp.pbd.integrator = pbd.integrator;
        SimSettings stiff = limp, curly = limp;
        make_limp(limp, model);
        make_stiff(stiff, model);
        make_curly(curly, model);
        const Swing chain = measure(limp, pendulum_release());
        const Swing beam = measure(stiff, beam_release());
        const Swing curl = measure(curly, curl_release());
        std::printf("| 1/%d s, %d x %d | %.3f, %.3g | %.2f, %.2f, %.3g | %.2f, %.2f, %.3g |\n",
                    effort.per_second, effort.substeps, effort.iterations, chain.frequency,
                    chain.decay, beam.sag * 1e3, beam.frequency, beam.decay, curl.sag * 1e3,
                    curl.frequency, curl.decay);
        std::fflush(stdout);
    }
}

// Prints the quantities that pbd conserves with either integrator.
void print_conserved() {
    std::printf("| substeps | integrator | energy left | pendulum loss | spin loss |\n");
    for (const int substeps : {2, 4, 8, 16, 128})
        for (const Integrator integrator : {Integrator::second_order, Integrator::backward_euler}) {
            SimSettings settings = settings_of("pbd");
            settings.substeps = substeps;
            settings.pbd.integrator = integrator;
            SimSettings limp = settings, curly = settings;
            make_limp(limp, "pbd");
            make_curly(curly, "pbd");
            std::printf("| %d | %s | %.4f | %.5f | %.5f |\n", substeps,
                        integrator == Integrator::second_order ? "second order" : "backward Euler",
                        energy_left(limp), pendulum_loss(settings), spin_loss(curly));
        }
}

// Decay of released curls in air at several steps, relative to that at 1/960 s x 8.
void print_bounce() {
    struct Curl {
        float radius, pitch, height;
    };
    struct Material {
        const char* name;
        float damping, dial;
    };
    constexpr Effort kEfforts[] = {{960, 8, 1}, {60, 2, 1}, {60, 2, 2}, {60, 4, 1}};
    constexpr Material kMaterials[] = {{"0", 0, 0.5f},
                                       {"0.5 ms, dial 0", 5e-4f, 0},
                                       {"0.5 ms", 5e-4f, 0.5f},
                                       {"0.5 ms, dial 1", 5e-4f, 1}};
    std::printf(
        "| radius, pitch, height | damping | 1/960 s, 8 x 1 | 1/60 s, 2 x 1 | 2 x 2 | 4 x 1 |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const Curl& curl :
         {Curl{0.013f, 0.045f, 0.2f}, Curl{0.008f, 0.08f, 0.2f}, Curl{0.008f, 0.08f, 0.25f},
          Curl{0.01f, 0.08f, 0.15f}, Curl{0.009f, 0.045f, 0.2f}, Curl{0.008f, 0.045f, 0.15f},
          Curl{0.009f, 0.045f, 0.1f}})
        for (const Material& material : kMaterials) {
            std::printf("| %.0f, %.0f, %.0f mm | %s |", 1e3 * static_cast<double>(curl.radius),
                        1e3 * static_cast<double>(curl.pitch),
                        1e3 * static_cast<double>(curl.height), material.name);
            double limit = 0, energy_limit = 0;
            for (const Effort& effort : kEfforts) {
                SimSettings settings = settings_of("rod");
                settings.damping = 1;
                settings.rod.sag_free_safety = 1.5f;  // as in curl_bounce of `ringlet validate`
                settings.dt = 1.0f / static_cast<float>(effort.per_second);
                settings.substeps = effort.substeps;
                settings.rod.solves = effort.iterations;
                settings.rod.damping = material.damping;
                settings.rod.bounce_dial = material.dial;
                const Swing found =
                    measure(settings, hanging_curl(curl.radius, curl.pitch, curl.height));
                if (limit == 0) limit = found.decay;
                if (energy_limit == 0) energy_limit = found.energy_decay;
                std::printf(" %.2f Hz, %.2f s (%+.0f %%), %.2f s (%+.0f %%) |", found.frequency,
                            found.decay, 100 * (found.decay / limit - 1), found.energy_decay,
                            100 * (found.energy_decay / energy_limit - 1));
            }
            std::printf("\n");
            std::fflush(stdout);
        }
}

// Decay of released hair against the bounce dial at three steps: a table, and a plot in `folder`.
void print_dials(const std::string& folder) {
    constexpr Effort kEfforts[] = {{60, 2, 1}, {240, 2, 1}, {960, 8, 1}};
    std::vector<Plot> plots;
    for (const std::string wet : {"", "wet_"}) {
        Plot plot;
        plot.title = std::string(wet.empty() ? "Dry" : "Wet") +
                     " hair: decay of a bounce to 1/e, at 1/60 s x 2 (markers)";
        plot.x_label = "bounce_dial";
        plot.y_label = "s";
        plot.log_y = true;
        int colour = 0;
        for (const HairType& type : hair_types()) {
            PlotCurve coarse{type.name, false, false, colour, {}};
            PlotCurve fine{"1/960 s x 8", false, true, colour++, {}};
            for (const float dial : {0.0f, 0.25f, 0.5f, 0.75f, 1.0f}) {
                std::printf("| %s%s | %.2f |", wet.c_str(), type.name, static_cast<double>(dial));
                double last = 0;
                for (const Effort& effort : kEfforts) {
                    SimSettings settings = settings_of("rod");
                    settings.damping = 1;
                    settings.dt = 1.0f / static_cast<float>(effort.per_second);
                    settings.substeps = effort.substeps;
                    settings.rod.bounce_dial = dial;
                    use_material(settings.rod, wet + type.name);
                    const Swing found = measure(settings, type.release);
                    std::printf(" %.2f Hz, %.2f s |", found.frequency, found.decay);
                    last = found.decay;
                    if (effort.per_second == 60)
                        coarse.points.push_back({static_cast<double>(dial), found.decay});
                }
                fine.points.push_back({static_cast<double>(dial), last});
                std::printf("\n");
                std::fflush(stdout);
            }
            plot.curves.push_back(coarse);
            plot.curves.push_back(fine);
        }
        plots.push_back(plot);
    }
    if (!folder.empty()) std::ofstream(folder + "/bounce_dial.svg") << to_svg(plots);
}

}  // namespace

int main(int count, char** arguments) {
    for (int k = 1; k < count; ++k) {
        const std::string word = arguments[k];
        if (word == "dials")
            print_dials(k + 1 < count ? arguments[++k] : "");
        else if (word == "bounce")
            print_bounce();
        else if (word == "published")
            print_model("pbd", published());
        else if (word == "second_order")
            print_model("pbd", of_second_order());
        else if (word == "conserved")
            print_conserved();
        else
            print_model(word);
    }
}
