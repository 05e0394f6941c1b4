#include "sim/cuda/hair_grid.h"

#include <bit>

namespace ringlet {

namespace {

constexpr unsigned long long kNoKey = ~0ull;
constexpr int kThreads = 256, kSplatThreads = 128;
constexpr unsigned kWholeWarp = 0xffffffffu;

}  // namespace

struct CudaHairGrid::Table {
    unsigned long long* keys;
    std::int32_t *tile_of_slot, *slots, *above;
    NodeSum* sums;
    NodeAnswer* answers;
    Counts* counts;
    std::uint32_t mask;
    int limit;
    float largest_volume;

    __device__ GridUnits units() const { return {from_bits(counts->fastest), largest_volume}; }
    __device__ std::uint32_t slot_of(unsigned long long key) const {
        return static_cast<std::uint32_t>(key * 0x9e3779b97f4a7c15ull >> 32) & mask;
    }
    // Tiles are numbered as they come; nothing depends on the number.
    __device__ void insert(unsigned long long key) const {
        for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask) {
            const unsigned long long found = atomicCAS(keys + slot, kNoKey, key);
            if (found == key) return;
            if (found != kNoKey) continue;
            const int tile = atomicAdd(&counts->tiles, 1);
            tile_of_slot[slot] = tile;
            if (tile < limit) slots[tile] = static_cast<std::int32_t>(slot);
            return;
        }
    }
    // -1 where there is none.
    __device__ int find(unsigned long long key) const {
        for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask) {
            if (keys[slot] == key) return tile_of_slot[slot];
            if (keys[slot] == kNoKey) return -1;
        }
    }
    // The k-th corner of the cell whose lowest is that node of the tile.
    __device__ std::size_t corner(int tile, int node, int k) const {
        constexpr int last = kTileSide - 1;
        const int x = (node & last) + (k & 1), y = (node >> kTileBits & last) + (k >> 1 & 1),
                  z = (node >> 2 * kTileBits) + (k >> 2);
        const int up = x >> kTileBits | (y >> kTileBits) << 1 | (z >> kTileBits) << 2;
        return static_cast<std::size_t>(above[tile * 8 + up]) * kTileNodes + node_in_tile(x, y, z);
    }
};

namespace {

using Table = CudaHairGrid::Table;

__device__ void add(std::int64_t* to, std::int64_t a) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(a));
}

// The largest of positive floats by their bits, of which the larger has the larger.
__device__ void raise(std::int32_t& to, std::int32_t bits) {
    for (int step = kWarp / 2; step > 0; step /= 2)
        bits = max(bits, __shfl_xor_sync(kWholeWarp, bits, step));
    if (threadIdx.x % kWarp == 0 && bits > *static_cast<volatile std::int32_t*>(&to))
        atomicMax(&to, bits);
}

__global__ void find_tiles(Table table, DeviceStrands strands, const float* x, const float* v,
                           float cells_per_metre) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    unsigned long long key = kNoKey;
    float speed = 0;
    if (vertex.exists) {
        const Vec3f cells = vertex.vec3(x) * cells_per_metre, velocity = vertex.vec3(v);
        if (is_in_reach(cells)) key = tile_key(place_of(cells));
        if (is_slow_enough(velocity)) speed = largest_part(velocity);
    }
    raise(table.counts->fastest, bits_of(speed));
    const unsigned same = __match_any_sync(kWholeWarp, key);
    const bool is_first = __ffs(static_cast<int>(same)) - 1 == static_cast<int>(threadIdx.x % 32);
    if (key != kNoKey && is_first) table.insert(key);
}

__global__ void note_tiles_with_hair(Table table) {
    table.counts->tiles_with_hair = table.counts->tiles;
}

// Every tile with vertices needs those above it, which its vertices reach.
__global__ void find_tiles_above(Table table) {
    const int count = min(table.counts->tiles_with_hair, table.limit) * 8;
    for (int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); k < count;
         k += static_cast<int>(gridDim.x * blockDim.x)) {
        const unsigned long long key = table.keys[table.slots[k / 8]];
        table.insert(moved_key(key, k & 1, k >> 1 & 1, k >> 2 & 1));
    }
}

__global__ void clear_tiles(Table table) {
    const int tiles = min(table.counts->tiles, table.limit);
    const int with_hair = min(table.counts->tiles_with_hair, table.limit);
    const int stride = static_cast<int>(gridDim.x * blockDim.x);
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = thread; k < tiles * kTileNodes; k += stride) table.sums[k] = NodeSum{};
    for (int k = thread; k < with_hair * 8; k += stride) {
        const unsigned long long key = table.keys[table.slots[k / 8]];
        table.above[k] = table.find(moved_key(key, k & 1, k >> 1 & 1, k >> 2 & 1));
    }
}

// Groups of 32 strands whose like vertices a warp adds up together: the more share a cell, the
// fewer additions to memory.
constexpr int kGroups = 8;

// What the vertices of a warp have to give, in units: places in their cells with the volume they
// fill, and their mass with their momentum.
struct Giving {
    float4 place[kGroups][32];
    float amounts[kGroups][32][4];
};

// The lane-th thread sums up what the vertices of a cell give to its (lane % 8)-th node: their mass
// or one axis of their momentum, and their volume.
struct Given {
    std::int64_t amount = 0, volume = 0;

    __device__ void add(const float4* places, const float (*amounts)[4], unsigned vertices,
                        int lane) {
        for (; vertices != 0; vertices &= vertices - 1) {
            const int j = __ffs(static_cast<int>(vertices)) - 1;
            const float4 t = places[j];
            const float x = lane & 1 ? t.x : 1 - t.x, y = lane & 2 ? t.y : 1 - t.y;
            const float w = x * y * (lane & 4 ? t.z : 1 - t.z);
            amount += __float2int_rn(amounts[j][lane >> 3] * w);
            volume += __float2int_rn(t.w * w);
        }
    }
};

__global__ void __launch_bounds__(kSplatThreads)
    splat(Table table, DeviceStrands strands, const float* x, const float* v, const float* volume,
          float cells_per_metre) {
    __shared__ Giving warps[kSplatThreads / 32];
    const int warp = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
    const int lane = static_cast<int>(threadIdx.x % 32);
    Giving& giving = warps[threadIdx.x / 32];
    // A cell is the number of its lowest node among the tiles that have hair.
    constexpr int kNone = -1;
    const GridUnits units = table.units();
    int cell[kGroups];
    unsigned left[kGroups];
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
        const DeviceVertex vertex = vertex_of(strands, warp / strands.most_rows * kGroups + g,
                                              warp % strands.most_rows, lane);
        cell[g] = kNone;
        if (vertex.exists) {
            const Vec3f cells = vertex.vec3(x) * cells_per_metre, speed = vertex.vec3(v);
            if (is_in_reach(cells) && is_slow_enough(speed)) {
                const GridPlace place = place_of(cells);
                cell[g] = table.find(tile_key(place)) * kTileNodes +
                          node_in_tile(place.x, place.y, place.z);
                giving.place[g][lane] = {place.t.x, place.t.y, place.t.z,
                                         *vertex.in(volume, 1) * units.volume};
                const Vec3f momentum = speed * units.momentum;
                const float amounts[4] = {GridUnits::kMass, momentum.x, momentum.y, momentum.z};
                for (int n = 0; n < 4; ++n) giving.amounts[g][lane][n] = amounts[n];
            }
        }
        left[g] = __ballot_sync(kWholeWarp, cell[g] != kNone);
    }
    __syncwarp();
    const int which = lane >> 3;
#pragma unroll
    for (int first = 0; first < kGroups; ++first)
        while (left[first] != 0) {
            const int here =
                __shfl_sync(kWholeWarp, cell[first], __ffs(static_cast<int>(left[first])) - 1);
            Given given;
#pragma unroll
            for (int g = first; g < kGroups; ++g) {
                const unsigned same = __ballot_sync(kWholeWarp, cell[g] == here);
                left[g] &= ~same;
                given.add(giving.place[g], giving.amounts[g], same, lane);
            }
            NodeSum& node =
                table.sums[table.corner(here / kTileNodes, here % kTileNodes, lane & 7)];
            add(which == 0 ? &node.mass : &node.momentum[which - 1], given.amount);
            if (which == 0) add(&node.volume, given.volume);
        }
}

// The density at a node's neighbour, in its tile or the next.
__device__ float density_beside(const Table& table, const GridUnits& units, int tile,
                                unsigned long long key, int node, int axis, int step) {
    constexpr int last = kTileSide - 1;
    const int shift = kTileBits * axis, there = (node >> shift & last) + step;
    if (there < 0 || there > last) {
        tile = table.find(
            moved_key(key, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0));
        if (tile < 0) return 0;
    }
    const int beside = (node & ~(last << shift)) | (there & last) << shift;
    return units.density(table.sums[tile * kTileNodes + beside].volume);
}

__global__ void answer(Table table, MixUniforms uniforms) {
    const int count = table.counts->tiles * kTileNodes;
    const GridUnits units = table.units();
    for (int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); k < count;
         k += static_cast<int>(gridDim.x * blockDim.x)) {
        const int tile = k / kTileNodes, node = k % kTileNodes;
        const NodeSum sum = table.sums[k];
        NodeAnswer out{};
        if (sum.mass > 0) {
            const unsigned long long key = table.keys[table.slots[tile]];
            const auto slope = [&](int axis) {
                return 0.5f * (density_beside(table, units, tile, key, node, axis, 1) -
                               density_beside(table, units, tile, key, node, axis, -1));
            };
            const Vec3f momentum = {static_cast<float>(sum.momentum[0]),
                                    static_cast<float>(sum.momentum[1]),
                                    static_cast<float>(sum.momentum[2])};
            const Answer<float> a =
                answer_of(uniforms, static_cast<float>(sum.mass), momentum * units.speed(),
                          units.density(sum.volume), Vec3f{slope(0), slope(1), slope(2)});
            out = {{a.push.x, a.push.y, a.push.z}, a.share, a.density, a.pressure, {0, 0}};
        }
        table.answers[k] = out;
    }
}

__global__ void take_answers(Table table, DeviceStrands strands, MixUniforms uniforms,
                             const float* x, float* v, float* density, float cells_per_metre) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists) return;
    const Vec3f cells = vertex.vec3(x) * cells_per_metre;
    if (!is_in_reach(cells)) {
        *vertex.in(density, 1) = 0;
        return;
    }
    const GridPlace place = place_of(cells);
    const int tile = table.find(tile_key(place));
    const int lowest = node_in_tile(place.x, place.y, place.z);
    float weights[8], pressure[8];
    corner_weights(place.t, weights);
    Answer<float> at[8];
    for (int k = 0; k < 8; ++k) {
        const NodeAnswer& node = table.answers[table.corner(tile, lowest, k)];
        at[k] = {Vec3f{node.push[0], node.push[1], node.push[2]} * weights[k],
                 node.share * weights[k], node.density * weights[k], node.pressure * weights[k]};
        pressure[k] = node.pressure;
    }
    const Answer<float> taken = sum_of_corners(at);
    *vertex.in(density, 1) = taken.density;
    if (vertex.vertex < uniforms.first_free || vertex.vertex >= vertex.end - uniforms.held_tips)
        return;
    const Vec3f before = vertex.vec3(v);
    if (!is_slow_enough(before)) return;
    Vec3f after = mixed(before, taken);
    if (taken.pressure > 0) after += squeezed_out(uniforms, pressure, place.t);
    vertex.set_vec3(v, after);
}

// Only what was used; all of it where tiles came without a number to keep.
__global__ void forget_tiles(Table table) {
    const int tiles = table.counts->tiles, stride = static_cast<int>(gridDim.x * blockDim.x);
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (tiles > table.limit)
        for (std::uint32_t slot = static_cast<std::uint32_t>(thread); slot <= table.mask;
             slot += static_cast<std::uint32_t>(stride))
            table.keys[slot] = kNoKey;
    else
        for (int k = thread; k < tiles; k += stride) table.keys[table.slots[k]] = kNoKey;
}

}  // namespace

CudaHairGrid::CudaHairGrid(int tile_limit, std::int64_t vertex_total)
    : tile_limit_(tile_limit),
      keys_(std::bit_ceil(static_cast<std::size_t>((vertex_total + tile_limit * 8) * 3 / 2))),
      tile_of_slot_(keys_.size()),
      slots_(static_cast<std::size_t>(tile_limit)),
      above_(static_cast<std::size_t>(tile_limit) * 8),
      sums_(static_cast<std::size_t>(tile_limit) * kTileNodes),
      answers_(static_cast<std::size_t>(tile_limit) * kTileNodes),
      counts_(1) {
    check_cuda(cudaMemset(keys_.data(), 0xff, keys_.byte_count()));
}

CudaHairGrid::Table CudaHairGrid::table(float largest_volume) const {
    return {keys_.data(),   tile_of_slot_.data(),
            slots_.data(),  above_.data(),
            sums_.data(),   answers_.data(),
            counts_.data(), static_cast<std::uint32_t>(keys_.size() - 1),
            tile_limit_,    largest_volume};
}

bool CudaHairGrid::mix(const DeviceStrands& strands, const DeviceMixing& mixing,
                       cudaStream_t stream) {
    const int grid = vertex_grid(strands);
    constexpr int kTileGrid = 264;  // two blocks a multiprocessor of the largest GPUs
    const Table here = table(mixing.largest_volume);
    const float cells = mixing.cells_per_metre;
    check_cuda(cudaMemsetAsync(counts_.data(), 0, counts_.byte_count(), stream));
    find_tiles<<<grid, kVertexThreads, 0, stream>>>(here, strands, mixing.x, mixing.v, cells);
    note_tiles_with_hair<<<1, 1, 0, stream>>>(here);
    find_tiles_above<<<kTileGrid, kThreads, 0, stream>>>(here);
    Counts counts{};
    check_cuda(
        cudaMemcpyAsync(&counts, counts_.data(), sizeof counts, cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    const bool fits = counts.tiles <= tile_limit_;
    if (fits) {
        clear_tiles<<<kTileGrid, kThreads, 0, stream>>>(here);
        const int warps = (strands.group_count + kGroups - 1) / kGroups * strands.most_rows;
        const int splat_grid = (warps * 32 + kSplatThreads - 1) / kSplatThreads;
        splat<<<splat_grid, kSplatThreads, 0, stream>>>(here, strands, mixing.x, mixing.v,
                                                        mixing.volume, cells);
        answer<<<kTileGrid, kThreads, 0, stream>>>(here, mixing.uniforms);
        take_answers<<<grid, kVertexThreads, 0, stream>>>(here, strands, mixing.uniforms, mixing.x,
                                                          mixing.v, mixing.density, cells);
    }
    forget_tiles<<<kTileGrid, kThreads, 0, stream>>>(here);
    check_cuda(cudaGetLastError());
    return fits;
}

}  // namespace ringlet
