// A small JSON value, for answers of the server and for state.json. Bounded in depth; reads no more than it is given.
#pragma once
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tickrate {

class Json {
 public:
  enum class Kind { null, boolean, number, text, array, object };
  using Member = std::pair<std::string, Json>;

  Json() = default;
  Json(bool flag) : kind_(Kind::boolean), flag_(flag) {}
  Json(const char* content) : kind_(Kind::text), text_(content) {}
  Json(std::string_view content) : kind_(Kind::text), text_(content) {}
  Json(std::string content) : kind_(Kind::text), text_(std::move(content)) {}
  Json(std::int64_t number) : kind_(Kind::number), text_(std::to_string(number)) {}
  Json(std::uint64_t number) : kind_(Kind::number), text_(std::to_string(number)) {}
  Json(int number) : Json(static_cast<std::int64_t>(number)) {}

  static Json object() { return Json(Kind::object); }
  static Json object(std::vector<Member> members) {
    Json json(Kind::object);
    json.members_ = std::move(members);
    return json;
  }
  static Json array(std::vector<Json> elements = {}) {
    Json json(Kind::array);
    json.elements_ = std::move(elements);
    return json;
  }

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_object() const { return kind_ == Kind::object; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_true() const { return kind_ == Kind::boolean && flag_; }
  /** A number without a fraction or an exponent. */
  bool is_integer() const { return kind_ == Kind::number && text_.find_first_of(".eE") == std::string::npos; }

  /** The text, or empty. */
  const std::string& text() const {
    static const std::string empty;
    return kind_ == Kind::text ? text_ : empty;
  }
  std::int64_t integer(std::int64_t otherwise = 0) const {
    std::int64_t number = otherwise;
    if (is_integer()) std::from_chars(text_.data(), text_.data() + text_.size(), number);
    return number;
  }
  double number(double otherwise = 0) const { return kind_ == Kind::number ? std::strtod(text_.c_str(), nullptr) : otherwise; }

  const std::vector<Json>& elements() const { return elements_; }
  const std::vector<Member>& members() const { return members_; }

  /** The member, or null. */
  const Json& operator[](std::string_view name) const {
    static const Json null;
    for (const auto& member : members_) {
      if (member.first == name) return member.second;
    }
    return null;
  }
  bool has(std::string_view name) const { return !(*this)[name].is_null(); }

  void set(std::string_view name, Json value) {
    kind_ = Kind::object;
    for (auto& member : members_) {
      if (member.first == name) {
        member.second = std::move(value);
        return;
      }
    }
    members_.emplace_back(std::string(name), std::move(value));
  }
  void remove(std::string_view name) {
    for (auto member = members_.begin(); member != members_.end(); ++member) {
      if (member->first == name) {
        members_.erase(member);
        return;
      }
    }
  }

  /** Equal as JSON values: the order of members does not matter. */
  bool operator==(const Json& other) const {
    if (kind_ != other.kind_) return false;
    switch (kind_) {
      case Kind::null: return true;
      case Kind::boolean: return flag_ == other.flag_;
      case Kind::number: return text_ == other.text_ || number() == other.number();
      case Kind::text: return text_ == other.text_;
      case Kind::array: return elements_ == other.elements_;
      case Kind::object: break;
    }
    if (members_.size() != other.members_.size()) return false;
    for (const auto& [name, value] : members_) {
      if (!(other[name] == value)) return false;
    }
    return true;
  }
  bool operator!=(const Json& other) const { return !(*this == other); }

  std::string write() const {
    std::string out;
    write_to(out);
    return out;
  }

  /** Sets `valid` to false for anything but one JSON value. */
  static Json parse(std::string_view source, bool& valid);

 private:
  friend class JsonParser;
  explicit Json(Kind kind) : kind_(kind) {}

  void write_to(std::string& out) const {
    switch (kind_) {
      case Kind::null: out += "null"; return;
      case Kind::boolean: out += flag_ ? "true" : "false"; return;
      case Kind::number: out += text_; return;
      case Kind::text: return write_text(out, text_);
      case Kind::array: {
        out += '[';
        for (std::size_t i = 0; i < elements_.size(); ++i) {
          if (i > 0) out += ',';
          elements_[i].write_to(out);
        }
        out += ']';
        return;
      }
      case Kind::object: break;
    }
    out += '{';
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (i > 0) out += ',';
      write_text(out, members_[i].first);
      out += ':';
      members_[i].second.write_to(out);
    }
    out += '}';
  }

  static void write_text(std::string& out, const std::string& text) {
    out += '"';
    for (const char byte : text) {
      if (byte == '"' || byte == '\\') {
        out += '\\';
        out += byte;
      } else if (static_cast<unsigned char>(byte) < 0x20) {
        static constexpr const char* digits = "0123456789abcdef";
        out += "\\u00";
        out += digits[static_cast<unsigned char>(byte) >> 4];
        out += digits[byte & 0xF];
      } else {
        out += byte;
      }
    }
    out += '"';
  }

  Kind kind_ = Kind::null;
  bool flag_ = false;
  std::string text_;
  std::vector<Json> elements_;
  std::vector<Member> members_;
};

class JsonParser {
 public:
  explicit JsonParser(std::string_view source) : at_(source.data()), end_(source.data() + source.size()) {}

  Json parse(bool& valid) {
    Json json = value(0);
    skip_space();
    valid = !failed_ && at_ == end_;
    return valid ? std::move(json) : Json();
  }

 private:
  static constexpr int max_depth = 32;

  Json value(int depth) {
    skip_space();
    if (at_ == end_ || depth > max_depth) return fail();
    switch (*at_) {
      case '{': return object(depth);
      case '[': return array(depth);
      case '"': return Json(text());
      case 't': return word("true", Json(true));
      case 'f': return word("false", Json(false));
      case 'n': return word("null", Json());
      default: return number();
    }
  }

  Json object(int depth) {
    Json json = Json::object();
    ++at_;
    if (take('}')) return json;
    do {
      skip_space();
      if (at_ == end_ || *at_ != '"') return fail();
      std::string name = text();
      if (!take(':')) return fail();
      json.members_.emplace_back(std::move(name), value(depth + 1));
    } while (!failed_ && take(','));
    return take('}') ? std::move(json) : fail();
  }

  Json array(int depth) {
    Json json = Json::array();
    ++at_;
    if (take(']')) return json;
    do {
      json.elements_.push_back(value(depth + 1));
    } while (!failed_ && take(','));
    return take(']') ? std::move(json) : fail();
  }

  Json word(std::string_view expected, Json json) {
    if (static_cast<std::size_t>(end_ - at_) < expected.size() || std::string_view(at_, expected.size()) != expected) return fail();
    at_ += expected.size();
    return json;
  }

  Json number() {
    const char* from = at_;
    if (at_ != end_ && *at_ == '-') ++at_;
    if (!digits(true)) return fail();
    if (at_ != end_ && *at_ == '.' && (++at_, !digits(false))) return fail();
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!digits(false)) return fail();
    }
    Json json(Json::Kind::number);
    json.text_.assign(from, at_);
    return json;
  }

  bool digits(bool whole) {
    const char* from = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != from && !(whole && *from == '0' && at_ - from > 1);
  }

  std::string text() {
    std::string out;
    for (++at_; at_ != end_ && *at_ != '"'; ++at_) {
      if (static_cast<unsigned char>(*at_) < 0x20) break;
      if (*at_ != '\\') {
        out += *at_;
      } else if (++at_ == end_ || !escape(out)) {
        break;
      }
    }
    if (at_ == end_ || *at_ != '"') {
      fail();
      return {};
    }
    ++at_;
    return out;
  }

  bool escape(std::string& out) {
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view bytes = "\"\\/\b\f\n\r\t";
    if (*at_ == 'u') return unicode(out);
    const auto index = names.find(*at_);
    if (index == std::string_view::npos) return false;
    out += bytes[index];
    return true;
  }

  /** `at_` is on the `u`, and on the last digit afterwards. */
  bool unicode(std::string& out) {
    std::uint32_t code = 0;
    if (!hex4(code)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      std::uint32_t low = 0;
      if (end_ - at_ < 3 || at_[1] != '\\' || at_[2] != 'u') return false;
      at_ += 2;
      if (!hex4(low) || low < 0xDC00 || low > 0xDFFF) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      return false;
    }
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | code >> 6);
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | code >> 12);
      out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xF0 | code >> 18);
      out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
      out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
    return true;
  }

  bool hex4(std::uint32_t& code) {
    if (end_ - at_ < 5) return false;
    const auto result = std::from_chars(at_ + 1, at_ + 5, code, 16);
    if (result.ec != std::errc{} || result.ptr != at_ + 5) return false;
    at_ += 4;
    return true;
  }

  bool take(char byte) {
    skip_space();
    if (at_ == end_ || *at_ != byte) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  Json fail() {
    failed_ = true;
    return {};
  }

  const char* at_;
  const char* end_;
  bool failed_ = false;
};

inline Json Json::parse(std::string_view source, bool& valid) { return JsonParser(source).parse(valid); }

}  // namespace tickrate
