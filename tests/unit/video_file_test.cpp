#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/files.h"
#include "io/video/video_writer.h"
#include "temp_folder.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

namespace ringlet {
namespace {

Image filled(int width, int height, std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    Image out{width, height, {}};
    for (int i = 0; i < width * height; ++i) out.rgba.insert(out.rgba.end(), {r, g, b, 255});
    return out;
}

// The properties that a player reads from a file.
struct Played {
    AVCodecID codec{};
    int width = 0, height = 0, format = 0;
    AVRational rate{};
    double seconds = 0;
    AVColorSpace matrix{};
    AVColorRange range{};
    AVColorPrimaries primaries{};
    AVColorTransferCharacteristic transfer{};
    struct Middle {
        int y, u, v;
    };
    std::vector<Middle> middles;     // of every frame, in video range
    std::vector<int> lumas_at_edge;  // of the last pixel of the last row
};

void decode(AVCodecContext* codec, const AVPacket* packet, AVFrame* frame, Played& out) {
    avcodec_send_packet(codec, packet);
    while (avcodec_receive_frame(codec, frame) == 0) {
        const auto at = [&](int plane, int x, int y) {
            return int{frame->data[plane][y * frame->linesize[plane] + x]};
        };
        const int x = frame->width / 2, y = frame->height / 2;
        out.middles.push_back({at(0, x, y), at(1, x / 2, y / 2), at(2, x / 2, y / 2)});
        out.lumas_at_edge.push_back(at(0, frame->width - 1, frame->height - 1));
    }
}

Played play(const std::filesystem::path& path) {
    Played out;
    AVFormatContext* container = nullptr;
    if (avformat_open_input(&container, path.c_str(), nullptr, nullptr) < 0) {
        ADD_FAILURE() << "cannot be opened: " << path;
        return out;
    }
    avformat_find_stream_info(container, nullptr);
    EXPECT_EQ(container->nb_streams, 1u);
    const AVStream* stream = container->streams[0];
    const AVCodecParameters* p = stream->codecpar;
    out.codec = p->codec_id;
    out.width = p->width;
    out.height = p->height;
    out.format = p->format;
    out.rate = stream->avg_frame_rate;
    out.seconds = static_cast<double>(stream->duration) * av_q2d(stream->time_base);
    out.matrix = p->color_space;
    out.range = p->color_range;
    out.primaries = p->color_primaries;
    out.transfer = p->color_trc;

    AVCodecContext* codec = avcodec_alloc_context3(avcodec_find_decoder(p->codec_id));
    avcodec_parameters_to_context(codec, p);
    avcodec_open2(codec, nullptr, nullptr);
    AVPacket* packet = av_packet_alloc();
    AVFrame* frame = av_frame_alloc();
    while (av_read_frame(container, packet) == 0) {
        decode(codec, packet, frame, out);
        av_packet_unref(packet);
    }
    decode(codec, nullptr, frame, out);
    av_frame_free(&frame);
    av_packet_free(&packet);
    avcodec_free_context(&codec);
    avformat_close_input(&container);
    return out;
}

void write_video(const std::filesystem::path& path, const std::vector<Image>& frames, double rate) {
    Result<VideoWriter> video = VideoWriter::open(path, frames[0].width, frames[0].height, rate);
    ASSERT_TRUE(video) << video.error().text();
    for (const Image& frame : frames) {
        const Result<void> added = video->add(frame);
        ASSERT_TRUE(added) << added.error().text();
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    const Result<void> finished = video->finish();
    ASSERT_TRUE(finished) << finished.error().text();
}

TEST(video_file, plays_every_frame_at_its_size_and_rate) {
    const TempFolder folder;
    std::vector<Image> frames;
    for (int i = 0; i < 10; ++i)
        frames.push_back(filled(64, 48, static_cast<std::uint8_t>(20 * i), 100, 50));
    write_video(folder / "a.mp4", frames, 24);
    const Played video = play(folder / "a.mp4");
    EXPECT_EQ(video.codec, AV_CODEC_ID_H264);
    EXPECT_EQ(video.format, AV_PIX_FMT_YUV420P);
    EXPECT_EQ(video.width, 64);
    EXPECT_EQ(video.height, 48);
    EXPECT_EQ(av_cmp_q(video.rate, {24, 1}), 0);
    EXPECT_NEAR(video.seconds, 10 / 24.0, 1e-3);
    ASSERT_EQ(video.middles.size(), 10u);
    // In order: each frame is lighter than the one before.
    for (std::size_t i = 1; i < 10; ++i) EXPECT_GT(video.middles[i].y, video.middles[i - 1].y);
}

TEST(video_file, keeps_rates_exactly) {
    const TempFolder folder;
    const std::vector<Image> frames(7, filled(32, 32, 9, 9, 9));
    const std::vector<std::pair<double, AVRational>> rates{
        {23.976, {24000, 1001}}, {24000.0 / 1001, {24000, 1001}},
        {29.97, {30000, 1001}},  {59.94, {60000, 1001}},
        {24, {24, 1}},           {25, {25, 1}},
        {30, {30, 1}},           {60, {60, 1}},
        {12.5, {25, 2}},
    };
    for (const auto& [rate, exact] : rates) {
        write_video(folder / "a.mp4", frames, rate);
        const Played video = play(folder / "a.mp4");
        EXPECT_EQ(av_cmp_q(video.rate, exact), 0) << video.rate.num << "/" << video.rate.den;
        std::filesystem::remove(folder / "a.mp4");
    }
}

// BT.709 in video range, worked out by hand: luma 16 + 219 Y, chroma 128 + 224 C, with
// Y = 0.2126 R + 0.7152 G + 0.0722 B, Cb = (B - Y) / 1.8556, Cr = (R - Y) / 1.5748.
TEST(video_file, keeps_colours) {
    const TempFolder folder;
    struct Case {
        std::uint8_t r, g, b;
        int y, u, v;
    };
    for (const Case& c : {Case{128, 128, 128, 126, 128, 128}, Case{255, 0, 0, 63, 102, 240},
                          Case{0, 255, 0, 173, 42, 26}, Case{0, 0, 255, 32, 240, 118},
                          Case{255, 255, 255, 235, 128, 128}, Case{0, 0, 0, 16, 128, 128}}) {
        write_video(folder / "a.mp4", std::vector<Image>(3, filled(64, 48, c.r, c.g, c.b)), 30);
        const Played video = play(folder / "a.mp4");
        EXPECT_EQ(video.matrix, AVCOL_SPC_BT709);
        EXPECT_EQ(video.range, AVCOL_RANGE_MPEG);
        EXPECT_EQ(video.primaries, AVCOL_PRI_BT709);
        EXPECT_EQ(video.transfer, AVCOL_TRC_BT709);
        ASSERT_EQ(video.middles.size(), 3u);
        for (const Played::Middle& m : video.middles) {
            EXPECT_NEAR(m.y, c.y, 2);
            EXPECT_NEAR(m.u, c.u, 2);
            EXPECT_NEAR(m.v, c.v, 2);
        }
        std::filesystem::remove(folder / "a.mp4");
    }
}

TEST(video_file, crops_odd_sizes_by_the_last_column_and_row) {
    const TempFolder folder;
    Image frame = filled(33, 17, 0, 0, 0);
    // White where it will be cut, and in one corner that will not.
    for (int y = 0; y < 17; ++y) std::memset(frame.pixel(32, y), 255, 4);
    for (int x = 0; x < 33; ++x) std::memset(frame.pixel(x, 16), 255, 4);
    write_video(folder / "a.mp4", {frame}, 30);
    const Played video = play(folder / "a.mp4");
    EXPECT_EQ(video.width, 32);
    EXPECT_EQ(video.height, 16);
    EXPECT_NEAR(video.seconds, 1 / 30.0, 1e-3);
    ASSERT_EQ(video.lumas_at_edge.size(), 1u);
    EXPECT_NEAR(video.lumas_at_edge[0], 16, 8);
}

TEST(video_file, has_its_index_at_the_front) {
    const TempFolder folder;
    write_video(folder / "a.mp4", std::vector<Image>(5, filled(64, 48, 1, 2, 3)), 30);
    const std::string bytes = *read_file(folder / "a.mp4");
    ASSERT_NE(bytes.find("moov"), std::string::npos);
    EXPECT_LT(bytes.find("moov"), bytes.find("mdat"));
}

TEST(video_file, leaves_nothing_when_abandoned) {
    const TempFolder folder;
    {
        Result<VideoWriter> video = VideoWriter::open(folder / "a.mp4", 64, 48, 24);
        ASSERT_TRUE(video) << video.error().text();
        for (int i = 0; i < 5; ++i) ASSERT_TRUE(video->add(filled(64, 48, 1, 2, 3)));
        EXPECT_FALSE(folder.is_empty());
        EXPECT_FALSE(std::filesystem::exists(folder / "a.mp4"));
        const VideoWriter moved = std::move(*video);
    }
    EXPECT_TRUE(folder.is_empty());
}

TEST(video_file, leaves_an_older_file_alone_until_it_is_finished) {
    const TempFolder folder;
    ASSERT_TRUE(write_file(folder / "a.mp4", "older"));
    {
        Result<VideoWriter> video = VideoWriter::open(folder / "a.mp4", 64, 48, 24);
        ASSERT_TRUE(video) << video.error().text();
        ASSERT_TRUE(video->add(filled(64, 48, 1, 2, 3)));
    }
    EXPECT_EQ(*read_file(folder / "a.mp4"), "older");
}

TEST(video_file, refuses_sizes_rates_and_names_it_cannot_write) {
    const TempFolder folder;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto open = [&](const char* name, int width, int height, double rate) {
        const Result<VideoWriter> video = VideoWriter::open(folder / name, width, height, rate);
        EXPECT_FALSE(video) << name << " " << width << " " << height << " " << rate;
        return video ? std::string() : video.error().message;
    };
    EXPECT_NE(open("a.mp4", 15, 48, 24).find("15 x 48"), std::string::npos);
    EXPECT_NE(open("a.mp4", 64, 0, 24).find("64 x 0"), std::string::npos);
    EXPECT_NE(open("a.mp4", -64, 48, 24).find("-64 x 48"), std::string::npos);
    EXPECT_NE(open("a.mp4", 64, 1 << 20, 24).find("8192"), std::string::npos);
    for (const double rate : {0.0, -24.0, 1e9, nan}) open("a.mp4", 64, 48, rate);
    EXPECT_NE(open("a.avi", 64, 48, 24).find(".mp4"), std::string::npos);
    ASSERT_TRUE(folder.is_empty());
    ASSERT_TRUE(write_file(folder / "file", "x"));
    EXPECT_NE(open("file/a.mp4", 64, 48, 24).find("cannot be written"), std::string::npos);
}

TEST(video_file, refuses_frames_of_another_size_and_goes_on) {
    const TempFolder folder;
    Result<VideoWriter> video = VideoWriter::open(folder / "a.mp4", 64, 48, 24);
    ASSERT_TRUE(video) << video.error().text();
    const Result<void> wrong = video->add(filled(48, 64, 0, 0, 0));
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("48 x 64"), std::string::npos);
    Image half = filled(64, 48, 0, 0, 0);
    half.rgba.resize(half.rgba.size() / 2);
    EXPECT_FALSE(video->add(half));
    ASSERT_TRUE(video->add(filled(64, 48, 0, 0, 0)));
    ASSERT_TRUE(video->finish());
    EXPECT_EQ(play(folder / "a.mp4").middles.size(), 1u);
}

TEST(video_file, is_finished_once_and_not_without_frames) {
    const TempFolder folder;
    {
        Result<VideoWriter> video = VideoWriter::open(folder / "a.mp4", 64, 48, 24);
        ASSERT_TRUE(video) << video.error().text();
        EXPECT_FALSE(video->finish());
    }
    EXPECT_TRUE(folder.is_empty());
    Result<VideoWriter> video = VideoWriter::open(folder / "a.mp4", 64, 48, 24);
    ASSERT_TRUE(video) << video.error().text();
    ASSERT_TRUE(video->add(filled(64, 48, 0, 0, 0)));
    ASSERT_TRUE(video->finish());
    for (const Result<void>& late : {video->finish(), video->add(filled(64, 48, 0, 0, 0))}) {
        ASSERT_FALSE(late);
        EXPECT_NE(late.error().message.find("is finished"), std::string::npos);
    }
}

TEST(video_file, says_nothing_on_the_terminal) {
    const TempFolder folder;
    testing::internal::CaptureStderr();
    write_video(folder / "a.mp4", std::vector<Image>(3, filled(64, 48, 1, 2, 3)), 30);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// Frames whose content moves, so that the encoder refers to others.
Image moving(int k) {
    Image out = filled(64, 48, 20, 40, 60);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x)
            out.rgba[static_cast<std::size_t>(4 * (y * 64 + x))] =
                static_cast<std::uint8_t>((x * 5 + y * 3 + k * 7) % 256);
    return out;
}

TEST(video_file, can_be_continued_with_the_same_bytes) {
    constexpr int kFrames = 2 * VideoWriter::kSegmentFrames + 9;
    const TempFolder folder;
    const std::filesystem::path path = folder / "a.mp4";
    const auto add = [](VideoWriter& video, int from, int to) {
        for (int k = from; k < to; ++k) ASSERT_TRUE(video.add(moving(k)));
    };
    const auto finished = [&](VideoWriter& video) {
        EXPECT_TRUE(video.finish());
        return *read_file(path);
    };
    Result<VideoWriter> plain = VideoWriter::open(path, 64, 48, 24);
    add(*plain, 0, kFrames);
    const std::string whole = finished(*plain);
    EXPECT_EQ(play(path).middles.size(), static_cast<std::size_t>(kFrames));
    for (const int cut : {1, 47, 48, 49, 95, 96, 100}) {
        std::filesystem::remove(path);
        std::string progress;
        {
            Result<VideoWriter> first = VideoWriter::open(path, 64, 48, 24, {.is_resumable = true});
            ASSERT_TRUE(first) << first.error().text();
            add(*first, 0, cut);
            progress = *first->save_progress();
            first->keep_unfinished();
            add(*first, cut, std::min(kFrames, cut + 53));  // lost
        }
        EXPECT_FALSE(std::filesystem::exists(path));
        {
            Result<VideoWriter> second =
                VideoWriter::open(path, 64, 48, 24, {true, &progress, cut});
            ASSERT_TRUE(second) << second.error().text();
            add(*second, cut, kFrames);
            EXPECT_TRUE(finished(*second) == whole) << cut;
        }
        std::filesystem::remove(path);
        EXPECT_TRUE(folder.is_empty());
    }
}

// The memory that an encoder allocates has been used before, by the encoders before it.
TEST(video_file, has_the_same_bytes_whatever_was_encoded_before) {
    const TempFolder folder;
    std::string first;
    for (int run = 0; run < 12; ++run) {
        Result<VideoWriter> video = VideoWriter::open(folder / "a.mp4", 64, 48, 24);
        for (int k = 0; k < 96; ++k) ASSERT_TRUE(video->add(moving(k)));
        ASSERT_TRUE(video->finish());
        const std::string bytes = *read_file(folder / "a.mp4");
        if (run == 0) first = bytes;
        EXPECT_TRUE(bytes == first) << run;
        const std::vector<char> used(static_cast<std::size_t>(37000 * run + 1), 'x');
        EXPECT_EQ(used.back(), 'x');
    }
}

TEST(video_file, progress_that_does_not_fit_is_refused) {
    const TempFolder folder;
    const std::filesystem::path path = folder / "a.mp4";
    std::string progress;
    {
        Result<VideoWriter> first = VideoWriter::open(path, 64, 48, 24, {.is_resumable = true});
        for (int k = 0; k < 60; ++k) ASSERT_TRUE(first->add(moving(k)));
        progress = *first->save_progress();
        first->keep_unfinished();
    }
    const auto opens = [&](const std::string& from, int next) {
        return static_cast<bool>(VideoWriter::open(path, 64, 48, 24, {true, &from, next}));
    };
    EXPECT_TRUE(opens(progress, 60));
    EXPECT_FALSE(opens(progress, 59));
    EXPECT_FALSE(opens(progress.substr(0, progress.size() - 1), 60));
    EXPECT_FALSE(opens("", 0));
    for (const auto& entry : std::filesystem::directory_iterator(folder / ""))
        std::filesystem::resize_file(entry.path(), 100);
    EXPECT_FALSE(opens(progress, 60));
}

}  // namespace
}  // namespace ringlet
