#include "io/image/jpeg.h"

#include <csetjmp>
#include <cstdio>
// jpeglib.h requires cstdio to be included before it.
#include <jpeglib.h>
// jerror.h requires jpeglib.h.
#include <jerror.h>

#include "io/image/image_limits.h"

namespace ringlet {

namespace {

// The coefficients of a progressive colour image of 2^26 pixels take 384 MiB.
constexpr long kMaxDecoderBytes = 512 << 20;
// A scan takes a few bytes in the file but processes the whole image. Encoders write about ten.
constexpr std::int64_t kMaxScannedPixels = std::int64_t{1} << 30;
constexpr int kMaxScans = 100;

// The error callbacks of libjpeg must not return, so they call longjmp. No object with a destructor
// may be alive between setjmp and longjmp.
struct Decoder {
    jpeg_decompress_struct info{};
    jpeg_error_mgr errors{};
    jpeg_progress_mgr progress{};
    std::jmp_buf on_error{};
    char message[JMSG_LENGTH_MAX] = "";

    ~Decoder() { jpeg_destroy_decompress(&info); }
};

Decoder& decoder(j_common_ptr info) { return *static_cast<Decoder*>(info->client_data); }

[[noreturn]] void fail(j_common_ptr info) {
    info->err->format_message(info, decoder(info).message);
    std::longjmp(decoder(info).on_error, 1);
}

// Level -1 is a warning. Warnings of corrupt data become errors; harmless ones are ignored.
void on_message(j_common_ptr info, int level) {
    if (level >= 0) return;
    switch (info->err->msg_code) {
        case JWRN_JPEG_EOF:
        case JWRN_HIT_MARKER:
        case JWRN_HUFF_BAD_CODE:
        case JWRN_ARITH_BAD_CODE:
        case JWRN_MUST_RESYNC:
            fail(info);
        default:
            return;
    }
}

void on_progress(j_common_ptr info) {
    const auto* d = reinterpret_cast<j_decompress_ptr>(info);
    const std::int64_t pixels = std::int64_t{d->image_width} * d->image_height;
    if (d->input_scan_number <= kMaxScans && d->input_scan_number * pixels <= kMaxScannedPixels)
        return;
    std::snprintf(decoder(info).message, JMSG_LENGTH_MAX, "it has too many scans");
    std::longjmp(decoder(info).on_error, 1);
}

// Fills d.info with the header's data. Returns false on failure, with the reason in d.message.
bool read_header(Decoder& d, std::string_view bytes) {
    d.info.err = jpeg_std_error(&d.errors);
    d.info.client_data = &d;
    d.errors.error_exit = fail;
    d.errors.emit_message = on_message;
    d.errors.output_message = [](j_common_ptr) {};
    if (setjmp(d.on_error)) return false;
    jpeg_create_decompress(&d.info);
    d.info.mem->max_memory_to_use = kMaxDecoderBytes;
    d.progress.progress_monitor = on_progress;
    d.info.progress = &d.progress;
    jpeg_mem_src(&d.info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&d.info, TRUE);
    return true;
}

bool is_cmyk(const Decoder& d) { return d.info.num_components == 4; }

// Four bytes per pixel: RGBA, or CMYK as stored.
bool read_pixels(Decoder& d, Image& image) {
    if (setjmp(d.on_error)) return false;
    d.info.out_color_space = is_cmyk(d) ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg_start_decompress(&d.info);
    while (d.info.output_scanline < d.info.output_height) {
        JSAMPROW row = image.pixel(0, static_cast<int>(d.info.output_scanline));
        jpeg_read_scanlines(&d.info, &row, 1);
    }
    return true;
}

// Adobe's programs store inverted ink (255 for none) and mark such files with their own marker.
void cmyk_to_rgb(Image& image, bool adobe) {
    const int flip = adobe ? 0 : 255;
    for (std::size_t i = 0; i < image.rgba.size(); i += 4) {
        std::uint8_t* p = &image.rgba[i];
        const int paper = p[3] ^ flip;
        for (int k = 0; k < 3; ++k)
            p[k] = static_cast<std::uint8_t>(((p[k] ^ flip) * paper + 127) / 255);
        p[3] = 255;
    }
}

Error damaged_jpeg(const Decoder& d, const std::string& name) {
    return Error{std::string("is a damaged image: ") + d.message, name};
}

}  // namespace

Result<Image> parse_jpeg(std::string_view bytes, const std::string& name) {
    Decoder d;
    if (!read_header(d, bytes)) return damaged_jpeg(d, name);
    if (auto wrong = size_error(d.info.image_width, d.info.image_height, name)) return *wrong;
    Image image{static_cast<int>(d.info.image_width), static_cast<int>(d.info.image_height), {}};
    image.rgba.resize(std::size_t{d.info.image_width} * d.info.image_height * 4);
    if (!read_pixels(d, image)) return damaged_jpeg(d, name);
    if (is_cmyk(d)) cmyk_to_rgb(image, d.info.saw_Adobe_marker);
    return image;
}

}  // namespace ringlet
