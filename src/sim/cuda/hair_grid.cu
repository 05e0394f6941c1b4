#include "sim/cuda/hair_grid.h"

#include <algorithm>
#include <bit>

namespace ringlet {

namespace {

constexpr unsigned long long kNoKey = ~0ull;
constexpr int kThreads = 256;
constexpr unsigned kWholeWarp = 0xffffffffu;

// The quantities summed at a node.
enum { kMass, kMomentumX, kMomentumY, kMomentumZ, kVolume, kQuantities };

__host__ __device__ int chunk_count(int count, int size) { return (count + size - 1) / size; }

__device__ std::uint64_t hashed_key(unsigned long long key) { return key * 0x9e3779b97f4a7c15ull; }

// A node of a local tile (a tile extended by one node at the upper faces).
struct LocalNode {
    int x, y, z;

    __device__ explicit LocalNode(int node)
        : x(node % kLocalSide),
          y(node / kLocalSide % kLocalSide),
          z(node / (kLocalSide * kLocalSide)) {}
    // The tile that owns it, relative to the local tile's tile: one bit per axis.
    __device__ int up() const {
        return x >> kTileBits | (y >> kTileBits) << 1 | (z >> kTileBits) << 2;
    }
    __device__ int in_tile() const { return node_in_tile(x, y, z); }
};

__device__ unsigned long long key_above(unsigned long long key, int up) {
    return moved_key(key, up & 1, up >> 1 & 1, up >> 2);
}

__device__ int local_node(const GridPosition& place) {
    constexpr int last = kTileSide - 1;
    return (place.x & last) + kLocalSide * ((place.y & last) + kLocalSide * (place.z & last));
}

}  // namespace

struct CudaHairGrid::Table {
    unsigned long long* keys;
    std::int32_t *tile_of_slot, *slots;
    std::int64_t* sums;
    float4* pushes;
    float* densities;
    Counts* counts;
    std::uint32_t mask;
    int limit;
    float largest_volume;

    __device__ GridUnits units() const { return {from_bits(counts->fastest), largest_volume}; }
    __device__ int tile_count() const { return counts->tiles_with_hair + counts->other_tiles; }
    __device__ bool fits() const { return tile_count() <= limit; }

    __device__ std::uint32_t slot_of(unsigned long long key) const {
        return static_cast<std::uint32_t>(hashed_key(key) >> 32) & mask;
    }
    // Calls new_tile() for the index of the tile if there is no such key. Results do not depend on
    // the index.
    template <class NewTile>
    __device__ void insert(unsigned long long key, const NewTile& new_tile) const {
        for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask) {
            const unsigned long long found = atomicCAS(keys + slot, kNoKey, key);
            if (found == key) return;
            if (found != kNoKey) continue;
            const int tile = new_tile();
            tile_of_slot[slot] = tile;
            if (tile < limit) slots[tile] = static_cast<std::int32_t>(slot);
            return;
        }
    }
    // Returns -1 if there is no such tile.
    __device__ int find(unsigned long long key) const {
        for (std::uint32_t slot = slot_of(key);; slot = (slot + 1) & mask) {
            const unsigned long long found = keys[slot];
            const int tile = tile_of_slot[slot];
            if (found == key) return tile;
            if (found == kNoKey) return -1;
        }
    }
    __device__ unsigned long long key_of(int tile) const { return keys[slots[tile]]; }
    // The sum of the first quantity; the others are kTileNodes apart.
    __device__ std::int64_t* sums_at(int tile, int node) const {
        return sums + static_cast<std::size_t>(tile) * (kQuantities * kTileNodes) + node;
    }
    __device__ float density(const GridUnits& units, int tile, int node) const {
        return units.density(sums_at(tile, node)[kVolume * kTileNodes]);
    }
};

namespace {

using Table = CudaHairGrid::Table;

__device__ void add(std::int64_t* to, std::int64_t a) {
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(a));
}

// Raises `to` to the largest of positive floats, compared by their bits.
__device__ void raise(std::int32_t& to, std::int32_t bits) {
    for (int step = kWarp / 2; step > 0; step /= 2)
        bits = max(bits, __shfl_xor_sync(kWholeWarp, bits, step));
    if (threadIdx.x % kWarp == 0) atomicMax(&to, bits);
}

// Rows that a warp processes at a time, to wait for memory once for all of them.
constexpr int kFindRows = 8;

__global__ void find_tiles(Table table, DeviceStrands strands, const float* x, const float* v,
                           float cells_per_metre) {
    const int lane = static_cast<int>(threadIdx.x % kWarp);
    const int warps = static_cast<int>(gridDim.x * blockDim.x / kWarp);
    const int chunks = chunk_count(strands.max_rows, kFindRows);
    float fastest = 0;
    for (int k = thread_number() / kWarp; k < strands.group_count * chunks; k += warps) {
        Vec3f cells[kFindRows];
#pragma unroll
        for (int r = 0; r < kFindRows; ++r) {
            const DeviceVertex vertex =
                vertex_of(strands, k / chunks, k % chunks * kFindRows + r, lane);
            cells[r] = {kGridReach, 0, 0};  // outside the grid
            if (!vertex.exists) continue;
            cells[r] = vertex.vec3(x) * cells_per_metre;
            const Vec3f velocity = vertex.vec3(v);
            if (is_slow_enough(velocity)) fastest = max(fastest, largest_part(velocity));
        }
        unsigned long long keys[kFindRows], found[kFindRows];
#pragma unroll
        for (int r = 0; r < kFindRows; ++r) {
            keys[r] = is_on_grid(cells[r]) ? tile_key(grid_position(cells[r])) : kNoKey;
            found[r] =
                __ldcg(table.keys + table.slot_of(keys[r]));  // bypasses L1, which may be outdated
        }
#pragma unroll
        for (int r = 0; r < kFindRows; ++r)
            if (keys[r] != kNoKey && found[r] != keys[r])
                table.insert(keys[r], [&] { return atomicAdd(&table.counts->tiles_with_hair, 1); });
    }
    raise(table.counts->fastest, bits_of(fastest));
}

// Every tile with vertices needs its upper neighbours, to which its vertices scatter.
__global__ void find_tiles_above(Table table) {
    const int with_hair = table.counts->tiles_with_hair;
    for (int k = thread_number(); k < min(with_hair, table.limit) * 8;
         k += static_cast<int>(gridDim.x * blockDim.x))
        table.insert(key_above(table.key_of(k / 8), k % 8),
                     [&] { return with_hair + atomicAdd(&table.counts->other_tiles, 1); });
}

// For the exchange with other ranks: the keys of the first tiles, and tiles that follow them.
__global__ void list_keys(Table table, int count, unsigned long long* keys) {
    for (int k = thread_number(); k < count; k += static_cast<int>(gridDim.x * blockDim.x))
        keys[k] = table.key_of(k);
}
__global__ void add_tiles(Table table, int first, int end, const unsigned long long* keys) {
    for (int k = first + thread_number(); k < end; k += static_cast<int>(gridDim.x * blockDim.x))
        table.insert(keys[k], [&] { return k; });
}

// A thread block processes this many rows of this many groups of strands.
constexpr int kScatterGroups = 4, kScatterRows = 4;
constexpr int kScatterThreads = kScatterGroups * kScatterRows * kWarp;
// Thread blocks per multiprocessor, at best.
constexpr int kScatterBlocks = 4;

// Local tiles in shared memory: the sums of a thread block's vertices, one local tile per tile, or
// several if a tile has many vertices.
struct LocalTiles {
    static constexpr int kCount = 18;  // as many as fit in shared memory
    static constexpr int kStride =
        128;  // at least kLocalNodes: a thread has the same node of several
    static_assert(kStride >= kLocalNodes && kScatterThreads % kStride == 0);

    alignas(int4) int sums[kCount * kStride][kQuantities];
    unsigned long long keys[kCount];
    int vertex_counts[kCount];  // vertices added, including refused attempts
    int tiles[kCount * 8];      // that each local tile overlaps

    __device__ void clear() {
        const int thread = static_cast<int>(threadIdx.x);
        int4* const all = reinterpret_cast<int4*>(sums);
        for (int k = thread; k < kCount * kStride * kQuantities / 4; k += kScatterThreads)
            all[k] = {};
        if (thread >= kCount) return;
        keys[thread] = kNoKey;
        vertex_counts[thread] = 0;
    }
    // Returns a local tile with room for that many more vertices of a tile, or -1.
    __device__ int claim(unsigned long long key, int vertices) {
        int local_tile =
            static_cast<int>(static_cast<std::uint32_t>(hashed_key(key) >> 32) % kCount);
#pragma unroll 1
        for (int tries = 0; tries < kCount;
             ++tries, local_tile = local_tile + 1 < kCount ? local_tile + 1 : 0) {
            const unsigned long long found = atomicCAS(&keys[local_tile], kNoKey, key);
            if (found != kNoKey && found != key) continue;
            if (atomicAdd(&vertex_counts[local_tile], vertices) + vertices <= kMaxScattered)
                return local_tile;
        }
        return -1;
    }
    __device__ void find_tiles(const Table& table) {
        for (int k = static_cast<int>(threadIdx.x); k < kCount * 8; k += kScatterThreads)
            if (keys[k / 8] != kNoKey) tiles[k] = table.find(key_above(keys[k / 8], k % 8));
    }
    __device__ void add_to(const Table& table) const {
        const int own = static_cast<int>(threadIdx.x) % kStride;
        const LocalNode node(own);
        const int up = node.up(), in_tile = node.in_tile();
        for (int local_tile = static_cast<int>(threadIdx.x) / kStride; local_tile < kCount;
             local_tile += kScatterThreads / kStride) {
            const int* const added = sums[local_tile * kStride + own];
            if (added[kMass] == 0) continue;  // mass has the most units of all quantities
            std::int64_t* const to = table.sums_at(tiles[local_tile * 8 + up], in_tile);
            for (int n = 0; n < kQuantities; ++n) add(to + n * kTileNodes, added[n]);
        }
    }
};

// The quantities that a vertex scatters, in grid units.
struct Contribution {
    Vec3f t;  // position in its cell
    float quantities[kQuantities];

    // Adds to the nodes of its cell; `lowest` is the node at the lower corner. Neighbouring
    // vertices are often in the same cell: threads start at different corners to reduce conflicts.
    __device__ void scatter(int (*lowest)[kQuantities]) const {
        const int first = static_cast<int>(threadIdx.x % 8);
        const auto is_up = [&](int axis) { return (first >> axis & 1) != 0; };
        const Vec3f low = {1 - t.x, 1 - t.y, 1 - t.z};
        const float x[2] = {is_up(0) ? t.x : low.x, is_up(0) ? low.x : t.x};
        const float y[2] = {is_up(1) ? t.y : low.y, is_up(1) ? low.y : t.y};
        const float z[2] = {is_up(2) ? t.z : low.z, is_up(2) ? low.z : t.z};
        int(*const begin)[kQuantities] = lowest + local_corner(first);
        const auto step = [&](int axis) {
            return local_corner(1 << axis) * (is_up(axis) ? -1 : 1);
        };
        const int steps[3] = {step(0), step(1), step(2)};
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            int* const to =
                begin[(k & 1) * steps[0] + (k >> 1 & 1) * steps[1] + (k >> 2) * steps[2]];
            const float weight = x[k & 1] * y[k >> 1 & 1] * z[k >> 2];
            for (int n = 0; n < kQuantities; ++n)
                atomicAdd(&to[n], __float2int_rn(quantities[n] * weight));
        }
    }
};

__global__ void __launch_bounds__(kScatterThreads, kScatterBlocks)
    scatter_vertices(Table table, DeviceStrands strands, const float* x, const float* v,
                     const float* volume, float cells_per_metre,
                     CudaHairGrid::Counts* counts_on_host) {
    __shared__ LocalTiles local_tiles;
    if (thread_number() == 0) *counts_on_host = *table.counts;
    if (!table.fits()) return;
    const int warp = static_cast<int>(threadIdx.x) / kWarp;
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const int block = static_cast<int>(blockIdx.x);
    const int chunks = chunk_count(strands.max_rows, kScatterRows);
    const DeviceVertex vertex =
        vertex_of(strands, block / chunks * kScatterGroups + warp / kScatterRows,
                  block % chunks * kScatterRows + warp % kScatterRows, lane);
    const GridUnits units = table.units();
    unsigned long long key = kNoKey;  // of the tile to which it still has to scatter
    int lowest = 0;
    Contribution contribution{};
    if (vertex.exists) {
        const Vec3f cells = vertex.vec3(x) * cells_per_metre, speed = vertex.vec3(v);
        if (is_on_grid(cells) && is_slow_enough(speed)) {
            const GridPosition place = grid_position(cells);
            const Vec3f momentum = speed * units.momentum;
            key = tile_key(place);
            lowest = local_node(place);
            contribution = {place.t,
                            {GridUnits::kMass, momentum.x, momentum.y, momentum.z,
                             *vertex.in(volume, 1) * units.volume}};
        }
    }
    // Runs once, or several times if there are more tiles than local tiles.
    do {
        local_tiles.clear();
        __syncthreads();
        // One thread claims a local tile for all threads of its warp in the same tile.
        const unsigned same = __match_any_sync(kWholeWarp, key);
        const int first = __ffs(static_cast<int>(same)) - 1;
        int local_tile = -1;
        if (lane == first && key != kNoKey) local_tile = local_tiles.claim(key, __popc(same));
        local_tile = __shfl_sync(kWholeWarp, local_tile, first);
        __syncthreads();
        local_tiles.find_tiles(table);
        if (local_tile >= 0) {
            // Keeps the compiler from computing the weights before the loop, which needs more
            // registers than there are.
            asm volatile(""
                         : "+f"(contribution.t.x), "+f"(contribution.t.y), "+f"(contribution.t.z));
            contribution.scatter(local_tiles.sums + local_tile * LocalTiles::kStride + lowest);
            key = kNoKey;
        }
        __syncthreads();
        local_tiles.add_to(table);
    } while (__syncthreads_or(key != kNoKey));
}

// The density at a neighbour of a node, in the same tile or the next.
__device__ float neighbour_density(const Table& table, const GridUnits& units, int tile,
                                   unsigned long long key, int node, int axis, int step) {
    constexpr int last = kTileSide - 1;
    const int shift = kTileBits * axis, there = (node >> shift & last) + step;
    if (there < 0 || there > last) {
        tile = table.find(
            moved_key(key, axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0));
        if (tile < 0) return 0;
    }
    return table.density(units, tile, (node & ~(last << shift)) | (there & last) << shift);
}

// Solves for every node of every local tile, so that the values a vertex gathers are contiguous.
__global__ void solve_nodes(Table table, CoupleUniforms uniforms) {
    if (!table.fits()) return;
    const int count = table.counts->tiles_with_hair * kLocalNodes;
    const GridUnits units = table.units();
    for (int k = thread_number(); k < count; k += static_cast<int>(gridDim.x * blockDim.x)) {
        const LocalNode at(k % kLocalNodes);
        const unsigned long long key = key_above(table.key_of(k / kLocalNodes), at.up());
        const int tile = at.up() == 0 ? k / kLocalNodes : table.find(key);
        const int node = at.in_tile();
        const std::int64_t* const sums = table.sums_at(tile, node);
        const std::int64_t mass = sums[kMass * kTileNodes];
        float4 push{};
        float density = 0;
        if (mass > 0) {
            const auto slope = [&](int axis) {
                return 0.5f * (neighbour_density(table, units, tile, key, node, axis, 1) -
                               neighbour_density(table, units, tile, key, node, axis, -1));
            };
            const Vec3f momentum = {static_cast<float>(sums[kMomentumX * kTileNodes]),
                                    static_cast<float>(sums[kMomentumY * kTileNodes]),
                                    static_cast<float>(sums[kMomentumZ * kTileNodes])};
            density = table.density(units, tile, node);
            const Update<float> a =
                solve_node(uniforms, static_cast<float>(mass), momentum * units.speed(), density,
                           Vec3f{slope(0), slope(1), slope(2)});
            push = {a.push.x, a.push.y, a.push.z, a.share};
        }
        table.pushes[k] = push;
        table.densities[k] = density;
    }
}

// Thread blocks per multiprocessor, which limits registers.
constexpr int kGatherBlocks = 6;

__global__ void __launch_bounds__(kVertexThreads, kGatherBlocks)
    gather_to_vertices(Table table, DeviceStrands strands, CoupleUniforms uniforms, const float* x,
                       float* v, float* density, float cells_per_metre) {
    const DeviceVertex vertex = vertex_of_thread(strands);
    if (!vertex.exists || !table.fits()) return;
    const Vec3f cells = vertex.vec3(x) * cells_per_metre, before = vertex.vec3(v);
    if (!is_on_grid(cells)) {
        *vertex.in(density, 1) = 0;
        return;
    }
    const GridPosition place = grid_position(cells);
    const int lowest = table.find(tile_key(place)) * kLocalNodes + local_node(place);
    const float4* const pushes = table.pushes + lowest;
    const float* const densities = table.densities + lowest;
    float weights[8], pressure[8];
    corner_weights(place.t, weights);
    Update<float> at[8];
    for (int k = 0; k < 8; ++k) {
        const float4 push = pushes[local_corner(k)];
        const float here = densities[local_corner(k)];
        pressure[k] = pressure_of(here);
        at[k] = {Vec3f{push.x, push.y, push.z} * weights[k], push.w * weights[k], here * weights[k],
                 pressure[k] * weights[k]};
    }
    const Update<float> gathered = sum_of_corners(at);
    *vertex.in(density, 1) = gathered.density;
    if (vertex.vertex < uniforms.first_free || vertex.vertex >= vertex.end - uniforms.held_tips)
        return;
    if (!is_slow_enough(before)) return;
    Vec3f after = updated_velocity(before, gathered);
    if (uniforms.has_pressure() && gathered.pressure > 0)
        after += pressure_push(uniforms, pressure, place.t);
    vertex.set_vec3(v, after);
}

// Clears what was used; the whole hash if some tiles got no index.
__global__ void clear_tiles(Table table) {
    const int tiles = table.tile_count(), stride = static_cast<int>(gridDim.x * blockDim.x);
    if (!table.fits()) {
        for (std::uint32_t slot = static_cast<std::uint32_t>(thread_number()); slot <= table.mask;
             slot += static_cast<std::uint32_t>(stride))
            table.keys[slot] = kNoKey;
        return;
    }
    for (int k = thread_number(); k < tiles; k += stride) table.keys[table.slots[k]] = kNoKey;
    for (int k = thread_number(); k < tiles * kQuantities * kTileNodes; k += stride)
        table.sums[k] = 0;
}

}  // namespace

CudaHairGrid::CudaHairGrid(int tile_limit, std::int64_t vertex_total)
    : tile_limit_(tile_limit),
      keys_(std::bit_ceil(static_cast<std::size_t>((vertex_total + tile_limit * 8) * 3 / 2))),
      tile_of_slot_(keys_.size()),
      slots_(static_cast<std::size_t>(tile_limit)),
      sums_(static_cast<std::size_t>(tile_limit) * kQuantities * kTileNodes),
      pushes_(static_cast<std::size_t>(tile_limit) * kLocalNodes),
      densities_(static_cast<std::size_t>(tile_limit) * kLocalNodes),
      counts_(1) {
    check_cuda(cudaMemset(keys_.data(), 0xff, keys_.byte_count()));
    check_cuda(cudaMemset(sums_.data(), 0, sums_.byte_count()));
    check_cuda(cudaMallocHost(reinterpret_cast<void**>(&counts_on_host_), sizeof(Counts)));
    check_cuda(cudaEventCreateWithFlags(&counted_, cudaEventDisableTiming));
}

CudaHairGrid::~CudaHairGrid() {
    cudaEventDestroy(counted_);
    cudaFreeHost(counts_on_host_);
}

CudaHairGrid::Table CudaHairGrid::table(float largest_volume) const {
    return {keys_.data(),   tile_of_slot_.data(),
            slots_.data(),  sums_.data(),
            pushes_.data(), densities_.data(),
            counts_.data(), static_cast<std::uint32_t>(keys_.size() - 1),
            tile_limit_,    largest_volume};
}

namespace {

// Grid-stride launches: as many blocks as are resident on the largest GPUs, or half.
constexpr int kFindGrid = 1056, kTileGrid = 528;

constexpr std::size_t kSumsPerTile = std::size_t{kQuantities} * kTileNodes;

// Calls assign(host, device) for each sum of a tile in the host's and the device's order.
template <class Host, class Device, class Assign>
void for_each_sum(Host& host, Device* device, const Assign& assign) {
    static_assert(sizeof(TileSums) == kSumsPerTile * sizeof(std::int64_t));
    for (std::size_t n = 0; n < kTileNodes; ++n) {
        assign(host.momentum_mass[n][0], device[kMomentumX * kTileNodes + n]);
        assign(host.momentum_mass[n][1], device[kMomentumY * kTileNodes + n]);
        assign(host.momentum_mass[n][2], device[kMomentumZ * kTileNodes + n]);
        assign(host.momentum_mass[n][3], device[kMass * kTileNodes + n]);
        assign(host.volume[n], device[kVolume * kTileNodes + n]);
    }
}

}  // namespace

bool CudaHairGrid::couple(const DeviceStrands& strands, const DeviceCoupling& coupling,
                          const Channels& channels, cudaStream_t stream) {
    const int grid = vertex_grid(strands);
    const int scatter_grid = chunk_count(strands.group_count, kScatterGroups) *
                             chunk_count(strands.max_rows, kScatterRows);
    const Table grid_table = table(coupling.largest_volume);
    const float cells = coupling.cells_per_metre;
    check_cuda(cudaMemsetAsync(counts_.data(), 0, counts_.byte_count(), stream));
    find_tiles<<<std::min(grid, kFindGrid), kVertexThreads, 0, stream>>>(
        grid_table, strands, channels.x, channels.v, cells);
    find_tiles_above<<<kTileGrid, kThreads, 0, stream>>>(grid_table);
    if (coupling.shared) share_fastest(*coupling.shared, stream);
    // The kernels below return at once if the tiles do not fit. The device continues while the host
    // waits for the counts.
    scatter_vertices<<<scatter_grid, kScatterThreads, 0, stream>>>(
        grid_table, strands, channels.x, channels.v, channels.volume, cells, counts_on_host_);
    check_cuda(cudaEventRecord(counted_, stream));
    if (coupling.shared && !exchange_tiles(grid_table, *coupling.shared, stream)) {
        clear_tiles<<<kTileGrid, kThreads, 0, stream>>>(grid_table);
        check_cuda(cudaGetLastError());
        return false;
    }
    solve_nodes<<<kTileGrid, kThreads, 0, stream>>>(grid_table, coupling.uniforms);
    gather_to_vertices<<<grid, kVertexThreads, 0, stream>>>(
        grid_table, strands, coupling.uniforms, channels.x, channels.v, channels.density, cells);
    clear_tiles<<<kTileGrid, kThreads, 0, stream>>>(grid_table);
    check_cuda(cudaGetLastError());
    check_cuda(cudaEventSynchronize(counted_));
    return counts_on_host_->tile_count() <= tile_limit_;
}

void CudaHairGrid::share_fastest(const HairGrid& shared, cudaStream_t stream) {
    check_cuda(cudaMemcpyAsync(counts_on_host_, counts_.data(), sizeof(Counts),
                               cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    counts_on_host_->fastest = shared.maximum_over_ranks(counts_on_host_->fastest);
    check_cuda(cudaMemcpyAsync(counts_.data(), counts_on_host_, sizeof(Counts),
                               cudaMemcpyHostToDevice, stream));
}

bool CudaHairGrid::exchange_tiles(const Table& table, HairGrid& shared, cudaStream_t stream) {
    check_cuda(cudaEventSynchronize(counted_));
    tiles_.fit = counts_on_host_->tile_count() <= tile_limit_;
    load_tiles(table, stream);
    if (!shared.exchange(tiles_)) return false;
    store_tiles(table, stream);
    return true;
}

// Copies the tiles to the host, if they fit.
void CudaHairGrid::load_tiles(const Table& table, cudaStream_t stream) {
    const std::size_t count =
        tiles_.fit ? static_cast<std::size_t>(counts_on_host_->tile_count()) : 0;
    tiles_.keys.resize(count);
    tiles_.sums.resize(count);
    if (count == 0) return;
    if (tile_keys_.size() == 0)
        tile_keys_ = DeviceArray<unsigned long long>(static_cast<std::size_t>(tile_limit_));
    list_keys<<<kTileGrid, kThreads, 0, stream>>>(table, static_cast<int>(count),
                                                  tile_keys_.data());
    sums_on_host_.resize(count * kSumsPerTile);
    check_cuda(cudaMemcpyAsync(tiles_.keys.data(), tile_keys_.data(),
                               count * sizeof(tiles_.keys[0]), cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaMemcpyAsync(sums_on_host_.data(), sums_.data(),
                               sums_on_host_.size() * sizeof(sums_on_host_[0]),
                               cudaMemcpyDeviceToHost, stream));
    check_cuda(cudaStreamSynchronize(stream));
    for (std::size_t t = 0; t < count; ++t)
        for_each_sum(tiles_.sums[t], &sums_on_host_[t * kSumsPerTile],
                     [](std::int64_t& host, const std::int64_t& device) { host = device; });
}

void CudaHairGrid::store_tiles(const Table& table, cudaStream_t stream) {
    const std::size_t count = tiles_.keys.size();
    if (count == 0) return;
    const int before = counts_on_host_->tile_count(), after = static_cast<int>(count);
    sums_on_host_.resize(count * kSumsPerTile);
    for (std::size_t t = 0; t < count; ++t)
        for_each_sum(tiles_.sums[t], &sums_on_host_[t * kSumsPerTile],
                     [](const std::int64_t& host, std::int64_t& device) { device = host; });
    check_cuda(cudaMemcpyAsync(sums_.data(), sums_on_host_.data(),
                               sums_on_host_.size() * sizeof(sums_on_host_[0]),
                               cudaMemcpyHostToDevice, stream));
    check_cuda(cudaMemcpyAsync(tile_keys_.data(), tiles_.keys.data(),
                               count * sizeof(tiles_.keys[0]), cudaMemcpyHostToDevice, stream));
    add_tiles<<<kTileGrid, kThreads, 0, stream>>>(table, before, after, tile_keys_.data());
    counts_on_host_->other_tiles += after - before;
    check_cuda(cudaMemcpyAsync(counts_.data(), counts_on_host_, sizeof(Counts),
                               cudaMemcpyHostToDevice, stream));
}

}  // namespace ringlet
