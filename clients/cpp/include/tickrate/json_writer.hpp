// Writes JSON into memory that somebody else owns. Allocates nothing.
#pragma once
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

// The libc++ of emscripten and of Apple may lack std::to_chars for fractions.
#if defined(__cpp_lib_to_chars) && !defined(TICKRATE_WITHOUT_TO_CHARS)
#define TICKRATE_HAS_FLOAT_TO_CHARS 1
#else
#define TICKRATE_HAS_FLOAT_TO_CHARS 0
#endif

namespace tickrate {

#if !TICKRATE_HAS_FLOAT_TO_CHARS
namespace detail {

/** Writes the fewest digits that read back as the same number, and a point in each locale. Returns the length. */
template <class Number>
std::size_t print_floating(char (&out)[40], Number number) {
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    if (static_cast<Number>(std::strtod(text, nullptr)) == number) break;
  }
  std::size_t length = 0;
  bool in_point = false;
  for (const char* at = text; *at != 0; ++at) {
    const bool is_point = std::strchr("0123456789+-e", *at) == nullptr;
    if (!is_point) out[length++] = *at;
    if (is_point && !in_point) out[length++] = '.';
    in_point = is_point;
  }
  return length;
}

}  // namespace detail
#endif

/**
 * Writes one JSON value. Generated event types write themselves with it. What does not fit, a number that is not
 * finite and text that is not UTF-8 leave the writer not `ok()`: the event is then refused as a whole.
 */
class Writer {
 public:
  Writer(char* begin, char* end) : begin_(begin), at_(begin), end_(end) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name) {
    separate();
    string(name);
    put(':');
    first_ = true;
  }

  void value(std::nullptr_t) { raw("null"); }
  void value(bool flag) { raw(flag ? std::string_view("true") : std::string_view("false")); }
  void value(std::string_view text) {
    separate();
    string(text);
  }
  void value(const char* text) { value(std::string_view(text)); }

  template <class Number, std::enable_if_t<std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>, int> = 0>
  void value(Number number) {
    separate();
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isfinite(number)) return fail();
    }
#if !TICKRATE_HAS_FLOAT_TO_CHARS
    if constexpr (std::is_floating_point_v<Number>) {
      char text[40];
      bytes(text, detail::print_floating(text, number));
    } else
#endif
    {
      const auto result = std::to_chars(at_, end_, number);
      if (result.ec != std::errc{}) return overflow();
      at_ = result.ptr;
    }
  }

  template <class T>
  void value(const std::optional<T>& optional) {
    if (optional) {
      value(*optional);
    } else {
      value(nullptr);
    }
  }

  /** A range of pairs with a text in front is an object (`std::map`), every other range is an array. */
  template <class Range, class Element = decltype(*std::declval<const Range&>().begin()),
            std::enable_if_t<!std::is_convertible_v<const Range&, std::string_view>, int> = 0>
  void value(const Range& range) {
    if constexpr (is_member<std::decay_t<Element>>::value) {
      begin_object();
      for (const auto& [name, element] : range) member(name, element);
      end_object();
    } else {
      begin_array();
      for (const auto& element : range) value(element);
      end_array();
    }
  }

  /** A type with `void write(Writer&) const`, such as a nested object of a generated event. */
  template <class Object>
  auto value(const Object& object) -> decltype(object.write(std::declval<Writer&>())) {
    object.write(*this);
  }

  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

  /** Writes the member only if there is a value. */
  template <class T>
  void optional_member(std::string_view name, const std::optional<T>& content) {
    if (content) member(name, *content);
  }

  /** JSON that is known to be valid, and has no line feed. */
  void raw(std::string_view json) {
    separate();
    bytes(json.data(), json.size());
  }

  bool ok() const { return !failed_ && !overflowed_; }
  bool overflowed() const { return overflowed_; }
  std::size_t size() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  template <class T>
  struct is_member : std::false_type {};
  template <class Name, class T>
  struct is_member<std::pair<Name, T>> : std::is_convertible<Name, std::string_view> {};

  void open(char bracket) {
    separate();
    put(bracket);
    first_ = true;
  }
  void close(char bracket) {
    put(bracket);
    first_ = false;
  }
  void separate() {
    if (!first_) put(',');
    first_ = false;
  }
  void put(char byte) {
    if (at_ == end_) return overflow();
    *at_++ = byte;
  }
  void bytes(const char* data, std::size_t size) {
    if (size > static_cast<std::size_t>(end_ - at_)) return overflow();
    std::memcpy(at_, data, size);
    at_ += size;
  }
  void fail() { failed_ = true; }
  void overflow() {
    overflowed_ = true;
    at_ = end_;
  }

  void string(std::string_view text) {
    put('"');
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from != end) {
      const char* plain = from;
      while (plain != end && is_plain(static_cast<unsigned char>(*plain))) ++plain;
      bytes(from, static_cast<std::size_t>(plain - from));
      from = plain;
      if (from != end) from = special(from, end);
      if (from == nullptr) return fail();
    }
    put('"');
  }

  static bool is_plain(unsigned char byte) { return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\'; }

  /** Writes one character that is not plain ASCII. Returns where the next begins, or null for bytes that are not UTF-8. */
  const char* special(const char* from, const char* end) {
    const auto byte = static_cast<unsigned char>(*from);
    if (byte < 0x80) {
      escape(byte);
      return from + 1;
    }
    const std::size_t size = utf8_size(from, end);
    if (size == 0) return nullptr;
    bytes(from, size);
    return from + size;
  }

  void escape(unsigned char byte) {
    put('\\');
    switch (byte) {
      case '"': case '\\': return put(static_cast<char>(byte));
      case '\b': return put('b');
      case '\f': return put('f');
      case '\n': return put('n');
      case '\r': return put('r');
      case '\t': return put('t');
      default: break;
    }
    bytes("u00", 3);
    put("0123456789abcdef"[byte >> 4]);
    put("0123456789abcdef"[byte & 0xF]);
  }

  /** The length of the character of several bytes that begins here; 0 if it is not well-formed (RFC 3629). */
  static std::size_t utf8_size(const char* from, const char* end) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(from[i]); };
    const auto left = static_cast<std::size_t>(end - from);
    const unsigned char lead = at(0);
    const std::size_t size = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    if (size == 0 || left < size) return 0;
    for (std::size_t i = 1; i < size; ++i) {
      if ((at(i) & 0xC0) != 0x80) return 0;
    }
    const unsigned char second = at(1);
    const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
    const bool surrogate = lead == 0xED && second >= 0xA0;
    const bool beyond = lead == 0xF4 && second >= 0x90;
    return overlong || surrogate || beyond ? 0 : size;
  }

  char* begin_;
  char* at_;
  char* end_;
  bool first_ = true;
  bool failed_ = false;
  bool overflowed_ = false;
};

}  // namespace tickrate
