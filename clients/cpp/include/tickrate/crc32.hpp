// The CRC-32 of zlib, eight bytes at a time.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace tickrate::detail {

struct CrcTables {
  std::array<std::array<std::uint32_t, 256>, 8> rows{};
  CrcTables() {
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) ? 0xEDB88320u : 0u);
      rows[0][i] = value;
    }
    for (std::size_t row = 1; row < 8; ++row) {
      for (std::size_t i = 0; i < 256; ++i) rows[row][i] = (rows[row - 1][i] >> 8) ^ rows[0][rows[row - 1][i] & 0xFF];
    }
  }
};
inline std::uint32_t crc32(const char* data, std::size_t size) {
  // Made at the first call: in a program, they would be 8 KB of its size.
  static const CrcTables tables;
  const auto& rows = tables.rows;
  const auto* bytes = reinterpret_cast<const unsigned char*>(data);
  std::uint32_t crc = 0xFFFFFFFFu;
  for (; size >= 8; bytes += 8, size -= 8) {
    const std::uint32_t low = crc ^ (static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
                                     static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24);
    crc = rows[7][low & 0xFF] ^ rows[6][(low >> 8) & 0xFF] ^ rows[5][(low >> 16) & 0xFF] ^ rows[4][low >> 24] ^
          rows[3][bytes[4]] ^ rows[2][bytes[5]] ^ rows[1][bytes[6]] ^ rows[0][bytes[7]];
  }
  for (; size > 0; ++bytes, --size) crc = (crc >> 8) ^ rows[0][(crc ^ *bytes) & 0xFF];
  return ~crc;
}

/** Eight lowercase hex digits. */
inline void write_hex32(char* out, std::uint32_t value) {
  for (int i = 7; i >= 0; --i, value >>= 4) out[i] = "0123456789abcdef"[value & 0xF];
}

}  // namespace tickrate::detail
