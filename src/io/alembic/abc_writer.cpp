#include "io/alembic/abc_writer.h"

#include <algorithm>

#include "base/assert.h"
#include "io/bytes.h"

namespace ringlet {

namespace {

constexpr std::uint32_t kAbcFileVersion = 0;
constexpr std::uint32_t kAbcLibraryVersion = 10800;  // the files follow Alembic 1.8.0
constexpr std::string_view kNoKey{"\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16};

// Numbers in the header of a property have 1, 2 or 4 bytes: hint 0, 1 or 2.
void append_sized(std::string& out, std::uint32_t value, std::uint32_t hint) {
    if (hint == 0)
        out += static_cast<char>(value & 255);
    else if (hint == 1)
        append_u16(out, static_cast<std::uint16_t>(value));
    else
        append_u32(out, value);
}

std::string dimension_bytes(std::uint64_t items) {
    std::string out;
    append_u64(out, items);
    return out;
}

}  // namespace

AbcWriter::AbcWriter(const std::filesystem::path& path, std::string metadata,
                     const OutputStart& start)
    : file_(path, start), archive_metadata_(std::move(metadata)), samplings_{{0, 1}} {
    compounds_.emplace_back();
    objects_.push_back({"ABC", "", {0}, {}});
}

std::uint32_t AbcWriter::add_sampling(double start, double step) {
    samplings_.push_back({start, step});
    return static_cast<std::uint32_t>(samplings_.size() - 1);
}

AbcWriter::Object AbcWriter::add_object(Object parent, const std::string& name,
                                        const std::string& metadata) {
    objects_[parent.id].children.push_back(objects_.size());
    objects_.push_back({name, metadata, {compounds_.size()}, {}});
    compounds_.emplace_back();
    return {objects_.size() - 1};
}

AbcWriter::Compound AbcWriter::add_compound(Compound parent, const std::string& name,
                                            const std::string& metadata) {
    compounds_[parent.id].children.push_back(
        {name, metadata, AbcKind::compound, compounds_.size()});
    compounds_.emplace_back();
    return {compounds_.size() - 1};
}

AbcWriter::Property AbcWriter::add_property(Compound parent, const std::string& name,
                                            const std::string& metadata, PropertyState state) {
    compounds_[parent.id].children.push_back({name, metadata, state.kind, properties_.size()});
    properties_.push_back(std::move(state));
    return {properties_.size() - 1};
}

AbcWriter::Property AbcWriter::add_scalar(Compound parent, const std::string& name,
                                          const std::string& metadata, AbcType type,
                                          std::uint32_t sampling) {
    return add_property(parent, name, metadata,
                        {.kind = AbcKind::scalar, .type = type, .sampling = sampling});
}

AbcWriter::Property AbcWriter::add_array(Compound parent, const std::string& name,
                                         const std::string& metadata, AbcType type,
                                         std::uint32_t sampling) {
    return add_property(parent, name, metadata,
                        {.kind = AbcKind::array, .type = type, .sampling = sampling});
}

void AbcWriter::begin_sample() {
    file_.begin_data();
    file_.append(kNoKey);
    pending_ = SampleHash();
    pending_bytes_ = 0;
}

void AbcWriter::append(std::string_view bytes) {
    file_.append(bytes);
    pending_.add(bytes);
    pending_bytes_ += bytes.size();
}

void AbcWriter::end_sample(Property id) {
    PropertyState& property = properties_[id.id];
    RINGLET_ASSERT(pending_bytes_ % property.type.bytes() == 0, "a sample has whole items");
    const SampleKey key = pending_.key();
    const std::uint64_t items = pending_bytes_ / property.type.bytes();
    if (pending_bytes_ == 0) {
        file_.drop_data();
        store_sample(property, key, 0, 0, kOgawaData);
        return;
    }
    const auto [known, is_new] = written_.try_emplace({key, pending_bytes_}, OgawaRef{0});
    if (is_new)
        known->second = file_.end_data(key.bytes());
    else
        file_.drop_data();
    store_sample(property, key, pending_bytes_, items, known->second);
}

void AbcWriter::add_sample(Property property, std::string_view bytes) {
    begin_sample();
    append(bytes);
    end_sample(property);
}

void AbcWriter::add_strings(Property id, std::span<const std::string> strings) {
    PropertyState& property = properties_[id.id];
    std::string bytes;
    for (const std::string& text : strings) bytes += text + '\0';
    SampleHash hash;
    hash.add(bytes);
    property.dimensions = file_.add_data(dimension_bytes(strings.size()));
    store_sample(property, hash.key(), bytes.size(), strings.size(),
                 file_.add_data(hash.key().bytes() + bytes));
}

// A sample that equals the one before it is not stored again: the header tells between which
// samples there are changes.
void AbcWriter::store_sample(PropertyState& property, const SampleKey& key, std::uint64_t bytes,
                             std::uint64_t items, OgawaRef ref) {
    const bool is_first = property.count == 0;
    const auto push = [&property](OgawaRef sample) {
        property.samples.push_back(sample);
        if (property.kind == AbcKind::array) property.samples.push_back(property.dimensions);
    };
    if (is_first || key != property.key || items != property.items) {
        if (property.first_changed != 0) {
            const std::size_t stride = property.kind == AbcKind::array ? 2 : 1;
            const OgawaRef last = property.samples[property.samples.size() - stride];
            for (std::uint32_t k = property.last_changed + 1; k < property.count; ++k) push(last);
        }
        push(ref);
        if (!is_first && items != property.items) property.has_same_size = false;
        if (items != 1) property.has_one_item = false;
        if (property.first_changed == 0) property.first_changed = property.count;
        property.last_changed = property.count;
    }
    property.key = key;
    property.items = items;
    property.hash.add(key.bytes() + dimension_bytes(bytes));
    ++property.count;
}

void AbcWriter::extend(Property id, std::uint32_t count) {
    PropertyState& property = properties_[id.id];
    if (property.count > 0) property.count = std::max(property.count, count);
}

// 0 for no metadata, 255 for metadata that the header repeats.
std::uint32_t AbcWriter::metadata_index(const std::string& metadata) {
    if (metadata.empty()) return 0;
    const auto known = std::ranges::find(metadata_, metadata);
    if (known != metadata_.end()) return static_cast<std::uint32_t>(known - metadata_.begin()) + 1;
    if (metadata.size() > 255 || metadata_.size() >= 254) return kAbcOwnMetadata;
    metadata_.push_back(metadata);
    return static_cast<std::uint32_t>(metadata_.size());
}

std::string AbcWriter::property_header(const Header& header) {
    const auto name_size = static_cast<std::uint32_t>(header.name.size());
    std::uint32_t largest = std::max(name_size, static_cast<std::uint32_t>(header.metadata.size()));
    const PropertyState* const property =
        header.kind == AbcKind::compound ? nullptr : &properties_[header.id];
    if (property) largest = std::max({largest, property->count, property->sampling});
    const std::uint32_t hint = largest < 256 ? 0 : largest < 65536 ? 1 : 2;
    const std::uint32_t metadata = metadata_index(header.metadata);
    std::uint32_t word = hint << kAbcSizeShift | metadata << kAbcMetadataShift;
    std::string numbers;
    if (property) {
        word |= static_cast<std::uint32_t>(property->kind) | (property->has_one_item ? 1u : 0u);
        word |= static_cast<std::uint32_t>(property->type.pod) << kAbcPodShift;
        word |= static_cast<std::uint32_t>(property->type.extent) << kAbcExtentShift;
        if (property->has_same_size) word |= kAbcSameSize;
        append_sized(numbers, property->count, hint);
        if (property->last_changed == 0) {
            word |= kAbcIsConstant;
        } else if (property->first_changed != 1 || property->last_changed != property->count - 1) {
            word |= kAbcHasChanges;
            append_sized(numbers, property->first_changed, hint);
            append_sized(numbers, property->last_changed, hint);
        }
        if (property->sampling != 0) {
            word |= kAbcHasSampling;
            append_sized(numbers, property->sampling, hint);
        }
    }
    std::string out;
    append_u32(out, word);
    out += numbers;
    append_sized(out, name_size, hint);
    out += header.name;
    if (metadata == kAbcOwnMetadata) {
        append_sized(out, static_cast<std::uint32_t>(header.metadata.size()), hint);
        out += header.metadata;
    }
    return out;
}

AbcWriter::Written AbcWriter::write_property(const PropertyState& property) {
    return {file_.add_group(property.samples), property.hash.key()};
}

AbcWriter::Written AbcWriter::write_compound(const CompoundState& compound) {
    std::vector<OgawaRef> group;
    std::string headers;
    SampleHash hash;
    for (const Header& child : compound.children) {
        const Written written = child.kind == AbcKind::compound
                                    ? write_compound(compounds_[child.id])
                                    : write_property(properties_[child.id]);
        group.push_back(written.ref);
        headers += property_header(child);
        hash.add(child.name + child.metadata + written.hash.bytes());
    }
    if (!headers.empty()) group.push_back(file_.add_data(headers));
    return {file_.add_group(group), hash.key()};
}

AbcWriter::Written AbcWriter::write_object(std::size_t id) {
    const ObjectState& object = objects_[id];
    const Written properties = write_compound(compounds_[object.properties.id]);
    std::vector<OgawaRef> group{properties.ref};
    std::string headers;
    SampleHash children;
    for (const std::size_t child : object.children) {
        const Written written = write_object(child);
        group.push_back(written.ref);
        children.add(written.hash.bytes());
        append_u32(headers, static_cast<std::uint32_t>(objects_[child].name.size()));
        headers += objects_[child].name;
        const std::uint32_t metadata = metadata_index(objects_[child].metadata);
        append_sized(headers, metadata, 0);
        if (metadata != kAbcOwnMetadata) continue;
        append_u32(headers, static_cast<std::uint32_t>(objects_[child].metadata.size()));
        headers += objects_[child].metadata;
    }
    const SampleKey below = object.children.empty() ? SampleKey{} : children.key();
    headers += properties.hash.bytes() + below.bytes();
    group.push_back(file_.add_data(headers));
    children.add(properties.hash.bytes() + object.metadata + object.name);
    return {file_.add_group(group), children.key()};
}

// For each sampling the largest number of samples, the step, and one stored time: the start.
std::string AbcWriter::sampling_bytes() const {
    std::string out;
    for (std::size_t k = 0; k < samplings_.size(); ++k) {
        std::uint32_t most = 0;
        for (const PropertyState& property : properties_)
            if (property.sampling == k)
                most = std::max(most, property.last_changed == 0 ? std::min(property.count, 1u)
                                                                 : property.count);
        append_u32(out, most);
        append_f64(out, samplings_[k].step);
        append_u32(out, 1);
        append_f64(out, samplings_[k].start);
    }
    return out;
}

std::string AbcWriter::metadata_bytes() const {
    std::string out;
    for (const std::string& metadata : metadata_) {
        out += static_cast<char>(metadata.size());
        out += metadata;
    }
    return out;
}

void AbcWriter::save_property(const PropertyState& property, ProgressOut& out) {
    out.add(property.count);
    out.add(property.first_changed);
    out.add(property.last_changed);
    out.add(property.has_one_item);
    out.add(property.has_same_size);
    out.add(property.items);
    out.add(property.key);
    out.add(property.dimensions);
    out.add(property.hash);
    out.add(std::uint64_t{property.samples.size()});
    for (const OgawaRef sample : property.samples) out.add(sample);
}

void AbcWriter::read_property(ProgressIn& in, PropertyState& property) {
    property.count = in.take<std::uint32_t>();
    property.first_changed = in.take<std::uint32_t>();
    property.last_changed = in.take<std::uint32_t>();
    property.has_one_item = in.take<bool>();
    property.has_same_size = in.take<bool>();
    property.items = in.take<std::uint64_t>();
    property.key = in.take<SampleKey>();
    property.dimensions = in.take<OgawaRef>();
    property.hash = in.take<SampleHash>();
    const auto count = in.take<std::uint64_t>();
    property.samples.clear();
    if (!in.has(count, sizeof(OgawaRef))) return;
    for (std::uint64_t k = 0; k < count; ++k) property.samples.push_back(in.take<OgawaRef>());
}

Result<void> AbcWriter::save_progress(ProgressOut& out) {
    const Result<std::uint64_t> end = file_.save();
    if (!end) return end.error();
    out.add(*end);
    out.add(std::uint64_t{properties_.size()});
    for (const PropertyState& property : properties_) save_property(property, out);
    out.add(std::uint64_t{written_.size()});
    for (const auto& [key, ref] : written_) {
        out.add(key.first);
        out.add(key.second);
        out.add(ref);
    }
    return {};
}

Result<void> AbcWriter::continue_from(ProgressIn& in) {
    const auto end = in.take<std::uint64_t>();
    const bool fits = in.take<std::uint64_t>() == properties_.size();
    if (fits)
        for (PropertyState& property : properties_) read_property(in, property);
    const auto count = fits ? in.take<std::uint64_t>() : 0;
    written_.clear();
    for (std::uint64_t k = 0; k < count && in.is_good(); ++k) {
        const auto key = in.take<SampleKey>();
        const auto bytes = in.take<std::uint64_t>();
        written_[{key, bytes}] = in.take<OgawaRef>();
    }
    if (!fits || !in.is_good()) return Error{"the progress of the shot does not fit it"};
    return file_.continue_at(end);
}

Result<void> AbcWriter::finish() {
    std::string version, library;
    append_u32(version, kAbcFileVersion);
    append_u32(library, kAbcLibraryVersion);
    const OgawaRef first = file_.add_data(version), second = file_.add_data(library);
    const OgawaRef top = write_object(0).ref;
    const std::vector<OgawaRef> root{first,
                                     second,
                                     top,
                                     file_.add_data(archive_metadata_),
                                     file_.add_data(sampling_bytes()),
                                     file_.add_data(metadata_bytes())};
    return file_.finish(file_.add_group(root));
}

}  // namespace ringlet
