#include "io/alembic/abc_reader.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"
#include "io/bytes.h"

namespace ringlet {

namespace {

constexpr std::uint64_t kKeyBytes = 16;
constexpr std::size_t kHashBytes = 32;  // at the end of the headers of objects
// Alembic's mark for irregular times: the largest double, divided by 32.
constexpr double kIrregularStep = 1e300;

// Takes numbers and texts from the start of a block of headers. After a failure, all that is taken
// is 0 or empty.
class HeaderBytes {
public:
    explicit HeaderBytes(std::string_view bytes) : rest_(bytes) {}

    bool is_at_end() const { return rest_.empty(); }
    bool has_failed() const { return failed_; }

    std::string_view text(std::uint64_t size) {
        if (size > rest_.size()) {
            failed_ = true;
            rest_ = {};
            return {};
        }
        const std::string_view out = rest_.substr(0, static_cast<std::size_t>(size));
        rest_.remove_prefix(out.size());
        return out;
    }
    // A number of 1, 2 or 4 bytes: hint 0, 1 or 2.
    std::uint32_t number(std::uint32_t hint) {
        if (hint > 2) failed_ = true;
        const std::string_view bytes = text(failed_ ? 0 : 1u << hint);
        std::uint32_t out = 0;
        for (std::size_t k = bytes.size(); k-- > 0;)
            out = out << 8 | static_cast<std::uint8_t>(bytes[k]);
        return out;
    }
    double real() {
        const std::string_view bytes = text(8);
        return bytes.empty() ? 0 : f64_at(bytes, 0);
    }

private:
    std::string_view rest_;
    bool failed_ = false;
};

// The value of a key in "key=value;key=value".
std::string metadata_value(std::string_view metadata, std::string_view key) {
    while (!metadata.empty()) {
        const std::string_view entry = metadata.substr(0, metadata.find(';'));
        metadata.remove_prefix(std::min(metadata.size(), entry.size() + 1));
        if (entry.size() > key.size() && entry.starts_with(key) && entry[key.size()] == '=')
            return std::string(entry.substr(key.size() + 1));
    }
    return {};
}

// Decodes the word at the start of a property's header.
void read_word(std::uint32_t word, AbcProperty& out) {
    const std::uint32_t kind = word & kAbcKindBits;
    out.kind = kind == 0 ? AbcKind::compound : kind == 1 ? AbcKind::scalar : AbcKind::array;
    out.type = {static_cast<AbcPod>(word >> kAbcPodShift & 15),
                static_cast<std::uint8_t>(word >> kAbcExtentShift & 255)};
}

// The numbers that follow the word. False if they contradict each other.
bool read_samples(HeaderBytes& bytes, std::uint32_t word, std::uint32_t hint, AbcProperty& out) {
    out.count = bytes.number(hint);
    if (word & kAbcHasChanges) {
        out.first_changed = bytes.number(hint);
        out.last_changed = bytes.number(hint);
    } else if (!(word & kAbcIsConstant) && out.count > 1) {
        out.first_changed = 1;
        out.last_changed = out.count - 1;
    }
    if (word & kAbcHasSampling) out.sampling = bytes.number(hint);
    return out.first_changed <= out.last_changed &&
           (out.last_changed == 0 || (out.first_changed > 0 && out.last_changed < out.count)) &&
           static_cast<unsigned>(out.type.pod) < kAbcPodCount && out.type.extent > 0;
}

}  // namespace

double AbcSampling::time_of(std::uint32_t sample) const {
    if (is_irregular) return times[std::min<std::size_t>(sample, times.size() - 1)];
    const auto cycle = static_cast<std::uint32_t>(times.size());
    const std::uint32_t cycles = sample / cycle;
    return times[sample % cycle] + step * cycles;
}

double AbcSampling::mean_step(std::uint32_t count) const {
    if (!is_irregular) return step / static_cast<double>(times.size());
    return count > 1 ? (time_of(count - 1) - times[0]) / (count - 1) : 0;
}

Result<AbcReader> AbcReader::open(const std::filesystem::path& path) {
    return start(OgawaReader::open(path));
}

Result<AbcReader> AbcReader::over(std::string_view bytes, const std::string& name) {
    return start(OgawaReader::over(bytes, name));
}

Result<AbcReader> AbcReader::start(Result<OgawaReader> file) {
    if (!file) return file.error();
    AbcReader out(std::move(*file));
    const Result<std::vector<OgawaRef>> root = out.file_.group(out.file_.root());
    if (!root) return root.error();
    if (root->size() < 6 || is_ogawa_data((*root)[2]))
        return out.damaged("its first group is not that of an Alembic archive");
    const Result<std::string> version = out.file_.header_data((*root)[0]);
    if (!version) return version.error();
    if (version->size() != 4 || u32_at(*version, 0) != 0)
        return Error{"has an unknown version of the Alembic format", out.name()};
    if (Result<void> done = out.read_samplings((*root)[4]); !done) return done.error();
    if (Result<void> done = out.read_metadata((*root)[5]); !done) return done.error();
    out.top_.group = (*root)[2];
    return out;
}

Result<void> AbcReader::read_samplings(OgawaRef ref) {
    const Result<std::string> data = file_.header_data(ref);
    if (!data) return data.error();
    HeaderBytes bytes(*data);
    while (!bytes.is_at_end()) {
        bytes.number(2);  // the largest number of samples, which each property states itself
        AbcSampling sampling;
        sampling.step = bytes.real();
        const std::uint32_t times = bytes.number(2);
        const std::string_view stored = bytes.text(std::uint64_t{8} * times);
        if (bytes.has_failed() || times == 0) return damaged("its times cannot be read");
        for (std::uint32_t k = 0; k < times; ++k) sampling.times.push_back(f64_at(stored, 8 * k));
        sampling.is_irregular = sampling.step >= kIrregularStep;
        const bool is_sound =
            std::ranges::all_of(sampling.times, [](double time) { return std::abs(time) < 1e9; }) &&
            std::ranges::is_sorted(sampling.times) &&
            (sampling.is_irregular || (sampling.step > 0 && sampling.step < 1e9));
        if (!is_sound) return damaged("its times are not in order");
        samplings_.push_back(std::move(sampling));
    }
    if (samplings_.empty()) samplings_.push_back({1, {0}});
    return {};
}

Result<void> AbcReader::read_metadata(OgawaRef ref) {
    const Result<std::string> data = file_.header_data(ref);
    if (!data) return data.error();
    HeaderBytes bytes(*data);
    metadata_.emplace_back();
    while (!bytes.is_at_end()) metadata_.emplace_back(bytes.text(bytes.number(0)));
    if (bytes.has_failed()) return damaged("its metadata cannot be read");
    return {};
}

Result<std::vector<AbcObject>> AbcReader::children(const AbcObject& object) {
    const Result<std::vector<OgawaRef>> group = file_.group(object.group);
    if (!group) return group.error();
    std::vector<AbcObject> out;
    if (group->empty() || !is_ogawa_data(group->back())) return out;
    const Result<std::string> headers = file_.header_data(group->back());
    if (!headers) return headers.error();
    if (headers->size() <= kHashBytes) return out;
    HeaderBytes bytes(std::string_view(*headers).substr(0, headers->size() - kHashBytes));
    while (!bytes.is_at_end()) {
        AbcObject child;
        child.name = bytes.text(bytes.number(2));
        const std::uint32_t metadata = bytes.number(0);
        const std::string_view own =
            metadata == kAbcOwnMetadata ? bytes.text(bytes.number(2)) : std::string_view();
        // The group has the properties, one group per child, and the headers.
        if (bytes.has_failed() || child.name.empty() || out.size() + 2 >= group->size() ||
            (metadata != kAbcOwnMetadata && metadata >= metadata_.size()))
            return damaged("the header of an object cannot be read");
        child.schema = metadata_value(
            metadata == kAbcOwnMetadata ? own : std::string_view(metadata_[metadata]), "schema");
        child.group = (*group)[out.size() + 1];
        out.push_back(std::move(child));
    }
    return out;
}

Result<std::vector<AbcProperty>> AbcReader::properties(const AbcObject& object) {
    const Result<std::vector<OgawaRef>> group = file_.group(object.group);
    if (!group) return group.error();
    if (group->empty() || is_ogawa_data(group->front())) return std::vector<AbcProperty>();
    return properties_in(group->front());
}

Result<std::vector<AbcProperty>> AbcReader::properties(const AbcProperty& compound) {
    RINGLET_ASSERT(compound.kind == AbcKind::compound, "only compounds have properties");
    return properties_in(compound.group);
}

Result<std::vector<AbcProperty>> AbcReader::properties_in(OgawaRef ref) {
    const Result<std::vector<OgawaRef>> group = file_.group(ref);
    if (!group) return group.error();
    std::vector<AbcProperty> out;
    if (group->empty() || !is_ogawa_data(group->back())) return out;
    const Result<std::string> headers = file_.header_data(group->back());
    if (!headers) return headers.error();
    HeaderBytes bytes(*headers);
    while (!bytes.is_at_end()) {
        AbcProperty property;
        const std::uint32_t word = bytes.number(2), hint = word >> kAbcSizeShift & 3;
        read_word(word, property);
        const bool is_sound =
            property.kind == AbcKind::compound ||
            (read_samples(bytes, word, hint, property) && property.sampling < samplings_.size());
        property.name = bytes.text(bytes.number(hint));
        const std::uint32_t metadata = word >> kAbcMetadataShift & 255;
        const std::string_view own =
            metadata == kAbcOwnMetadata ? bytes.text(bytes.number(hint)) : std::string_view();
        if (bytes.has_failed() || !is_sound || property.name.empty() ||
            out.size() + 1 >= group->size() ||
            (metadata != kAbcOwnMetadata && metadata >= metadata_.size()))
            return damaged("the header of a property cannot be read");
        property.scope = metadata_value(
            metadata == kAbcOwnMetadata ? own : std::string_view(metadata_[metadata]), "geoScope");
        property.group = (*group)[out.size()];
        out.push_back(std::move(property));
    }
    return out;
}

Result<std::string> AbcReader::sample(const AbcProperty& property, std::uint32_t sample) {
    RINGLET_ASSERT(property.kind != AbcKind::compound && sample < property.count,
                   "the property has this sample");
    auto known = sample_groups_.find(property.group);
    if (known == sample_groups_.end()) {
        Result<std::vector<OgawaRef>> group = file_.group(property.group);
        if (!group) return group.error();
        // Groups of a damaged file may overlap, so that together they are larger than it.
        cached_refs_ += group->size();
        if (cached_refs_ > file_.file_bytes() / 4) {
            sample_groups_.clear();
            cached_refs_ = group->size();
        }
        known = sample_groups_.emplace(property.group, std::move(*group)).first;
    }
    // Samples before the first change equal sample 0, and those after the last equal the last.
    std::size_t index = 0;
    if (!property.is_constant() && sample >= property.first_changed)
        index = std::min(sample, property.last_changed) - property.first_changed + 1;
    if (property.kind == AbcKind::array) index *= 2;
    if (index >= known->second.size())
        return damaged("a sample of " + property.name + " is missing");
    Result<std::string> out = file_.sample_data(known->second[index], kKeyBytes);
    const std::size_t item = property.type.bytes();
    if (out && item > 0 &&
        (property.kind == AbcKind::scalar ? out->size() != item : out->size() % item != 0))
        return damaged("a sample of " + property.name + " has a wrong size");
    return out;
}

const AbcProperty* find_property(const std::vector<AbcProperty>& properties,
                                 std::string_view name) {
    const auto found = std::ranges::find(properties, name, &AbcProperty::name);
    return found == properties.end() ? nullptr : &*found;
}

}  // namespace ringlet
