#include "validate/suite.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdio>
#include <mutex>

#include "validate/claims.h"

namespace ringlet {

CheckOutcome run_check(const Check& check, const CheckRun& run) {
    CheckOutcome out = check.measure(run);
    for (CheckRow& row : out.rows) {
        row.check = check.name;
        row.model = run.profile.model;
        judge(row, run.profile.claims);
    }
    for (Plot& plot : out.plots) plot.check = check.name;
    return out;
}

namespace {

// Appends a number with all significant digits, as in "the CPU measures 0.1".
std::string exactly(const char* words, double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%s %.17g", words, value);
    return text;
}

// Merges the curves of all models into one plot, with the theory only once.
void merge(std::vector<Plot>& plots, Plot&& plot) {
    const auto same = std::find_if(plots.begin(), plots.end(),
                                   [&](const Plot& p) { return p.name == plot.name; });
    if (same == plots.end()) {
        plots.push_back(std::move(plot));
        return;
    }
    for (PlotCurve& curve : plot.curves) {
        const bool is_known =
            std::any_of(same->curves.begin(), same->curves.end(),
                        [&](const PlotCurve& c) { return c.is_theory && c.label == curve.label; });
        if (!is_known) same->curves.push_back(std::move(curve));
    }
}

}  // namespace

int hold_to_cpu(const CheckOutcome& cpu, CheckOutcome& found) {
    int differing = 0;
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
        CheckRow& row = found.rows[k];
        const CheckRow* there = k < cpu.rows.size() ? &cpu.rows[k] : nullptr;
        const bool same = there && there->what == row.what &&
                          std::bit_cast<std::uint64_t>(there->measured) ==
                              std::bit_cast<std::uint64_t>(row.measured);
        if (same) continue;
        ++differing;
        row.verdict = Verdict::fail;
        row.reason =
            there ? exactly("the CPU measures", there->measured) : "the CPU has no such row";
    }
    return differing;
}

Result<Validation> run_suite(std::span<const Check> checks, std::span<const Profile> profiles,
                             const SuiteOptions& options, const TaskPool& pool,
                             const Listener& listener) {
    Validation out;
    out.size = options.size;
    out.backend = options.backend;
    for (const Profile& profile : profiles) out.models.emplace_back(profile.model);
    for (const Check& check : checks)
        out.checks.push_back({check.name, check.sentence, check.source});
    // In parallel: most checks have one or two strands, which do not occupy a device or many cores.
    const int total = static_cast<int>(checks.size() * profiles.size());
    std::vector<CheckOutcome> outcomes(static_cast<std::size_t>(total));
    std::mutex progress;
    int done = 0;
    bool stopped = false;
    std::atomic<int> differing = 0;
    const auto report = [&](int more) {
        const std::lock_guard<std::mutex> lock(progress);
        done += more;
        stopped = stopped || !listener.proceed("validating", done, total);
        return !stopped;
    };
    pool.for_each(total, [&](int k) {
        const auto at = static_cast<std::size_t>(k);
        const Check& check = checks[at / profiles.size()];
        const Profile& profile = profiles[at % profiles.size()];
        if (!report(0)) return;
        CheckRun run{profile, options.size, pool, options.backend, options.scenes};
        outcomes[at] = run_check(check, run);
        if (run.backend != Backend::cpu) {
            run.backend = Backend::cpu;
            differing += hold_to_cpu(run_check(check, run), outcomes[at]);
        }
        report(1);
    });
    if (stopped) return Error{"stopped"};
    out.differing = differing;
    for (CheckOutcome& found : outcomes) {
        std::move(found.rows.begin(), found.rows.end(), std::back_inserter(out.rows));
        for (Plot& plot : found.plots) merge(out.plots, std::move(plot));
    }
    return out;
}

}  // namespace ringlet
