#include "session/bench/bench_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "validate/svg_plot.h"

namespace ringlet {

namespace {

using Value = std::function<double(const BenchRow&)>;

std::string name_of(const BenchRow& row) {
    return row.world == "alone" ? row.report.model : row.report.model + ", " + row.world;
}

// Rows by size, one line for each model and world, in the order of measurement.
struct Sweep {
    std::string along;  // meaning of the size
    std::vector<std::string> names;
    std::map<std::string, std::map<int, const BenchRow*>> rows;  // by name, then by size

    void add(int size, const BenchRow& row) {
        auto& line = rows[name_of(row)];
        if (line.empty()) names.push_back(name_of(row));
        line[size] = &row;
    }
};

Sweep over_strands(const Bench& bench) {
    Sweep out{"strands", {}, {}};
    for (const BenchRow& row : bench.rows)
        if (row.group == "models" && row.strand_vertices == kScalingVertices)
            out.add(row.report.strands, row);
    return out;
}

Sweep over_vertices(const Bench& bench) {
    Sweep out{"vertices of a strand", {}, {}};
    for (const BenchRow& row : bench.rows)
        if (row.group == "models" && row.report.strands == kScalingStrands)
            out.add(row.strand_vertices, row);
    return out;
}

// "1,000,000".
std::string with_commas(int number) {
    std::string out = fmt::format("{}", number);
    for (int at = static_cast<int>(out.size()) - 3; at > 0; at -= 3)
        out.insert(static_cast<std::size_t>(at), ",");
    return out;
}

std::string table_of(const Sweep& sweep, const char* format, const Value& value) {
    std::vector<int> sizes;
    for (const auto& [name, line] : sweep.rows)
        for (const auto& [size, row] : line) sizes.push_back(size);
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    std::string out = "| " + sweep.along + " |", rule = "|---|";
    for (const int size : sizes) {
        out += " " + with_commas(size) + " |";
        rule += "---|";
    }
    out += "\n" + rule + "\n";
    for (const std::string& name : sweep.names) {
        out += "| " + name + " |";
        const auto& line = sweep.rows.at(name);
        for (const int size : sizes) {
            const auto found = line.find(size);
            out += found == line.end()
                       ? " |"
                       : " " + fmt::format(fmt::runtime(format), value(*found->second)) + " |";
        }
        out += "\n";
    }
    return out;
}

double time_of(const BenchRow& row) { return row.ns_per_vertex_substep; }

// Memory by kind, at kScalingStrands strands.
std::string memory_table(const Sweep& strands) {
    std::string out = "| | bytes per vertex | of which |\n|---|---|---|\n";
    for (const std::string& name : strands.names) {
        const auto& line = strands.rows.at(name);
        const auto found = line.find(kScalingStrands);
        if (found == line.end()) continue;
        const BenchRow& row = *found->second;
        std::string parts;
        for (const BenchMemory& use : row.memory)
            parts += fmt::format("{}{} {:.3g}", parts.empty() ? "" : ", ", use.what,
                                 use.bytes_per_vertex);
        out += fmt::format("| {} | {:.0f} | {} |\n", name, row.bytes_per_vertex, parts);
    }
    return out;
}

Plot plot_of(const Sweep& sweep, std::string title) {
    Plot out;
    out.title = std::move(title);
    out.x_label = sweep.along;
    out.y_label = "ns per vertex and substep";
    out.log_x = out.from_zero = true;
    for (const std::string& name : sweep.names) {
        PlotCurve curve;
        curve.label = name;
        curve.is_line = true;
        curve.colour = static_cast<int>(out.curves.size());
        for (const auto& [size, row] : sweep.rows.at(name))
            curve.points.push_back({static_cast<double>(size), time_of(*row)});
        out.curves.push_back(std::move(curve));
    }
    return out;
}

}  // namespace

std::string scaling_svg(const Bench& bench) {
    std::vector<Plot> plots;
    plots.push_back(
        plot_of(over_strands(bench), fmt::format("Strands of {} vertices", kScalingVertices)));
    plots.push_back(plot_of(over_vertices(bench), with_commas(kScalingStrands) + " strands"));
    return to_svg(plots);
}

std::string scaling_tables(const Bench& bench) {
    const Sweep strands = over_strands(bench), vertices = over_vertices(bench);
    std::string out = fmt::format("Nanoseconds per vertex and substep, strands of {} vertices:\n\n",
                                  kScalingVertices) +
                      table_of(strands, "{:.1f}", time_of);
    out += fmt::format("\n... and {} strands of more or fewer vertices:\n\n",
                       with_commas(kScalingStrands)) +
           table_of(vertices, "{:.1f}", time_of);
    out += fmt::format("\nBytes per vertex, strands of {} vertices:\n\n", kScalingVertices) +
           table_of(strands, "{:.0f}", [](const BenchRow& row) { return row.bytes_per_vertex; });
    out += "\nPeak memory of the process, including the groom's positions, MB:\n\n" +
           table_of(strands, "{:.0f}", [](const BenchRow& row) {
               return static_cast<double>(row.report.peak_memory_bytes) / 1e6;
           });
    return out +
           fmt::format("\nMemory by kind, {} strands of {} vertices:\n\n",
                       with_commas(kScalingStrands), kScalingVertices) +
           memory_table(strands);
}

}  // namespace ringlet
