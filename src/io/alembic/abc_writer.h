// Writes Alembic archives: objects in a tree, each with properties, whose samples are written as
// they arrive. Knows nothing of curves and meshes.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "io/alembic/abc_types.h"
#include "io/alembic/ogawa_file.h"
#include "io/alembic/sample_key.h"
#include "io/progress_bytes.h"

namespace ringlet {

class AbcWriter {
public:
    // Numbers of objects, of compound properties and of other properties.
    struct Object {
        std::size_t id = 0;
    };
    struct Compound {
        std::size_t id = 0;
    };
    struct Property {
        std::size_t id = 0;
    };

    // `metadata` of the archive: "key=value;key=value".
    AbcWriter(const std::filesystem::path& path, std::string metadata,
              const OutputStart& start = {});

    // The first failure to write, if any.
    Result<void> state() const { return file_.state(); }

    // Times of samples: start, start + step, ... in seconds. Sampling 0 is one sample at 0.
    std::uint32_t add_sampling(double start, double step);

    Object top() const { return {0}; }
    // Names are unique among siblings and contain no '/'.
    Object add_object(Object parent, const std::string& name, const std::string& metadata);
    Compound properties_of(Object object) const { return objects_[object.id].properties; }
    Compound add_compound(Compound parent, const std::string& name, const std::string& metadata);
    Property add_scalar(Compound parent, const std::string& name, const std::string& metadata,
                        AbcType type, std::uint32_t sampling);
    Property add_array(Compound parent, const std::string& name, const std::string& metadata,
                       AbcType type, std::uint32_t sampling);

    // Adds the next sample: all its numbers, little endian. A sample that equals one that is
    // already in the file is stored once.
    void add_sample(Property property, std::string_view bytes);
    void add_strings(Property property, std::span<const std::string> strings);
    // The same in pieces. Not for strings.
    void begin_sample();
    void append(std::string_view bytes);
    void end_sample(Property property);
    // The last sample holds until there are `count` samples.
    void extend(Property property, std::uint32_t count);

    // Appends what continue_from() needs to continue after the samples added so far, in another
    // process, after all properties were added there.
    Result<void> save_progress(ProgressOut& out);
    Result<void> continue_from(ProgressIn& in);
    void keep_unfinished() { file_.keep_unfinished(); }

    // Writes all headers and completes the file.
    Result<void> finish();

private:
    struct Sampling {
        double start, step;
    };
    struct Header {  // of a compound or another property
        std::string name, metadata;
        AbcKind kind = AbcKind::compound;
        std::size_t id = 0;  // in compounds_ or properties_
    };
    struct CompoundState {
        std::vector<Header> children;
    };
    struct PropertyState {
        AbcKind kind{};
        AbcType type{};
        std::uint32_t sampling = 0;
        std::vector<OgawaRef> samples{};  // those of an array are followed by their dimensions
        std::uint32_t count = 0, first_changed = 0, last_changed = 0;
        bool has_one_item = true, has_same_size = true;
        std::uint64_t items = 0;  // of the last sample
        SampleKey key{};          // of the last sample
        OgawaRef dimensions = kOgawaData;
        SampleHash hash{};  // of the keys of all samples
    };
    struct ObjectState {
        std::string name, metadata;
        Compound properties;
        std::vector<std::size_t> children;
    };
    struct Written {  // a finished group with the hash of its content
        OgawaRef ref;
        SampleKey hash;
    };

    Property add_property(Compound parent, const std::string& name, const std::string& metadata,
                          PropertyState state);
    static void save_property(const PropertyState& property, ProgressOut& out);
    static void read_property(ProgressIn& in, PropertyState& property);
    void store_sample(PropertyState& property, const SampleKey& key, std::uint64_t bytes,
                      std::uint64_t items, OgawaRef ref);
    std::uint32_t metadata_index(const std::string& metadata);
    std::string property_header(const Header& header);
    Written write_property(const PropertyState& property);
    Written write_compound(const CompoundState& compound);
    Written write_object(std::size_t id);
    std::string sampling_bytes() const;
    std::string metadata_bytes() const;

    OgawaWriter file_;
    std::string archive_metadata_;
    std::vector<Sampling> samplings_;
    std::vector<ObjectState> objects_;
    std::vector<CompoundState> compounds_;
    std::vector<PropertyState> properties_;
    std::map<std::pair<SampleKey, std::uint64_t>, OgawaRef> written_;  // by key and size
    std::vector<std::string> metadata_;  // that headers refer to by number
    SampleHash pending_{};               // of the sample between begin_sample() and end_sample()
    std::uint64_t pending_bytes_ = 0;
};

}  // namespace ringlet
