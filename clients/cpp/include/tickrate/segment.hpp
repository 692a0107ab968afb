// The format of a segment: its file's name, its lines, and what recovery makes of a file.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crc32.hpp"
#include "json.hpp"

namespace tickrate::detail {

inline constexpr std::size_t line_overhead = 10;  // checksum, space, line feed
inline constexpr std::size_t max_segment_bytes = 256 * 1024;
inline constexpr std::size_t max_segment_events = 1000;
inline constexpr std::size_t max_event_bytes = 64 * 1024;

/** The parts of `<time><n>-<key>.open` and `….seal`. */
struct SegmentName {
  std::string stem;  // the name without its end: time, number and key
  std::string key;
  bool sealed = false;

  static bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

  /** False for a file that is no segment. */
  static bool parse(std::string_view file, SegmentName& name) {
    constexpr std::size_t key_at = 17, key_size = 32;
    const auto ends_with = [&](std::string_view end) {
      return file.size() > end.size() && file.substr(file.size() - end.size()) == end;
    };
    name.sealed = ends_with(".seal");
    if (!name.sealed && !ends_with(".open")) return false;
    const std::string_view stem = file.substr(0, file.size() - 5);
    if (stem.size() < key_at + key_size || stem[16] != '-') return false;
    if (!is_hex(stem.substr(0, 16)) || !is_hex(stem.substr(key_at, key_size))) return false;
    const std::string_view splits = stem.substr(key_at + key_size);
    if (splits.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < splits.size(); i += 2) {
      if (splits[i] != '.' || (splits[i + 1] != '0' && splits[i + 1] != '1')) return false;
    }
    name.stem = stem;
    name.key = stem.substr(key_at);
    return true;
  }

  static std::string make_stem(std::int64_t time_ms, std::uint32_t number, std::string_view key) {
    char front[18];
    std::snprintf(front, sizeof front, "%012llx%04x-", static_cast<unsigned long long>(time_ms) & 0xFFFFFFFFFFFFULL, number & 0xFFFF);
    return std::string(front) + std::string(key);
  }
};

/** What a file contains, up to its first bad line. */
struct SegmentContents {
  enum class Outcome { send, aside, leave, remove };
  Outcome outcome = Outcome::remove;
  std::string principal;
  std::int64_t base_ms = 0;
  std::size_t good_bytes = 0;
  std::uint32_t events = 0;
  std::uint64_t torn = 0;
  std::uint64_t damaged = 0;
  std::string body;

  static SegmentContents read(std::string_view file, bool sealed) {
    SegmentContents contents;
    std::string_view rest = file;
    std::string_view json;
    if (!next_line(rest, json, true)) {
      if (file.find('\n') != std::string_view::npos) return set_aside(file);
      contents.count_rest(file, sealed);
      return contents;
    }
    contents.good_bytes = file.size() - rest.size();
    bool valid = false;
    const Json header = Json::parse(json, valid);
    const std::int64_t version = header["tickrate"].integer(0);
    if (version > 1) {
      contents.outcome = Outcome::leave;
      return contents;
    }
    if (version != 1 || !header["principal"].is_text() || !header["base"].is_integer()) return set_aside(file);
    contents.principal = header["principal"].text();
    contents.base_ms = header["base"].integer();
    while (next_line(rest, json, false)) {
      contents.body += json;
      contents.body += '\n';
      ++contents.events;
    }
    contents.good_bytes = file.size() - rest.size();
    contents.count_rest(rest, sealed);
    contents.outcome = contents.events > 0 ? Outcome::send : Outcome::remove;
    return contents;
  }

 private:
  /** Moves past a good line. Of events, only the braces are checked: the checksum covers the rest. */
  static bool next_line(std::string_view& rest, std::string_view& json, bool any) {
    const auto feed = rest.find('\n');
    if (feed == std::string_view::npos || feed < 10) return false;
    const std::string_view content = rest.substr(9, feed - 9);
    char checksum[8];
    write_hex32(checksum, crc32(content.data(), content.size()));
    if (rest[8] != ' ' || rest.substr(0, 8) != std::string_view(checksum, 8)) return false;
    if (!any && !is_object(content)) return false;
    json = content;
    rest.remove_prefix(feed + 1);
    return true;
  }

  static bool is_object(std::string_view json) {
    bool valid = false;
    return json.front() == '{' && Json::parse(json, valid).is_object() && valid;
  }

  static SegmentContents set_aside(std::string_view file) {
    SegmentContents contents;
    contents.outcome = Outcome::aside;
    contents.damaged = count_lines(file);
    return contents;
  }

  void count_rest(std::string_view rest, bool sealed) {
    // A sealed file ends with its last event, and has one.
    if (sealed && (!rest.empty() || events == 0)) damaged = std::max<std::uint64_t>(1, count_lines(rest));
    if (!sealed && rest.find_first_not_of('\0') != std::string_view::npos) torn = 1;
  }

  static std::uint64_t count_lines(std::string_view text) {
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    std::uint64_t lines = 0;
    for (const char byte : text) lines += byte == '\n' ? 1 : 0;
    return lines + (!text.empty() && text.back() != '\n' ? 1 : 0);
  }
};

/** The two halves of a segment that is too large for the server: file contents of `<key>.0` and `<key>.1`. */
inline std::pair<std::string, std::string> split_segment(std::string_view file) {
  std::vector<std::string_view> lines;
  while (!file.empty()) {
    const auto size = file.find('\n') + 1;
    if (size == 0) break;
    lines.push_back(file.substr(0, size));
    file.remove_prefix(size);
  }
  std::string first, second;
  if (lines.empty()) return {first, second};
  const std::size_t events = lines.size() - 1;
  first = second = lines[0];
  for (std::size_t i = 0; i < events; ++i) (i < (events + 1) / 2 ? first : second) += lines[i + 1];
  return {first, second};
}

}  // namespace tickrate::detail
