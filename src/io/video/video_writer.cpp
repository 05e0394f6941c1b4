#include "io/video/video_writer.h"

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>

#include "base/assert.h"
#include "base/files.h"
#include "io/bytes.h"
#include "io/video/packet_log.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

namespace ringlet {

namespace {

constexpr int kMinSide = 16;
constexpr int kMaxSide = 8192;

// libav's functions free an object through the address of its pointer.
template <auto Free>
struct FreeByAddress {
    template <class T>
    void operator()(T* object) const {
        Free(&object);
    }
};
using CodecContext = std::unique_ptr<AVCodecContext, FreeByAddress<avcodec_free_context>>;
using AvFrame = std::unique_ptr<AVFrame, FreeByAddress<av_frame_free>>;
using Packet = std::unique_ptr<AVPacket, FreeByAddress<av_packet_free>>;
using Parameters = std::unique_ptr<AVCodecParameters, FreeByAddress<avcodec_parameters_free>>;

struct FreeScaler {
    void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
};
struct FreeContainer {
    void operator()(AVFormatContext* container) const {
        avio_closep(&container->pb);
        avformat_free_context(container);
    }
};

std::string reason(int failure) {
    std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
    av_strerror(failure, text.data(), text.size());
    return text.data();
}

// Returns whole rates exactly. NTSC rates are n * 1000 / 1001 and are usually given with two or
// three decimals. Other rates are approximated.
AVRational exact_rate(double frames_per_second) {
    const double whole = std::round(frames_per_second);
    if (std::abs(frames_per_second - whole) < 1e-6) return {static_cast<int>(whole), 1};
    const double television = std::round(frames_per_second * 1.001);
    if (std::abs(frames_per_second - television / 1.001) < 0.0045)
        return {static_cast<int>(television) * 1000, 1001};
    return av_d2q(frames_per_second, 100000);
}

// Searches by name, because libavcodec's other H.264 encoders need special hardware.
const AVCodec* find_encoder() {
    for (const char* name : {"libx264", "libopenh264"})
        if (const AVCodec* found = avcodec_find_encoder_by_name(name)) return found;
    return nullptr;
}

// With AVX-512, two x264 encoders (core 164) of one process gave different bytes for the same
// frames: 11 of 39 repeats at 64 x 48 pixels. The cause is probably memory that x264 reads but did
// not write. These are the instruction sets of such processors without AVX-512.
constexpr const char* kX264WithoutAvx512 =
    "asm=MMX2,SSE2Fast,LZCNT,SSSE3,SSE4.2,AVX,FMA3,BMI2,AVX2";

bool has_avx512() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0;
#else
    return false;
#endif
}

AvFrame new_frame(AVPixelFormat format, int width, int height) {
    AvFrame frame(av_frame_alloc());
    if (!frame) return nullptr;
    frame->format = format;
    frame->width = width;
    frame->height = height;
    if (av_frame_get_buffer(frame.get(), 0) < 0) return nullptr;
    return frame;
}

// Converts with the BT.709 matrix, whose primaries sRGB shares, from full range to video range (16
// to 235).
std::unique_ptr<SwsContext, FreeScaler> new_scaler(int width, int height) {
    std::unique_ptr<SwsContext, FreeScaler> scaler(sws_getContext(
        width, height, AV_PIX_FMT_RGBA, width, height, AV_PIX_FMT_YUV420P,
        SWS_BICUBIC | SWS_FULL_CHR_H_INP | SWS_ACCURATE_RND, nullptr, nullptr, nullptr));
    if (!scaler) return nullptr;
    const int* bt709 = sws_getCoefficients(SWS_CS_ITU709);
    const int neutral = 1 << 16;
    sws_setColorspaceDetails(scaler.get(), bt709, 1, bt709, 0, 0, neutral, neutral);
    return scaler;
}

}  // namespace

struct VideoWriter::State {
    State(const std::filesystem::path& path, bool is_resumable)
        : name(path.string()), target(path), log(path, is_resumable), keeps_frames(is_resumable) {}

    std::string name;
    std::filesystem::path target;
    PacketLog log;
    bool keeps_frames;   // for save_progress()
    std::string frames;  // those of the segment that is not complete, as the encoder receives them
    int width = 0, height = 0;
    AVRational rate{};
    std::int64_t frame_count = 0;
    bool finished = false;
    Parameters parameters;  // of all segments
    CodecContext codec;     // of this segment
    AvFrame rgba, yuv;
    Packet packet;
    std::unique_ptr<SwsContext, FreeScaler> scaler;

    Error error(const std::string& what, int failure) const {
        return {what + ": " + reason(failure), name};
    }
    std::int64_t frames_in_segment() const { return frame_count % kSegmentFrames; }
    std::size_t frame_bytes() const {
        return static_cast<std::size_t>(codec->width) * static_cast<std::size_t>(codec->height) *
               3 / 2;
    }
    Result<void> open_codec();
    Result<void> allocate_frames();
    Result<void> add_yuv();
    Result<void> encode(const AVFrame* frame);
    Result<void> continue_from(const OutputStart& start);
    Result<void> join_segments();
};

// Calls `visit` for each row of the planes of a 4:2:0 frame, without padding.
template <class Visit>
void each_row(const AVFrame& frame, const Visit& visit) {
    for (int plane = 0; plane < 3; ++plane) {
        const int divisor = plane == 0 ? 1 : 2;
        for (int y = 0; y < frame.height / divisor; ++y)
            visit(reinterpret_cast<char*>(frame.data[plane]) +
                      std::ptrdiff_t{y} * frame.linesize[plane],
                  static_cast<std::size_t>(frame.width / divisor));
    }
}

Result<void> VideoWriter::State::open_codec() {
    const AVCodec* encoder = find_encoder();
    if (!encoder)
        return Error{
            "cannot be written: this libavcodec has no H.264 encoder; install one with libx264, or "
            "write images instead",
            name};
    codec.reset(avcodec_alloc_context3(encoder));
    if (!codec) return Error{"cannot be encoded: not enough memory", name};
    codec->width = width & ~1;
    codec->height = height & ~1;
    codec->pix_fmt = AV_PIX_FMT_YUV420P;
    codec->time_base = av_inv_q(rate);
    codec->framerate = rate;
    codec->sample_aspect_ratio = {1, 1};
    codec->color_range = AVCOL_RANGE_MPEG;
    codec->colorspace = AVCOL_SPC_BT709;
    codec->color_primaries = AVCOL_PRI_BT709;
    codec->color_trc = AVCOL_TRC_BT709;
    codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;  // MP4 stores the headers once, not per frame
    if (std::strcmp(encoder->name, "libx264") == 0) {
        av_opt_set(codec->priv_data, "preset", "medium", 0);
        av_opt_set(codec->priv_data, "crf", "18", 0);  // visually lossless
        if (has_avx512()) av_opt_set(codec->priv_data, "x264-params", kX264WithoutAvx512, 0);
    } else {
        // The other encoder has no constant-quality mode; 0.25 bits per pixel is generous.
        codec->bit_rate = static_cast<std::int64_t>(0.25 * av_q2d(rate) * width * height);
    }
    if (const int failure = avcodec_open2(codec.get(), encoder, nullptr); failure < 0)
        return error("the H.264 encoder cannot be opened", failure);
    return {};
}

Result<void> VideoWriter::State::allocate_frames() {
    // libav reads past the ends of rows, so frames are copied into buffers that it allocated.
    parameters.reset(avcodec_parameters_alloc());
    rgba = new_frame(AV_PIX_FMT_RGBA, codec->width, codec->height);
    yuv = new_frame(AV_PIX_FMT_YUV420P, codec->width, codec->height);
    packet.reset(av_packet_alloc());
    scaler = new_scaler(codec->width, codec->height);
    if (!rgba || !yuv || !packet || !scaler || !parameters)
        return Error{"cannot be encoded: not enough memory", name};
    avcodec_parameters_from_context(parameters.get(), codec.get());
    yuv->color_range = codec->color_range;
    yuv->colorspace = codec->colorspace;
    yuv->color_primaries = codec->color_primaries;
    yuv->color_trc = codec->color_trc;
    return {};
}

// Encodes a frame and logs the packets that are complete. A null frame flushes the encoder.
Result<void> VideoWriter::State::encode(const AVFrame* frame) {
    if (const int failure = avcodec_send_frame(codec.get(), frame); failure < 0)
        return error("a frame cannot be encoded", failure);
    const std::int64_t segment_start =
        (frame_count - 1) / kSegmentFrames * kSegmentFrames;  // of the frame that was added last
    for (;;) {
        const int received = avcodec_receive_packet(codec.get(), packet.get());
        if (received == AVERROR(EAGAIN) || received == AVERROR_EOF) return {};
        if (received < 0) return error("a frame cannot be encoded", received);
        const LoggedPacket header{
            static_cast<std::uint32_t>(packet->size), static_cast<std::uint32_t>(packet->flags),
            packet->pts + segment_start, packet->dts + segment_start, packet->duration};
        const Result<void> done = log.add(header, packet->data);
        av_packet_unref(packet.get());
        if (!done) return done;
    }
}

// Encodes `yuv`. The last frame of a segment flushes its encoder.
Result<void> VideoWriter::State::add_yuv() {
    if (frames_in_segment() == 0 && frame_count > 0)
        if (Result<void> done = open_codec(); !done) return done;
    yuv->pts = frames_in_segment();
    if (keeps_frames)
        each_row(*yuv, [&](const char* row, std::size_t size) { frames.append(row, size); });
    ++frame_count;
    if (Result<void> done = encode(yuv.get()); !done || frames_in_segment() != 0) return done;
    frames.clear();
    Result<void> done = encode(nullptr);
    if (done) log.complete_segment();
    return done;
}

// The progress consists of the number of frames, the length and the hash of the log, and the frames
// of the segment that is not complete. The log holds complete segments up to that length.
Result<void> VideoWriter::State::continue_from(const OutputStart& start) {
    constexpr std::size_t kNumbers = 24;
    const std::string& progress = *start.progress;
    const Error unusable{"the progress of the video does not fit it", name};
    if (progress.size() < kNumbers ||
        u64_at(progress, 0) != static_cast<std::uint64_t>(start.next_frame))
        return unusable;
    const std::int64_t open_frames = start.next_frame % kSegmentFrames;
    if (progress.size() != kNumbers + static_cast<std::size_t>(open_frames) * frame_bytes())
        return unusable;
    if (Result<void> done = log.truncate(u64_at(progress, 8), u64_at(progress, 16)); !done)
        return done;
    frame_count = start.next_frame - open_frames;
    const char* from = progress.data() + kNumbers;
    for (std::int64_t k = 0; k < open_frames; ++k) {
        if (const int failure = av_frame_make_writable(yuv.get()); failure < 0)
            return error("a frame cannot be encoded", failure);
        each_row(*yuv, [&](char* row, std::size_t size) {
            std::memcpy(row, from, size);
            from += size;
        });
        if (Result<void> done = add_yuv(); !done) return done;
    }
    return {};
}

// Writes the packets of all segments to the file.
Result<void> VideoWriter::State::join_segments() {
    PendingFile pending(target);
    const std::string url =
        "file:" + pending.temporary().string();  // so that libav sees no other scheme
    AVFormatContext* created = nullptr;
    avformat_alloc_output_context2(&created, nullptr, "mp4", url.c_str());
    const std::unique_ptr<AVFormatContext, FreeContainer> container(created);
    if (!container) return Error{"cannot be written: this libavformat has no MP4 writer", name};
    AVStream* const stream = avformat_new_stream(container.get(), nullptr);
    if (!stream) return Error{"cannot be encoded: not enough memory", name};
    avcodec_parameters_copy(stream->codecpar, parameters.get());
    stream->time_base = av_inv_q(rate);
    stream->avg_frame_rate = rate;
    if (const int failure = avio_open(&container->pb, url.c_str(), AVIO_FLAG_WRITE); failure < 0)
        return error("cannot be written", failure);
    av_opt_set(container->priv_data, "movflags", "+faststart", 0);
    if (const int failure = avformat_write_header(container.get(), nullptr); failure < 0)
        return error("cannot be written", failure);
    const Result<void> joined =
        log.each([&](const LoggedPacket& header, const char* data) -> Result<void> {
            if (const int failure = av_new_packet(packet.get(), static_cast<int>(header.size));
                failure < 0)
                return error("cannot be written", failure);
            std::memcpy(packet->data, data, header.size);
            packet->flags = static_cast<int>(header.flags);
            packet->pts = header.pts;
            packet->dts = header.dts;
            packet->duration = header.duration;
            packet->stream_index = stream->index;
            av_packet_rescale_ts(packet.get(), av_inv_q(rate), stream->time_base);
            const int failure = av_interleaved_write_frame(container.get(), packet.get());
            if (failure < 0) return error("cannot be written", failure);
            return {};
        });
    if (!joined) return joined;
    if (const int failure = av_write_trailer(container.get()); failure < 0)
        return error("cannot be written", failure);
    if (const int failure = avio_closep(&container->pb); failure < 0)
        return error("cannot be written", failure);
    return pending.commit();
}

VideoWriter::VideoWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
VideoWriter::VideoWriter(VideoWriter&&) noexcept = default;
VideoWriter& VideoWriter::operator=(VideoWriter&&) noexcept = default;
VideoWriter::~VideoWriter() = default;

Result<VideoWriter> VideoWriter::open(const std::filesystem::path& path, int width, int height,
                                      double frames_per_second, const OutputStart& start) {
    if (path.extension() != ".mp4")
        return Error{"a video is written as MP4; use a name that ends in .mp4", path.string()};
    if (width < kMinSide || height < kMinSide || width > kMaxSide || height > kMaxSide)
        return Error{"a video of " + std::to_string(width) + " x " + std::to_string(height) +
                         " pixels cannot be written; each side must be from 16 to 8192",
                     path.string()};
    if (!(frames_per_second >= 1 && frames_per_second <= 1000))
        return Error{"a video of " + std::to_string(frames_per_second) +
                         " frames per second cannot be written; the rate must be from 1 to 1000",
                     path.string()};
    // libav would print to the terminal; its return codes report failures.
    av_log_set_level(AV_LOG_QUIET);
    auto state = std::make_unique<State>(path, start.is_resumable);
    state->width = width;
    state->height = height;
    state->rate = exact_rate(frames_per_second);
    if (auto done = state->log.open(start.progress != nullptr); !done) return done.error();
    if (auto done = state->open_codec(); !done) return done.error();
    if (auto done = state->allocate_frames(); !done) return done.error();
    if (start.progress)
        if (auto done = state->continue_from(start); !done) return done.error();
    return VideoWriter(std::move(state));
}

Result<void> VideoWriter::add(const Image& frame) {
    RINGLET_ASSERT(state_, "the writer has not been moved from");
    State& s = *state_;
    if (s.finished) return Error{"is finished; no frame can be added", s.name};
    if (frame.width != s.width || frame.height != s.height ||
        frame.rgba.size() !=
            std::size_t{4} * static_cast<std::size_t>(s.width) * static_cast<std::size_t>(s.height))
        return Error{"a frame of " + std::to_string(frame.width) + " x " +
                         std::to_string(frame.height) + " pixels does not fit a video of " +
                         std::to_string(s.width) + " x " + std::to_string(s.height),
                     s.name};
    for (int y = 0; y < s.rgba->height; ++y)
        std::memcpy(s.rgba->data[0] + std::ptrdiff_t{y} * s.rgba->linesize[0], frame.pixel(0, y),
                    static_cast<std::size_t>(s.rgba->width) * 4);
    // The encoder may still refer to the last frame's buffer.
    if (const int failure = av_frame_make_writable(s.yuv.get()); failure < 0)
        return s.error("a frame cannot be encoded", failure);
    sws_scale(s.scaler.get(), s.rgba->data, s.rgba->linesize, 0, s.rgba->height, s.yuv->data,
              s.yuv->linesize);
    return s.add_yuv();
}

Result<std::string> VideoWriter::save_progress() {
    RINGLET_ASSERT(state_ && state_->keeps_frames, "the writer was opened as resumable");
    const State& s = *state_;
    // Packets of the open segment that are already in the log are encoded again.
    if (const Result<void> done = s.log.flush(); !done) return done.error();
    std::string out;
    append_u64(out, static_cast<std::uint64_t>(s.frame_count));
    append_u64(out, s.log.complete_bytes());
    append_u64(out, s.log.complete_hash());
    return out + s.frames;
}

void VideoWriter::keep_unfinished() { state_->log.keep(); }

Result<void> VideoWriter::finish() {
    RINGLET_ASSERT(state_, "the writer has not been moved from");
    State& s = *state_;
    if (s.finished) return Error{"is finished already", s.name};
    s.finished = true;
    if (s.frame_count == 0) return Error{"has no frames, so there is no video to write", s.name};
    if (s.frames_in_segment() != 0)
        if (auto done = s.encode(nullptr); !done) return done;
    Result<void> done = s.join_segments();
    if (done) s.log.remove();
    return done;
}

}  // namespace ringlet
