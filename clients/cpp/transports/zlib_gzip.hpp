// Packs request bodies with zlib, for `Options::gzip`: link with -lz.
#pragma once
#include <zlib.h>

#include <string>

namespace tickrate {

/** False if the body is too small to be worth it, or zlib has no memory. */
inline bool zlib_gzip(const std::string& body, std::string& packed) {
  constexpr std::size_t least = 256;
  constexpr int gzip_window = 15 + 16;
  z_stream stream{};
  if (body.size() < least || deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK) return false;
  packed.resize(deflateBound(&stream, static_cast<uLong>(body.size())));
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(body.data()));
  stream.avail_in = static_cast<uInt>(body.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const bool whole = deflate(&stream, Z_FINISH) == Z_STREAM_END;
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return whole;
}

}  // namespace tickrate
