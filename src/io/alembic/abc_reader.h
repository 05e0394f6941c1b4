// Reads Alembic archives: the tree of objects, their properties and samples. Knows nothing of
// curves and meshes.
#pragma once

#include <map>
#include <optional>

#include "io/alembic/abc_types.h"
#include "io/alembic/ogawa_file.h"

namespace ringlet {

struct AbcObject {
    std::string name;
    std::string schema;  // of its metadata; empty if there is none
    OgawaRef group = 0;
};

struct AbcProperty {
    std::string name;
    std::string scope;  // geoScope of its metadata: con, uni, var, vtx, fvr; empty if there is none
    AbcKind kind = AbcKind::compound;
    AbcType type{};
    std::uint32_t count = 0;  // of samples
    std::uint32_t first_changed = 0, last_changed = 0, sampling = 0;
    OgawaRef group = 0;

    bool is_constant() const { return last_changed == 0; }
};

// When the samples of a property are, in seconds.
struct AbcSampling {
    double step = 1;            // seconds per cycle
    std::vector<double> times;  // of one cycle; of all samples if they are irregular
    bool is_irregular = false;

    double time_of(std::uint32_t sample) const;
    // Seconds between samples on average, if there are `count`.
    double mean_step(std::uint32_t count) const;
};

class AbcReader {
public:
    static Result<AbcReader> open(const std::filesystem::path& path);
    // `bytes` must outlive the reader.
    static Result<AbcReader> over(std::string_view bytes, const std::string& name);

    const std::string& name() const { return file_.name(); }
    std::uint64_t file_bytes() const { return file_.file_bytes(); }
    const AbcObject& top() const { return top_; }
    Error damaged(const std::string& what) const { return file_.damaged(what); }

    Result<std::vector<AbcObject>> children(const AbcObject& object);
    Result<std::vector<AbcProperty>> properties(const AbcObject& object);
    // Returns the properties inside a compound property.
    Result<std::vector<AbcProperty>> properties(const AbcProperty& compound);

    const AbcSampling& sampling(const AbcProperty& property) const {
        return samplings_[property.sampling];
    }
    // The numbers of a sample, little endian: a whole number of items of the property's type. For
    // strings: each followed by a zero. `sample` is below property.count.
    Result<std::string> sample(const AbcProperty& property, std::uint32_t sample);

private:
    explicit AbcReader(OgawaReader file) : file_(std::move(file)) {}
    static Result<AbcReader> start(Result<OgawaReader> file);
    Result<void> read_samplings(OgawaRef ref);
    Result<void> read_metadata(OgawaRef ref);
    Result<std::vector<AbcProperty>> properties_in(OgawaRef group);

    OgawaReader file_;
    std::vector<AbcSampling> samplings_;
    std::vector<std::string> metadata_;
    std::map<OgawaRef, std::vector<OgawaRef>> sample_groups_;  // of the properties read so far
    std::uint64_t cached_refs_ = 0;                            // in sample_groups_
    AbcObject top_;
};

// The first property of that name; null if there is none.
const AbcProperty* find_property(const std::vector<AbcProperty>& properties, std::string_view name);

}  // namespace ringlet
