// [wind]: the motion of the air.
#include "parameters/sim_tables.h"

namespace ringlet {

void declare_wind(ParameterTable& table, Wind& settings) {
    ParameterGroup<Wind> wind(table.parameters, "wind.", settings);
    wind.vector("velocity", &Wind::velocity)
        .unit("m/s")
        .range(-200, 200)
        .says("Mean velocity of the air; sim.damping couples hair to it.");
    wind.real("oscillation", &Wind::oscillation)
        .range(0, 1)
        .says(
            "Relative amplitude of the oscillation of the speed; 0: steady, 1: from 0 to twice the "
            "mean.");
    wind.real("frequency", &Wind::frequency)
        .unit("1/s")
        .range(0, 100)
        .says("Frequency of that oscillation.");
    wind.real("gust", &Wind::gust).unit("m/s").range(0, 200).says("Additional speed of one gust.");
    wind.real("gust_time", &Wind::gust_time)
        .unit("s")
        .range(0, 86400)
        .says("Time at which the gust starts.");
    wind.real("gust_duration", &Wind::gust_duration)
        .unit("s")
        .range(0.01, 86400)
        .says("Duration of the gust.");
    wind.real("shelter", &Wind::shelter)
        .range(0, 1)
        .says("Fraction by which the drag on hair of the groomed density is reduced.");
    wind.real("turbulence", &Wind::turbulence)
        .unit("m/s")
        .range(0, 100)
        .says("Root mean square of the velocity that turbulence adds.");
    wind.real("turbulence_size", &Wind::turbulence_size)
        .unit("m")
        .range(0.01, 1000)
        .says("Longest wavelength of the turbulence; the shortest is an eighth of it.");
    wind.whole("turbulence_seed", &Wind::turbulence_seed)
        .range(0, 4294967295.0)
        .says("Seed of the turbulence.");
}

}  // namespace ringlet
