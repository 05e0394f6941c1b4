#include "validate/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace ringlet {

namespace {

// Pixels. The legend is in the column on the right.
constexpr double kWidth = 760, kHeight = 420;
constexpr double kLeft = 72, kRight = 540, kTop = 40, kBottom = 366;
// A medium grey, and colours of about the same brightness, readable on white and on black.
constexpr const char* kGrey = "#7f868e";
constexpr const char* kColours[] = {"#d9770b", "#2f80dd", "#2a9d5c", "#a45ad6", "#d64545",
                                    "#12a0a0", "#6b8f1f", "#c04f97", "#9a8210"};

template <class... Values>
std::string print(const char* format, Values... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            default:
                out += c;
        }
    return out;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const char* more = "") {
    return print("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more) +
           escaped(text) + "</text>\n";
}

// "1e-05" as "1e-5".
std::string tick_text(double value) {
    std::string out = print("%g", std::abs(value) < 1e-12 ? 0 : value);
    const std::size_t exponent = out.find('e');
    if (exponent == std::string::npos) return out;
    std::size_t digit = exponent + 2;
    while (digit + 1 < out.size() && out[digit] == '0') out.erase(digit, 1);
    if (out[exponent + 1] == '+') out.erase(exponent + 1, 1);
    return out;
}

// Maps values to pixels along one axis.
class Axis {
public:
    Axis(bool is_log, double low, double high, double from, double to)
        : is_log_(is_log), from_(from), to_(to) {
        if (!(high > low)) {  // a single value, or none
            const double spread = low > 0 ? low / 2 : 1;
            low -= spread;
            high += spread;
        }
        low_ = is_log ? std::log10(low) : low;
        high_ = is_log ? std::log10(high) : high;
        const double room = 0.04 * (high_ - low_);
        low_ -= room;
        high_ += room;
    }

    double place(double value) const {
        const double at = is_log_ ? std::log10(value) : value;
        return from_ + (to_ - from_) * (at - low_) / (high_ - low_);
    }

    // Positions of the tick labels: 1, 2 or 5 times a power of ten; on a logarithmic axis decades,
    // and 2 and 5 of each if there are few decades.
    std::vector<double> ticks() const {
        std::vector<double> out;
        if (is_log_) {
            const int every = std::max(1, static_cast<int>((high_ - low_) / 7));
            for (int e = static_cast<int>(std::floor(low_)); e <= high_; ++e)
                for (const double digit : {1.0, 2.0, 5.0}) {
                    if (digit > 1 ? high_ - low_ > 2.5 : e % every != 0) continue;
                    add_within(out, std::log10(digit) + e, digit * std::pow(10.0, e));
                }
            return out;
        }
        double step = std::pow(10.0, std::floor(std::log10((high_ - low_) / 4)));
        for (const double by : {2.0, 2.5, 2.0})
            if ((high_ - low_) / step > 8) step *= by;
        for (double k = std::ceil(low_ / step); k * step <= high_; ++k) out.push_back(k * step);
        return out;
    }

private:
    void add_within(std::vector<double>& out, double at, double value) const {
        if (at >= low_ && at <= high_) out.push_back(value);
    }
    bool is_log_;
    double low_, high_, from_, to_;
};

bool can_show(const Plot& plot, PlotPoint p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && (!plot.log_x || p.x > 0) &&
           (!plot.log_y || p.y > 0);
}

Axis axis_over(const Plot& plot, double PlotPoint::*along, bool is_log, double from, double to) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const PlotCurve& curve : plot.curves)
        for (const PlotPoint& p : curve.points) {
            if (!can_show(plot, p)) continue;
            low = std::min(low, p.*along);
            high = std::max(high, p.*along);
        }
    if (!std::isfinite(low)) low = high = 1;
    if (plot.from_zero && along == &PlotPoint::y) low = std::min(low, 0.0);
    return {is_log, low, high, from, to};
}

std::string frame_of(const Plot& plot, const Axis& x, const Axis& y) {
    std::string out =
        print("<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" stroke=\"%s\"/>\n",
              kLeft, kTop, kRight - kLeft, kBottom - kTop, kGrey);
    for (const double tick : x.ticks()) {
        const double at = x.place(tick);
        out += print("<path d=\"M%.1f,%gV%g\" stroke=\"%s\" stroke-opacity=\".25\"/>\n", at, kTop,
                     kBottom, kGrey);
        out += text_at(at, kBottom + 17, "middle", tick_text(tick));
    }
    for (const double tick : y.ticks()) {
        const double at = y.place(tick);
        out += print("<path d=\"M%g,%.1fH%g\" stroke=\"%s\" stroke-opacity=\".25\"/>\n", kLeft, at,
                     kRight, kGrey);
        out += text_at(kLeft - 7, at + 4, "end", tick_text(tick));
    }
    out += text_at(kLeft, 24, "start", plot.title, " font-size=\"16\"");
    out += text_at((kLeft + kRight) / 2, kBottom + 42, "middle", plot.x_label);
    const double middle = (kTop + kBottom) / 2;
    out += text_at(18, middle, "middle", plot.y_label,
                   print(" transform=\"rotate(-90 18 %g)\"", middle).c_str());
    return out;
}

std::string marker_at(int shape, double x, double y) {
    switch (shape % 4) {
        case 0:
            return print("M%.1f,%.1fa4,4 0 1 0 8,0a4,4 0 1 0 -8,0", x - 4, y);
        case 1:
            return print("M%.1f,%.1fh7v7h-7z", x - 3.5, y - 3.5);
        case 2:
            return print("M%.1f,%.1fl4.5,8h-9z", x, y - 5);
        default:
            return print("M%.1f,%.1fl4.5,5l-4.5,5l-4.5,-5z", x, y - 5);
    }
}

struct Pen {
    std::string colour, dash;
    double width = 1.6;
};

// Theoretical curves are grey, and dashed if there are several; models have colours.
Pen pen_of(const PlotCurve& curve, int theory_count) {
    if (!curve.is_theory)
        return {kColours[static_cast<std::size_t>(curve.colour) % std::size(kColours)], "", 1.6};
    constexpr const char* dashes[] = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""};
    return {kGrey, dashes[theory_count % 3], 2.2};
}

std::string curve_path(const Plot& plot, const PlotCurve& curve, const Pen& pen, const Axis& x,
                       const Axis& y) {
    std::string path;
    bool is_open = false;
    for (const PlotPoint& p : curve.points) {
        if (!can_show(plot, p)) {
            is_open = false;
            continue;
        }
        const double at_x = x.place(p.x), at_y = y.place(p.y);
        path += curve.is_line ? print(is_open ? "L%.1f,%.1f" : "M%.1f,%.1f", at_x, at_y)
                              : marker_at(curve.colour, at_x, at_y);
        is_open = true;
    }
    const std::string open = "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + pen.colour + "\"";
    return open + print(" stroke-width=\"%g\"", pen.width) + pen.dash + "/>\n";
}

std::string legend_entry(const PlotCurve& curve, const Pen& pen, double y) {
    const double x = kRight + 14;
    const std::string path =
        curve.is_line ? print("M%g,%gh24", x, y) : marker_at(curve.colour, x + 12, y);
    return "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + pen.colour + "\"" +
           print(" stroke-width=\"%g\"", pen.width) + pen.dash + "/>\n" +
           text_at(x + 31, y + 4, "start", curve.label);
}

std::string panel_of(const Plot& plot) {
    const Axis x = axis_over(plot, &PlotPoint::x, plot.log_x, kLeft, kRight);
    const Axis y = axis_over(plot, &PlotPoint::y, plot.log_y, kBottom, kTop);
    std::string out = frame_of(plot, x, y);
    int theory_count = 0;
    double legend_y = kTop + 10;
    for (const PlotCurve& curve : plot.curves) {
        const Pen pen = pen_of(curve, theory_count);
        theory_count += curve.is_theory;
        out += curve_path(plot, curve, pen, x, y) + legend_entry(curve, pen, legend_y);
        legend_y += 20;
    }
    return out;
}

std::string page_of(int panels) {
    const double height = kHeight * panels;
    return print(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" width=\"%g\" "
        "height=\"%g\" font-family=\"sans-serif\" font-size=\"12\" fill=\"%s\">\n",
        kWidth, height, kWidth, height, kGrey);
}

}  // namespace

std::string to_svg(const Plot& plot) { return page_of(1) + panel_of(plot) + "</svg>\n"; }

std::string to_svg(std::span<const Plot> plots) {
    std::string out = page_of(static_cast<int>(plots.size()));
    double y = 0;
    for (const Plot& plot : plots) {
        out += print("<g transform=\"translate(0 %g)\">\n", y) + panel_of(plot) + "</g>\n";
        y += kHeight;
    }
    return out + "</svg>\n";
}

}  // namespace ringlet
