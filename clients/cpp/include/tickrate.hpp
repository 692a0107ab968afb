// Tickrate for C++17, in one header. Written by `npm run docs` from clients/cpp/src: edit there.
// Licensed under the Apache License, Version 2.0. See LICENSE.
#pragma once
// The client: what a game opens once and calls.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

// The side of the network: sessions, one request at a time, and what follows from each answer.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What a client does on each answer: the table of docs/clients.md.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

// A small JSON value, for answers of the server and for state.json. Bounded in depth; reads no more than it is given.
#include <charconv>
#include <cmath>
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

// How requests leave the game. A transport is chosen by the game; see the folder transports/.
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tickrate {

struct Request {
  std::string method;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::int64_t timeout_ms = 30'000;
};

struct Response {
  /** 0: no answer (no connection, a timeout, a cut or endless body). */
  int status = 0;
  /** At most 64 KiB. A longer body is no answer. */
  std::string body;
  /** `Retry-After` in seconds, or -1. */
  double retry_after_seconds = -1;
  /** The value of the `Date` header, or empty. */
  std::string date = {};
  /** Why there is no answer, in the words of the system, if it has any. For developers. */
  std::string reason = {};
};

inline constexpr std::size_t max_answer_bytes = 64 * 1024;

/**
 * Sends requests. A transport follows no redirect, checks the certificate of an https server, keeps nothing of a body
 * beyond 64 KiB, and calls `done` exactly once for each request: from `work()`, or from a thread of its own.
 */
class Transport {
 public:
  virtual ~Transport() = default;
  virtual void start(Request request, std::function<void(Response)> done) = 0;
  /** Moves the requests on, for at most `wait_ms`. Called often by one thread. */
  virtual void work(std::int64_t wait_ms) = 0;
  /** Ends `work()` early. May be called from any thread. */
  virtual void wake() {}
};

}  // namespace tickrate


namespace tickrate::detail {

enum class Action { remove, retry, wait, pause, split, sign_in, stop, set_aside };

struct Verdict {
  Action action = Action::retry;
  std::int64_t code = 0;
  double wait_seconds = 0;
  /** Events of the segment that the server rejected, of `remove`. */
  std::uint64_t rejected = 0;
  /** The body, of answers with one. */
  Json body;
};

inline double waiting_seconds(double seconds) {
  constexpr double most = 31.0 * 24 * 3600;
  return std::isfinite(seconds) && seconds > 0 ? std::min(seconds, most) : 0;
}

inline Verdict judge(const Response& response) {
  Verdict verdict;
  bool valid = false;
  verdict.body = Json::parse(response.body, valid);
  const Json& data = verdict.body["data"];
  if (data.is_object() && verdict.body["code"].is_integer()) verdict.code = verdict.body["code"].integer();
  const int status = response.status;
  const auto with = [&](Action action) {
    verdict.action = action;
    return verdict;
  };
  if (status == 200) {
    if (!verdict.body["accepted"].is_integer()) return with(Action::retry);
    const Json& in_all = verdict.body["rejectedInAll"];
    verdict.rejected = in_all.is_integer() ? static_cast<std::uint64_t>(std::max<std::int64_t>(0, in_all.integer()))
                                           : verdict.body["rejected"].elements().size();
    return with(Action::remove);
  }
  verdict.wait_seconds = waiting_seconds(data["retryAfterSeconds"].number(0));
  if (status == 503 && verdict.code == 6001) return with(Action::wait);
  if (status == 429 && verdict.code == 6002) return with(Action::wait);
  if (status == 429 && verdict.code == 8009) return with(Action::pause);
  if (status == 429) {
    verdict.wait_seconds = waiting_seconds(response.retry_after_seconds);
    return with(response.retry_after_seconds >= 0 ? Action::wait : Action::retry);
  }
  // A proxy's answer says nothing about this request or earlier attempts: one may be stored.
  if (verdict.code == 0) return with(Action::retry);
  if (status == 413) return with(Action::split);
  if (status == 401 && verdict.code == 2004) return with(Action::sign_in);
  if (status == 401 || status == 403) return with(Action::stop);
  if (status >= 400 && status < 500 && status != 408) return with(Action::set_aside);
  return with(Action::retry);
}

/** The same request would be refused again. */
inline bool is_final(int status) { return status >= 400 && status < 500 && status != 408 && status != 429; }

/** Full jitter: attempt 0 waits up to `from`, each further one up to twice as long. `random` is from 0 to below 1. */
inline std::int64_t backoff_ms(int attempt, double random, std::int64_t from_ms = 1000, std::int64_t to_ms = 300'000) {
  const double bound = std::min(static_cast<double>(to_ms), static_cast<double>(from_ms) * std::ldexp(1.0, std::min(attempt, 40)));
  return static_cast<std::int64_t>(std::floor(random * bound));
}

/** How long to wait before the next request, of the actions that wait. */
inline std::int64_t delay_ms(const Verdict& verdict, int attempt, double random, std::int64_t from_ms = 1000, std::int64_t to_ms = 300'000) {
  const auto asked = static_cast<std::int64_t>(verdict.wait_seconds * 1000);
  if (verdict.action == Action::pause) return asked + static_cast<std::int64_t>(std::floor(random * 3'600'000));
  if (verdict.action == Action::wait) return asked + backoff_ms(0, random, from_ms, to_ms);
  return backoff_ms(attempt, random, from_ms, to_ms);
}

}  // namespace tickrate::detail

// What a game sets, and what it hears back.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

// What goes wrong that a developer can mend.
#include <cstdint>
#include <string_view>



namespace tickrate {

enum class Problem { folder, lost, deleted, url, consent, unreachable, sessions, device, clock, proxy, too_large, refused, stopped, stored };

/** A problem with its facts; those that do not belong to it are empty. Views of what the caller has. */
struct Finding {
  Problem problem;
  /** The folder, the address, or the key of `stopped`. */
  std::string_view place = {};
  std::string_view reason = {};
  const Response* response = nullptr;
  /** Lines of the request. */
  std::string_view sent = {};
  std::int64_t amount = 0;
};

/** Takes findings, from the client's thread. `explain_to` makes one that says them in words. */
class Explainer {
 public:
  virtual ~Explainer() = default;
  virtual void explain(const Finding& finding) = 0;
};

}  // namespace tickrate



namespace tickrate {

/** What the player allows. `unknown` keeps up to 200 events in memory and sends nothing. */
enum class Consent { unknown, granted, denied };

/** For whom events are recorded. `device` signs this installation in by itself; `key` sends with the API key alone. */
enum class Principal { device, key };

/** Why an event is lost. Counted in `losses()`, and kept over restarts. */
enum class Loss {
  buffer_full,
  too_old,
  too_large,
  disk_full,
  storage,
  torn,
  damaged,
  rejected,
  refused,
  consent,
  closed,
};
inline constexpr std::size_t loss_reasons = 11;

/** The name of a reason in `state.json` and in docs/clients.md. */
inline const char* name_of(Loss reason) {
  static constexpr const char* names[loss_reasons] = {"bufferFull", "tooOld",   "tooLarge", "diskFull", "storage", "torn",
                                                      "damaged",    "rejected", "refused",  "consent",  "closed"};
  return names[static_cast<std::size_t>(reason)];
}

/** Limits of the buffer and of retries. Games keep the defaults; tests shorten them. */
struct Tuning {
  std::int64_t seal_after_ms = 30'000;
  std::size_t seal_bytes = 64 * 1024;
  std::size_t seal_events = 500;
  std::uint64_t buffer_bytes = 8 * 1024 * 1024;
  std::int64_t backoff_from_ms = 1'000;
  std::int64_t backoff_to_ms = 300'000;
  std::int64_t max_age_ms = 28LL * 24 * 3600 * 1000;
};

struct Options {
  /** The gateway's address. The sessions' address is found there, unless `sessions_url` is set. */
  std::string url;
  /** A public key of the project (`tk_pub_…`). */
  std::string key;
  /** A folder of the game's own that survives updates. Required: a client without one keeps events in memory only. */
  std::string folder;
  /** Sends requests, for example `curl_transport()`. Without one, events are buffered and never sent. */
  std::shared_ptr<Transport> send = {};
  Consent consent = Consent::unknown;
  Principal principal = Principal::device;
  std::string sessions_url = {};
  /** False: nothing runs in the background, and the game calls `poll()` each frame. */
  bool threads = true;
  /** Explains mistakes to developers: `explain_to(…)`. Leave it out of builds for players. */
  std::shared_ptr<Explainer> debug = {};
  /** Packs the body of a request as gzip, for example `zlib_gzip`. False: it could not. Without one, bodies are not packed. */
  bool (*gzip)(const std::string& body, std::string& packed) = nullptr;
  /** Called for each loss, from the thread that sends (without threads: from `poll()`). */
  std::function<void(Loss, std::uint64_t)> on_loss = {};
  /** Called when the signed-in account's session has ended and needs the player's credentials. */
  std::function<void()> on_sign_in_needed = {};
  Tuning tuning = {};
};

}  // namespace tickrate

// The side of the game: writes events into the open segment, in microseconds and without allocating.
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

// Two clocks: the wall clock says when a segment begins, the monotonic clock says what passed since.
#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>

namespace tickrate::detail {

inline std::int64_t system_wall_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}
inline std::int64_t system_monotonic_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

/** A base, and what the monotonic clock showed then. */
struct ClockBase {
  std::int64_t base_ms = 0;
  std::int64_t monotonic_ms = 0;

  std::int64_t at(std::int64_t monotonic_now_ms) const { return base_ms + (monotonic_now_ms - monotonic_ms); }
  /** True when somebody has set the wall clock by more than two seconds. */
  bool jumped(std::int64_t wall_now_ms, std::int64_t monotonic_now_ms) const {
    const std::int64_t difference = wall_now_ms - at(monotonic_now_ms);
    return difference > 2000 || difference < -2000;
  }
};

inline constexpr std::size_t rfc3339_size = 24;

/** Writes 24 characters: `2025-11-22T11:00:01.250Z`. Years before 0 and after 9999 become those. */
inline void write_rfc3339(char* out, std::int64_t ms) {
  constexpr std::int64_t earliest = -62'167'219'200'000, latest = 253'402'300'799'999;
  ms = ms < earliest ? earliest : ms > latest ? latest : ms;
  std::int64_t days = ms / 86'400'000;
  std::int64_t of_day = ms % 86'400'000;
  if (of_day < 0) {
    of_day += 86'400'000;
    --days;
  }
  // Days to a date: eras of 400 years that begin on the first of March.
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  const auto digits = [&out](std::int64_t value, int count) {
    for (int i = count - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
    out += count;
  };
  digits(year, 4);
  *out++ = '-';
  digits(month, 2);
  *out++ = '-';
  digits(day, 2);
  *out++ = 'T';
  digits(of_day / 3'600'000, 2);
  *out++ = ':';
  digits(of_day / 60'000 % 60, 2);
  *out++ = ':';
  digits(of_day / 1000 % 60, 2);
  *out++ = '.';
  digits(of_day % 1000, 3);
  *out++ = 'Z';
}

}  // namespace tickrate::detail

// The few things that the buffer needs of a file system. Nothing here throws.
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// After windows.h.
#include <ntsecapi.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) || defined(__EMSCRIPTEN__)
#include <sys/random.h>
#endif
#endif

namespace tickrate::detail {

enum class FileFault { none, disk_full, other };

/** More than any file of the buffer has. What is longer was changed by hand. */
inline constexpr std::size_t max_read_bytes = 1024 * 1024;

/** A file of fixed size in memory. What is written here survives the process, whatever ends it. */
struct MappedFile {
  char* memory = nullptr;
  std::size_t size = 0;
#if defined(_WIN32)
  HANDLE file = INVALID_HANDLE_VALUE;
  HANDLE mapping = nullptr;
#else
  int file = -1;
#endif
};

#if defined(_WIN32)

inline std::wstring wide(const std::string& path) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), nullptr, 0);
  std::wstring out(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), out.data(), size);
  return out;
}
inline std::string narrow(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, out.data(), size, nullptr, nullptr);
  out.resize(out.empty() ? 0 : out.size() - 1);
  return out;
}
inline FileFault last_fault() {
  const DWORD code = GetLastError();
  return code == ERROR_DISK_FULL || code == ERROR_HANDLE_DISK_FULL ? FileFault::disk_full : FileFault::other;
}
inline std::string last_reason() { return "error " + std::to_string(GetLastError()); }

inline bool random_bytes(unsigned char* out, std::size_t size) {
  // advapi32's generator; available without another library to link.
  return RtlGenRandom(out, static_cast<ULONG>(size)) != 0;
}

inline FileFault close_mapped(MappedFile& mapped, std::size_t keep, bool flush) {
  FileFault fault = FileFault::none;
  if (mapped.memory != nullptr) {
    if (flush && FlushViewOfFile(mapped.memory, 0) == 0) fault = last_fault();
    UnmapViewOfFile(mapped.memory);
  }
  if (mapped.mapping != nullptr) CloseHandle(mapped.mapping);
  if (mapped.file != INVALID_HANDLE_VALUE) {
    LARGE_INTEGER position;
    position.QuadPart = static_cast<LONGLONG>(keep);
    if (SetFilePointerEx(mapped.file, position, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(mapped.file) == 0) fault = last_fault();
    if (flush && FlushFileBuffers(mapped.file) == 0) fault = last_fault();
    CloseHandle(mapped.file);
  }
  mapped = MappedFile{};
  return fault;
}

/** Begins to write the file to the disk, without waiting for it: its flush takes shorter then. */
inline void start_writing(const MappedFile& mapped) {
  if (mapped.memory != nullptr) FlushViewOfFile(mapped.memory, 0);
}

inline FileFault create_mapped(const std::string& path, std::size_t size, MappedFile& mapped) {
  mapped = MappedFile{};
  mapped.file = CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                            CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (mapped.file == INVALID_HANDLE_VALUE) return last_fault();
  LARGE_INTEGER end;
  end.QuadPart = static_cast<LONGLONG>(size);
  FileFault fault = FileFault::none;
  if (SetFilePointerEx(mapped.file, end, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(mapped.file) == 0) fault = last_fault();
  if (fault == FileFault::none) {
    mapped.mapping = CreateFileMappingW(mapped.file, nullptr, PAGE_READWRITE, 0, static_cast<DWORD>(size), nullptr);
    if (mapped.mapping != nullptr) mapped.memory = static_cast<char*>(MapViewOfFile(mapped.mapping, FILE_MAP_WRITE, 0, 0, size));
    if (mapped.memory == nullptr) fault = last_fault();
  }
  mapped.size = size;
  if (fault != FileFault::none) {
    close_mapped(mapped, 0, false);
    DeleteFileW(wide(path).c_str());
  }
  return fault;
}

inline bool make_folder(const std::string& path) {
  return CreateDirectoryW(wide(path).c_str(), nullptr) != 0 || GetLastError() == ERROR_ALREADY_EXISTS;
}
inline bool remove_folder(const std::string& path) { return RemoveDirectoryW(wide(path).c_str()) != 0; }
inline bool is_file(const std::string& path) {
  const DWORD found = GetFileAttributesW(wide(path).c_str());
  return found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY) == 0;
}
inline bool file_exists(const std::string& path) { return GetFileAttributesW(wide(path).c_str()) != INVALID_FILE_ATTRIBUTES; }
inline bool remove_file(const std::string& path) { return DeleteFileW(wide(path).c_str()) != 0; }
inline bool rename_file(const std::string& from, const std::string& to) {
  return MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}
inline std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  WIN32_FIND_DATAW found;
  const HANDLE search = FindFirstFileW(wide(path + "/*").c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return names;
  do {
    const std::string name = narrow(found.cFileName);
    if (name != "." && name != "..") names.push_back(name);
  } while (FindNextFileW(search, &found) != 0);
  FindClose(search);
  return names;
}

/** An open file that no other process can open: the lock of a run. */
class FolderLock {
 public:
  bool take(const std::string& path) {
    file_ = CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    return file_ != INVALID_HANDLE_VALUE;
  }
  void release() {
    if (file_ != INVALID_HANDLE_VALUE) CloseHandle(file_);
    file_ = INVALID_HANDLE_VALUE;
  }

 private:
  HANDLE file_ = INVALID_HANDLE_VALUE;
};

inline bool read_file(const std::string& path, std::string& contents) {
  const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  contents.clear();
  char block[16 * 1024];
  DWORD size = 0;
  bool good = true;
  while (contents.size() < max_read_bytes && (good = ReadFile(file, block, sizeof block, &size, nullptr) != 0) && size > 0) contents.append(block, size);
  CloseHandle(file);
  return good;
}

inline FileFault write_file(const std::string& path, std::string_view contents) {
  const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_fault();
  DWORD written = 0;
  FileFault fault = FileFault::none;
  if (WriteFile(file, contents.data(), static_cast<DWORD>(contents.size()), &written, nullptr) == 0 || written != contents.size() ||
      FlushFileBuffers(file) == 0) {
    fault = last_fault();
  }
  CloseHandle(file);
  return fault;
}

#else

inline FileFault fault_of(int code) {
#if defined(EDQUOT)
  if (code == EDQUOT) return FileFault::disk_full;
#endif
  return code == ENOSPC ? FileFault::disk_full : FileFault::other;
}
inline FileFault last_fault() { return fault_of(errno); }
inline std::string last_reason() { return std::strerror(errno); }

inline bool random_bytes(unsigned char* out, std::size_t size) {
#if defined(__linux__) || defined(__EMSCRIPTEN__)
  return getentropy(out, size) == 0;
#else
  arc4random_buf(out, size);
  return true;
#endif
}

/** Reserves blocks, so that a full disk is seen here and not as a signal at a later write into the memory. */
inline int reserve(int file, std::size_t size) {
#if defined(__APPLE__)
  fstore_t wanted = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(size), 0};
  if (fcntl(file, F_PREALLOCATE, &wanted) == -1) return errno;
  return ftruncate(file, static_cast<off_t>(size)) == 0 ? 0 : errno;
#else
  return posix_fallocate(file, 0, static_cast<off_t>(size));
#endif
}

inline FileFault close_mapped(MappedFile& mapped, std::size_t keep, bool flush) {
  FileFault fault = FileFault::none;
  if (mapped.memory != nullptr) {
#if !defined(__linux__)
    // On Linux, fsync() writes what was changed in the memory too. To flush twice takes twice as long.
    if (flush && msync(mapped.memory, mapped.size, MS_SYNC) != 0) fault = fault_of(errno);
#endif
    munmap(mapped.memory, mapped.size);
  }
  if (mapped.file != -1) {
    if (ftruncate(mapped.file, static_cast<off_t>(keep)) != 0) fault = fault_of(errno);
    if (flush && fsync(mapped.file) != 0) fault = fault_of(errno);
    ::close(mapped.file);
  }
  mapped = MappedFile{};
  return fault;
}

/** Begins to write the file to the disk, without waiting for it: its flush takes shorter then. */
inline void start_writing(const MappedFile& mapped) {
  if (mapped.memory == nullptr) return;
#if defined(__linux__) && !defined(__ANDROID__)
  sync_file_range(mapped.file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  msync(mapped.memory, mapped.size, MS_ASYNC);
#endif
}

inline FileFault create_mapped(const std::string& path, std::size_t size, MappedFile& mapped) {
  mapped = MappedFile{};
  mapped.file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (mapped.file == -1) return fault_of(errno);
  mapped.size = size;
  int code = reserve(mapped.file, size);
  if (code == 0) {
    int flags = MAP_SHARED;
#if defined(MAP_POPULATE)
    flags |= MAP_POPULATE;
#endif
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, mapped.file, 0);
    if (memory == MAP_FAILED) {
      code = errno;
    } else {
      mapped.memory = static_cast<char*>(memory);
    }
  }
  if (code == 0) return FileFault::none;
  close_mapped(mapped, 0, false);
  ::unlink(path.c_str());
  errno = code;
  return fault_of(code);
}

inline bool make_folder(const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST; }
inline bool remove_folder(const std::string& path) { return ::rmdir(path.c_str()) == 0; }
inline bool is_file(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}
inline bool file_exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }
inline bool remove_file(const std::string& path) { return ::unlink(path.c_str()) == 0; }
inline bool rename_file(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()) == 0; }
inline std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(folder);
  return names;
}

/** The lock of a run. The system releases it when the process ends, however it ends. */
class FolderLock {
 public:
  bool take(const std::string& path) {
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ == -1) return false;
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
    release();
    return false;
  }
  void release() {
    if (file_ != -1) ::close(file_);
    file_ = -1;
  }

 private:
  int file_ = -1;
};

inline bool read_file(const std::string& path, std::string& contents) {
  // A pipe in place of a file would hold the game.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file == -1) return false;
  contents.clear();
  char block[16 * 1024];
  ssize_t size = 0;
  while (contents.size() < max_read_bytes && (size = ::read(file, block, sizeof block)) > 0) contents.append(block, static_cast<std::size_t>(size));
  ::close(file);
  return size >= 0;
}

inline FileFault write_file(const std::string& path, std::string_view contents) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file == -1) return fault_of(errno);
  FileFault fault = FileFault::none;
  while (!contents.empty() && fault == FileFault::none) {
    const ssize_t written = ::write(file, contents.data(), contents.size());
    if (written < 0) {
      fault = fault_of(errno);
    } else {
      contents.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  if (fault == FileFault::none && ::fsync(file) != 0) fault = fault_of(errno);
  ::close(file);
  return fault;
}

#endif

inline std::string path_in(const std::string& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + name.size() + 1);
  return path.append(folder).append(1, '/').append(name);
}

/** The names in a folder, in their order. By a heap: the other sorts of the library are more code. */
inline std::vector<std::string> sorted_folder(const std::string& path) {
  std::vector<std::string> names = list_folder(path);
  std::make_heap(names.begin(), names.end());
  std::sort_heap(names.begin(), names.end());
  return names;
}

/** Replaces a file as a whole, by way of `next`: a reader sees the old or the new contents. */
inline FileFault replace_file(const std::string& path, std::string_view contents, const std::string& next) {
  const FileFault fault = write_file(next, contents);
  if (fault == FileFault::none && rename_file(next, path)) return FileFault::none;
  remove_file(next);
  return fault == FileFault::none ? FileFault::other : fault;
}

/** Makes a folder and those above it. */
inline bool make_folders(const std::string& path) {
  if (make_folder(path)) return true;
  const auto slash = path.find_last_of("/\\");
  return slash != std::string::npos && slash > 0 && make_folders(path.substr(0, slash)) && make_folder(path);
}

/** Secure random hex digits, at most 64; empty if the system has none to give. */
inline std::string random_hex(std::size_t digits) {
  std::string out(digits, '0');
  unsigned char bytes[32] = {};
  if (!random_bytes(bytes, (digits + 1) / 2)) return {};
  for (std::size_t i = 0; i < digits; ++i) out[i] = "0123456789abcdef"[(i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2]) & 0xF];
  return out;
}

/** From 0 to below 1. */
inline double random_fraction() {
  unsigned char bytes[4] = {};
  random_bytes(bytes, sizeof bytes);
  const std::uint32_t value = static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
                              static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
  return value / 4294967296.0;
}

}  // namespace tickrate::detail

// Writes JSON into memory that somebody else owns. Allocates nothing.
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

// Counts what the buffer could not keep, by reason.
#include <array>
#include <atomic>
#include <cstdint>




namespace tickrate {

/** Events lost since the buffer was first used, by reason. */
struct Losses {
  std::array<std::uint64_t, loss_reasons> counts{};
  std::uint64_t operator[](Loss reason) const { return counts[static_cast<std::size_t>(reason)]; }
  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const auto count : counts) sum += count;
    return sum;
  }
};

namespace detail {

/** Counted by any thread, reported and persisted by the one that sends. */
class LossCounter {
 public:
  void add(Loss reason, std::uint64_t count = 1) { counts_[static_cast<std::size_t>(reason)].fetch_add(count, std::memory_order_relaxed); }

  Losses all() const {
    Losses losses;
    for (std::size_t i = 0; i < loss_reasons; ++i) losses.counts[i] = counts_[i].load(std::memory_order_relaxed);
    return losses;
  }

  /** Calls `report(reason, count)` for what came since the last call. Returns whether anything did. */
  template <class Report>
  bool take_news(Report report) {
    bool any = false;
    const Losses now = all();
    for (std::size_t i = 0; i < loss_reasons; ++i) {
      const std::uint64_t news = now.counts[i] - reported_.counts[i];
      if (news == 0) continue;
      any = true;
      reported_.counts[i] = now.counts[i];
      report(static_cast<Loss>(i), news);
    }
    return any;
  }

  /** The sums of `saved`, which other processes may have changed, with what this one counted since its last save: `counted`. */
  Json sums(const Json& saved, const Losses& counted) const {
    Json json = Json::object();
    for (std::size_t i = 0; i < loss_reasons; ++i) {
      const std::uint64_t sum = count_in(saved, i) + counted.counts[i] - saved_.counts[i];
      if (sum > 0) json.set(name_of(static_cast<Loss>(i)), Json(sum));
    }
    return json;
  }
  void set_saved(const Losses& counted) { saved_ = counted; }
  /** Adds the counts of an earlier start, which are not news. */
  void restore(const Json& json) {
    for (std::size_t i = 0; i < loss_reasons; ++i) {
      const std::uint64_t count = count_in(json, i);
      counts_[i].fetch_add(count, std::memory_order_relaxed);
      reported_.counts[i] += count;
      saved_.counts[i] += count;
    }
  }

 private:
  static std::uint64_t count_in(const Json& json, std::size_t reason) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, json[name_of(static_cast<Loss>(reason))].integer()));
  }

  std::array<std::atomic<std::uint64_t>, loss_reasons> counts_{};
  Losses reported_;
  Losses saved_;
};

}  // namespace detail
}  // namespace tickrate

// The folder of one start, with its lock.
#include <memory>
#include <string>


// The format of a segment: its file's name, its lines, and what recovery makes of a file.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

// The CRC-32 of zlib, eight bytes at a time.
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



namespace tickrate::detail {

inline constexpr std::size_t line_overhead = 10;  // checksum, space, line feed
inline constexpr std::size_t max_segment_bytes = 256 * 1024;
inline constexpr std::size_t max_segment_events = 1000;
inline constexpr std::size_t max_event_bytes = 64 * 1024;

/** The parts of `<time><n>-<key>.open` and `….seal`. */
struct SegmentName {
  std::string stem;  // the name without its end: time, number and key
  std::string key;
  std::int64_t time_ms = 0;
  std::uint32_t number = 0;
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
    name.time_ms = static_cast<std::int64_t>(hex(stem.substr(0, 12)));
    name.number = static_cast<std::uint32_t>(hex(stem.substr(12, 4)));
    return true;
  }

  static std::string make_stem(std::int64_t time_ms, std::uint32_t number, std::string_view key) {
    char front[18];
    std::snprintf(front, sizeof front, "%012llx%04x-", static_cast<unsigned long long>(time_ms) & 0xFFFFFFFFFFFFULL, number & 0xFFFF);
    return std::string(front) + std::string(key);
  }

 private:
  static std::uint64_t hex(std::string_view digits) {
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return value;
  }
};

/** Adds the checksum and the line feed to JSON. */
inline std::string make_line(std::string_view json) {
  std::string line(9, ' ');
  write_hex32(line.data(), crc32(json.data(), json.size()));
  line += json;
  line += '\n';
  return line;
}

inline std::string header_json(std::string_view principal, std::int64_t base_ms) {
  return Json::object({{"tickrate", 1}, {"principal", principal}, {"base", base_ms}}).write();
}

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
};

class SegmentReader {
 public:
  static SegmentContents read(std::string_view file, bool sealed) {
    SegmentContents contents;
    std::string_view rest = file;
    std::string_view json;
    if (!next_line(rest, json, true)) return without_header(file, sealed, contents);
    contents.good_bytes = file.size() - rest.size();
    bool valid = false;
    const Json header = Json::parse(json, valid);
    const std::int64_t version = header["tickrate"].integer(0);
    if (version > 1) {
      contents.outcome = SegmentContents::Outcome::leave;
      return contents;
    }
    if (version != 1 || !header["principal"].is_text() || !header["base"].is_integer()) return set_aside(file, contents);
    contents.principal = header["principal"].text();
    contents.base_ms = header["base"].integer();
    while (next_line(rest, json, false)) {
      contents.body += json;
      contents.body += '\n';
      ++contents.events;
    }
    contents.good_bytes = file.size() - rest.size();
    count_rest(rest, sealed, contents);
    contents.outcome = contents.events > 0 ? SegmentContents::Outcome::send : SegmentContents::Outcome::remove;
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

  static SegmentContents without_header(std::string_view file, bool sealed, SegmentContents& contents) {
    if (file.find('\n') != std::string_view::npos) return set_aside(file, contents);
    count_rest(file, sealed, contents);
    return contents;
  }

  static SegmentContents set_aside(std::string_view file, SegmentContents& contents) {
    contents.outcome = SegmentContents::Outcome::aside;
    contents.good_bytes = 0;
    contents.damaged = count_lines(file);
    return contents;
  }

  static void count_rest(std::string_view rest, bool sealed, SegmentContents& contents) {
    // A sealed file ends with its last event, and has one.
    if (sealed && (!rest.empty() || contents.events == 0)) contents.damaged = std::max<std::uint64_t>(1, count_lines(rest));
    if (!sealed && !only_zeros(rest)) contents.torn = 1;
  }

  static bool only_zeros(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

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


namespace tickrate::detail {

/** A folder of segments that this process holds the lock of: its own run, or one that it adopted. */
struct Run {
  std::string path;
  FolderLock lock;
  std::size_t segments = 0;
  bool own = false;

  /** Why there is no run. */
  struct Refusal {
    FileFault fault = FileFault::none;
    std::string reason;
  };

  /** Makes the folder and a run in it. Null with the reason if that is not possible. */
  static std::shared_ptr<Run> begin(const std::string& folder, std::int64_t wall_ms, Refusal& refusal) {
    // Another start may adopt, and then delete, a run that is not locked yet.
    for (int attempt = 0; attempt < 3; ++attempt) {
      const std::string random = random_hex(8);
      auto run = std::make_shared<Run>();
      run->own = true;
      run->path = path_in(folder, SegmentName::make_stem(wall_ms, 0, random));
      if (!random.empty() && make_folders(folder) && make_folder(run->path) && run->lock.take(run->lock_path()) && !run->is_deleted()) return run;
      refusal = {last_fault(), last_reason()};
      run->lock.release();
      // Only where there was no space for its lock: a folder that another start has adopted is not empty, or gone.
      remove_folder(run->path);
    }
    return nullptr;
  }

  std::string lock_path() const { return path_in(path, "lock"); }
  /** By somebody who cleans up: no other process may delete the lock while it is held. */
  bool is_deleted() const { return !file_exists(lock_path()); }
};

}  // namespace tickrate::detail



namespace tickrate::detail {

/** An open segment: a mapped file of a run, or memory where there is no folder. */
struct OpenSegment {
  std::shared_ptr<Run> run;
  MappedFile file;
  std::string memory;
  std::string stem;
  std::string key;
  std::string principal;
  ClockBase clock;
  std::size_t used = 0;
  std::uint32_t events = 0;
  std::int64_t first_monotonic_ms = 0;
  /** When its file was begun to be written to the disk. */
  std::int64_t writing_ms = -1;

  char* data() { return file.memory != nullptr ? file.memory : memory.data(); }
  std::size_t size() const { return file.memory != nullptr ? file.size : memory.size(); }
  bool valid() const { return !stem.empty(); }
  std::string path() const { return path_in(run->path, stem) + ".open"; }
};

/**
 * States: no segment → (the first event) → open → (full, aged, another principal, a clock that jumped) → finished.
 * `track` may be called from several threads; finished segments are taken by the thread that seals.
 */
class Recorder {
 public:
  using Now = std::pair<std::int64_t, std::int64_t>;  // wall, monotonic

  Recorder(const std::string& folder, const Tuning& tuning, LossCounter& losses) : folder_(folder), tuning_(tuning), losses_(losses) {
    finished_.reserve(64);
  }

  /** Null: no folder, so at most 200 events are kept in memory; none on a full disk, until it has space for a run. */
  void use_run(std::shared_ptr<Run> run, FileFault fault) {
    const std::lock_guard<std::mutex> guard(mutex_);
    run_ = std::move(run);
    awaits_space_ = fault == FileFault::disk_full;
  }
  /** Another one than before after somebody deleted the folder. */
  std::shared_ptr<Run> run() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return run_;
  }
  /**
   * Begins another run if somebody deleted this one, or if the disk has space only now. Ends the segment: a file without a name does
   * not survive the process.
   */
  void keep_run(std::int64_t wall_ms) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (consent_ == Consent::granted && !closed_ && renew_run(wall_ms)) finish();
  }

  void set_principal(std::string principal) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (principal == principal_) return;
    finish();
    principal_ = std::move(principal);
  }

  void set_consent(Consent consent) {
    const std::lock_guard<std::mutex> guard(mutex_);
    consent_ = consent;
  }
  void set_closed() {
    const std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
    finish();
    discard(spare_);
  }

  /** Writes one event with `write_event(Writer&)`, which writes the object of the event's own members. */
  template <class WriteEvent>
  bool track(std::string_view type, std::uint32_t version, Now now, WriteEvent&& write_event) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (closed_) return count_loss(Loss::closed);
    if (consent_ == Consent::denied) return false;
    if (!open_.valid() || full() || open_.clock.jumped(now.first, now.second)) {
      if (!renew(now)) return false;
    }
    if (!run_ || consent_ == Consent::unknown) {
      if (in_memory_ >= max_in_memory) return count_loss(consent_ == Consent::unknown ? Loss::consent : storage_loss_);
    }
    Outcome outcome = append(type, version, now, write_event);
    if (outcome == Outcome::no_room && open_.events > 0) {
      if (!renew(now)) return false;
      outcome = append(type, version, now, write_event);
    }
    if (outcome == Outcome::invalid) return count_loss(Loss::rejected);
    if (outcome != Outcome::good) return count_loss(Loss::too_large);
    if (open_.file.memory == nullptr) ++in_memory_;
    return true;
  }

  /** Ends the open segment, if it has events and `aged` says so (or always). */
  void finish_if(bool always, std::int64_t monotonic_ms) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (consent_ != Consent::granted || open_.events == 0) return;
    if (always || monotonic_ms - open_.first_monotonic_ms >= tuning_.seal_after_ms) finish();
  }

  /** The segments that wait to be sealed. */
  std::vector<OpenSegment> take_finished() {
    std::vector<OpenSegment> taken;
    taken.reserve(64);
    const std::lock_guard<std::mutex> guard(mutex_);
    if (consent_ == Consent::granted) taken.swap(finished_);
    count_sealing(taken);
    return taken;
  }
  /** The oldest of them, a frame after this began to write its file; and those beyond eight, so that they do not pile up: fewer in a small buffer. */
  std::vector<OpenSegment> take_due(std::int64_t monotonic_ms) {
    const std::size_t most_waiting = std::min<std::size_t>(8, static_cast<std::size_t>(tuning_.buffer_bytes / 4 / std::max<std::size_t>(1, tuning_.seal_bytes)));
    constexpr std::int64_t frame_ms = 15;
    std::vector<OpenSegment> taken;
    MappedFile begun;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (consent_ != Consent::granted || finished_.empty()) return taken;
      OpenSegment& oldest = finished_.front();
      const bool is_due = oldest.file.memory == nullptr || (oldest.writing_ms >= 0 && monotonic_ms - oldest.writing_ms >= frame_ms);
      if (oldest.writing_ms < 0) {
        oldest.writing_ms = monotonic_ms;
        begun = oldest.file;
      }
      std::size_t due = is_due ? 1 : 0;
      if (finished_.size() > most_waiting) due = std::max(due, finished_.size() - most_waiting);
      const auto end = finished_.begin() + static_cast<std::ptrdiff_t>(due);
      taken.assign(std::make_move_iterator(finished_.begin()), std::make_move_iterator(end));
      finished_.erase(finished_.begin(), end);
      count_sealing(taken);
    }
    // Without the lock: only the caller's thread closes it.
    start_writing(begun);
    return taken;
  }
  /** What was taken is sealed, and counted by the store from now on. */
  void took() {
    const std::lock_guard<std::mutex> guard(mutex_);
    sealing_ = {};
  }
  bool has_finished() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return consent_ == Consent::granted && !finished_.empty();
  }

  /** True once after a segment was begun: another should be prepared, and the one before sealed. */
  bool take_attention() {
    return wants_attention_.load(std::memory_order_relaxed) && wants_attention_.exchange(false, std::memory_order_relaxed);
  }

  /** Makes the next segment's file beforehand, so that the game does not wait for the file system. */
  void prepare(std::int64_t wall_ms) {
    OpenSegment spare;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (spare_.valid() || !run_ || closed_ || consent_ != Consent::granted || !name(spare, wall_ms)) return;
      spare.run = run_;
    }
    if (create_mapped(spare.path(), file_size(), spare.file) != FileFault::none) return;
    const std::lock_guard<std::mutex> guard(mutex_);
    if (spare.run == run_) {
      spare_ = std::move(spare);
    } else {
      discard(spare);
    }
  }

  /** Consent was given: events of memory move to the folder, as far as it has room. */
  void move_to_folder(Now now) {
    const std::lock_guard<std::mutex> guard(mutex_);
    renew_run(now.first);
    if (!run_) return;
    std::vector<OpenSegment> memory;
    finish();
    memory.swap(finished_);
    for (OpenSegment& segment : memory) {
      if (segment.file.memory != nullptr) {
        finished_.push_back(std::move(segment));
      } else {
        copy_to_file(segment, now);
      }
    }
  }

  /** Forgets everything that is not sealed. Files are closed and deleted. */
  void clear() {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (OpenSegment& segment : finished_) discard(segment);
    finished_.clear();
    discard(open_);
    discard(spare_);
    in_memory_ = 0;
  }

  void count_sent_from_memory(std::uint32_t events) {
    const std::lock_guard<std::mutex> guard(mutex_);
    in_memory_ = events > in_memory_ ? 0 : in_memory_ - events;
  }

  bool durable() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return run_ != nullptr;
  }
  /** Events and bytes that are not sealed. Those that are being sealed count until `took()`. */
  std::pair<std::uint64_t, std::uint64_t> unsealed() {
    const std::lock_guard<std::mutex> guard(mutex_);
    std::pair<std::uint64_t, std::uint64_t> sum{open_.events + sealing_.first, open_.used + sealing_.second};
    for (const OpenSegment& segment : finished_) {
      sum.first += segment.events;
      sum.second += segment.used;
    }
    return sum;
  }

 private:
  enum class Outcome { good, no_room, too_large, invalid };
  static constexpr std::uint32_t max_in_memory = 200;

  void count_sealing(const std::vector<OpenSegment>& taken) {
    for (const OpenSegment& segment : taken) {
      sealing_.first += segment.events;
      sealing_.second += segment.used;
    }
  }

  bool count_loss(Loss reason) {
    losses_.add(reason);
    return false;
  }

  bool full() const {
    return open_.used >= tuning_.seal_bytes || open_.events >= std::min(tuning_.seal_events, max_segment_events);
  }
  std::size_t file_size() const { return std::min(max_segment_bytes, tuning_.seal_bytes + max_event_bytes + 4096); }

  /** False if the system has no random numbers to give. */
  bool name(OpenSegment& segment, std::int64_t wall_ms) {
    last_time_ms_ = std::max(last_time_ms_, std::max<std::int64_t>(0, wall_ms));
    segment.key = random_hex(32);
    if (segment.key.empty()) return false;
    segment.stem = SegmentName::make_stem(last_time_ms_, number_++, segment.key);
    return true;
  }

  /** Begins another run if somebody deleted the one that there was, or if there is none because the disk was full. */
  bool renew_run(std::int64_t wall_ms) {
    if (run_ ? !run_->is_deleted() : !awaits_space_) return false;
    Run::Refusal refusal;
    std::shared_ptr<Run> next = Run::begin(folder_, wall_ms, refusal);
    if (!next) return false;
    discard(spare_);
    run_ = std::move(next);
    wants_attention_.store(true, std::memory_order_relaxed);
    return true;
  }

  void finish() {
    if (!open_.valid()) return;
    if (open_.events > 0) {
      finished_.push_back(std::move(open_));
    } else {
      discard(open_);
    }
    open_ = OpenSegment{};
  }

  /** Ends the open segment and begins another. */
  bool renew(Now now) {
    finish();
    if (spare_.valid()) {
      open_ = std::move(spare_);
      spare_ = OpenSegment{};
      wants_attention_.store(true, std::memory_order_relaxed);
    } else if (now.second < next_attempt_ms_ || !create(now.first)) {
      // On a full disk the game does not ask the file system again for each event.
      if (now.second >= next_attempt_ms_) next_attempt_ms_ = now.second + 1000;
      return count_loss(storage_loss_);
    }
    open_.principal = principal_;
    open_.clock = ClockBase{now.first, now.second};
    open_.first_monotonic_ms = now.second;
    return write_header();
  }

  bool create(std::int64_t wall_ms) {
    OpenSegment next;
    storage_loss_ = Loss::storage;
    if (!name(next, wall_ms)) return false;
    if (consent_ == Consent::granted && !run_ && awaits_space_ && !renew_run(wall_ms)) {
      storage_loss_ = Loss::disk_full;
      return false;
    }
    if (run_ && consent_ == Consent::granted) {
      FileFault fault = create_file(next, file_size());
      if (fault == FileFault::other && renew_run(wall_ms)) fault = create_file(next, file_size());
      if (fault == FileFault::disk_full) storage_loss_ = Loss::disk_full;
      if (fault != FileFault::none) return false;
    } else {
      next.memory.assign(file_size(), '\0');
    }
    open_ = std::move(next);
    return true;
  }

  FileFault create_file(OpenSegment& segment, std::size_t size) {
    segment.run = run_;
    return create_mapped(segment.path(), size, segment.file);
  }

  bool write_header() {
    char json[256];
    Writer writer(json, json + sizeof json);
    writer.begin_object();
    writer.member("tickrate", 1);
    writer.member("principal", std::string_view(open_.principal));
    writer.member("base", open_.clock.base_ms);
    writer.end_object();
    if (!writer.ok()) return false;
    std::memcpy(open_.data() + 9, json, writer.size());
    open_.used = 0;
    complete_line(writer.size());
    return true;
  }

  template <class WriteEvent>
  Outcome append(std::string_view type, std::uint32_t version, Now now, WriteEvent& write_event) {
    char* const line = open_.data() + open_.used;
    const std::size_t room = open_.size() - open_.used;
    if (room <= line_overhead) return Outcome::no_room;
    const std::size_t most = std::min(room - line_overhead, max_event_bytes);
    Writer writer(line + 9, line + 9 + most);
    writer.begin_object();
    writer.member("eventType", type);
    if (version > 0) writer.member("eventTypeVersion", version);
    writer.key("occurredAt");
    writer.raw(time_text(open_.clock.at(now.second)));
    writer.key("event");
    write_event(writer);
    writer.end_object();
    if (writer.ok()) {
      complete_line(writer.size());
      ++open_.events;
      return Outcome::good;
    }
    std::memset(line, 0, std::min(room, writer.size() + 9));
    if (!writer.overflowed()) return Outcome::invalid;
    return most < max_event_bytes ? Outcome::no_room : Outcome::too_large;
  }

  /** The checksum comes last: until then the line is torn. */
  void complete_line(std::size_t json_size) {
    char* const line = open_.data() + open_.used;
    line[8] = ' ';
    line[9 + json_size] = '\n';
    write_hex32(line, crc32(line + 9, json_size));
    open_.used += json_size + line_overhead;
  }

  /** A quoted time. Only the milliseconds are written anew within a second. */
  std::string_view time_text(std::int64_t ms) {
    const std::int64_t second = ms >= 0 ? ms / 1000 : -1;
    if (second != time_second_ || second < 0) {
      time_[0] = time_[rfc3339_size + 1] = '"';
      write_rfc3339(time_.data() + 1, ms);
      time_second_ = second;
    } else {
      const auto rest = static_cast<int>(ms % 1000);
      time_[21] = static_cast<char>('0' + rest / 100);
      time_[22] = static_cast<char>('0' + rest / 10 % 10);
      time_[23] = static_cast<char>('0' + rest % 10);
    }
    return {time_.data(), rfc3339_size + 2};
  }

  void copy_to_file(OpenSegment& segment, Now now) {
    OpenSegment filed;
    if (!name(filed, now.first) || create_file(filed, segment.memory.size()) != FileFault::none) {
      finished_.push_back(std::move(segment));
      return;
    }
    std::memcpy(filed.file.memory, segment.memory.data(), segment.used);
    filed.principal = segment.principal;
    filed.clock = segment.clock;
    filed.used = segment.used;
    filed.events = segment.events;
    filed.first_monotonic_ms = segment.first_monotonic_ms;
    in_memory_ -= std::min(in_memory_, segment.events);
    finished_.push_back(std::move(filed));
  }

  void discard(OpenSegment& segment) {
    if (segment.file.memory != nullptr) {
      close_mapped(segment.file, 0, false);
      remove_file(segment.path());
    }
    segment = OpenSegment{};
  }

  std::mutex mutex_;
  std::atomic<bool> wants_attention_{false};
  std::string folder_;
  Tuning tuning_;
  LossCounter& losses_;
  std::shared_ptr<Run> run_;
  /** The disk was full when the run should begin. */
  bool awaits_space_ = false;
  std::string principal_;
  Consent consent_ = Consent::unknown;
  bool closed_ = false;
  OpenSegment open_;
  OpenSegment spare_;
  std::vector<OpenSegment> finished_;
  std::pair<std::uint64_t, std::uint64_t> sealing_;
  std::uint32_t in_memory_ = 0;
  std::uint32_t number_ = 0;
  std::int64_t last_time_ms_ = 0;
  std::int64_t time_second_ = -1;
  std::int64_t next_attempt_ms_ = INT64_MIN;
  std::array<char, rfc3339_size + 2> time_{};
  Loss storage_loss_ = Loss::storage;
};

}  // namespace tickrate::detail

// The sign-in helper: a reducer from the answers of the server to prompts for the game. It does no input or output.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>



namespace tickrate {

/** A refusal in the words of the server. `code` 0: there is none. */
struct SignInError {
  std::int64_t code = 0;
  std::string message;
  std::string fields;
};

struct DeviceToken {
  std::string id;
  std::string secret;
};

/** A session. `key` is secret and is never written to the disk. */
struct Session {
  std::string id;
  std::string account;
  std::string key;
  std::int64_t start = 0;
  std::int64_t expiry = 0;
};

/** Where a sign-in stands. */
struct SignInStep {
  enum class Kind {
    send,     // send `call` with `body`
    resend,   // send the same again, with the same key, after a backoff of at least `retry_after_seconds`
    prompt,   // ask the player for `prompt`, and go on with `answer`
    session,  // signed in
    ended,    // refused; see `error`
  };
  Kind kind = Kind::ended;
  std::string call = {};
  Json body = {};
  std::string prompt = {};
  Json options = {};
  SignInError error = {};
  Session session = {};
  DeviceToken device = {};
  Json recovery_codes = {};
  double retry_after_seconds = 0;
};

/** Called with each prompt, and at last with the session or the refusal. */
using SignInAnswered = std::function<void(const SignInStep&)>;

/**
 * One sign-in. It holds everything that was sent so far, so that every request contains all of it.
 *
 *   input → send → received → (prompt → input → send → …) → session | ended
 */
class SignIn {
 public:
  /** Adds what the player gave, as an object of docs/clients.md: `{"email"}`, `{"password"}`, `{"code"}`, `{"steamTicket"}` … */
  SignInStep input(const Json& given) {
    for (const auto& [name, value] : given.members()) apply(name, value);
    if (last_.prompt == "emailVerification" && given["code"].is_text()) {
      verifying_ = true;
      Json body = Json::object({{"token", given["code"]}});
      if (body_.has("password")) body.set("password", body_["password"]);
      return sending("POST /2018-03-24/account/email/verify", std::move(body));
    }
    return sending(authenticate, body_);
  }

  /** Takes the answer to the last request; status 0 if there was none. */
  SignInStep received(int status, const Json& answer) {
    if (status != 200) return refused(status, answer);
    if (verifying_) {
      verifying_ = false;
      return sending(authenticate, body_);
    }
    if (answer["exchangeId"].is_text()) body_.set("exchangeId", answer["exchangeId"]);
    conflicts_ = 0;
    if (answer["authenticatedSession"].is_object()) return signed_in(answer);
    return ask(answer);
  }

 private:
  static constexpr const char* authenticate = "PUT /2018-03-24/authenticate";

  void apply(const std::string& name, const Json& value) {
    const auto nested = [this](const char* outer, const char* inner, Json content) {
      Json object = body_[outer].is_object() ? body_[outer] : Json::object();
      object.set(inner, std::move(content));
      body_.set(outer, std::move(object));
    };
    const auto token = [&](const char* list, const char* member) { nested("tokens", list, Json::array({Json::object({{member, value}})})); };
    if (name == "email") return body_.set("emailAddress", value);
    if (name == "password") return body_.set("password", value);
    if (name == "register") return value.is_true() ? body_.set("intent", "register") : body_.remove("intent");
    if (name == "code") return last_.prompt == "emailVerification" ? void() : nested("twoFactor", "twoFactorCode", value);
    if (name == "trust") {
      nested("twoFactor", "trustThisDevice", Json(true));
      nested("twoFactor", "deviceIdentifier", value["identifier"]);
      return nested("twoFactor", "deviceIdentifierFriendlyName", value["name"]);
    }
    if (name == "action") return decide("action", value);
    if (name == "accountRef") return decide("accountRef", value);
    if (name == "terms") return nested("registration", "acceptedTerms", value);
    if (name == "optIn") return body_.set("marketingPreferenceOptIn", value);
    if (name == "projectId") return body_.set("projectId", value);
    if (name == "displayName" || name == "locale") return nested("registration", name.c_str(), value);
    if (name == "steamTicket") return token("steamTokens", "userTicket");
    if (name == "itchIoKey") return token("itchIoTokens", "apiKey");
    if (name == "discordToken") return token("discordTokens", "accessToken");
    if (name == "openId") return nested("tokens", "oAuthTokens", Json::array({value}));
    if (name == "device") return nested("tokens", "deviceTokens", Json::array({value}));
  }

  void decide(const char* member, const Json& value) {
    if (value.text() == "cancel" && std::string_view(member) == "action") return body_.set("intent", "cancel");
    Json decision = body_["linkDecision"].is_object() ? body_["linkDecision"] : Json::object();
    decision.set(member, value);
    body_.set("linkDecision", std::move(decision));
  }

  SignInStep sending(const char* call, Json body) {
    SignInStep step;
    step.kind = SignInStep::Kind::send;
    step.call = call;
    step.body = std::move(body);
    return step;
  }

  SignInStep signed_in(const Json& answer) {
    const Json& session = answer["authenticatedSession"];
    SignInStep step;
    step.kind = SignInStep::Kind::session;
    step.session.id = session["id"].text();
    step.session.account = session["accountId"].text();
    step.session.key = session["apiKey"].text();
    step.session.start = session["start"].integer();
    step.session.expiry = session["expiry"].integer();
    step.device.id = answer["issuedDeviceToken"]["deviceId"].text();
    step.device.secret = answer["issuedDeviceToken"]["deviceSecret"].text();
    step.recovery_codes = answer["recoveryCodes"];
    return step;
  }

  SignInStep ask(const Json& answer) {
    const auto flag = [&answer](const char* name) { return answer[name].is_true(); };
    if (flag("promptForProject")) return prompt("project", Json::object({{"projects", answer["availableProjects"]}}));
    if (flag("promptForEmailAddress")) return prompt(answer["intent"].text() == "register" ? "registration" : "identifier");
    if (flag("promptForPassword")) return prompt(flag("passwordResetEmailSent") ? "passwordUnset" : "password");
    if (flag("promptForTwoFactorEnrolment")) return prompt("secondFactorEnrolment", answer["twoFactorEnrolment"]);
    if (flag("promptForTwoFactorCode")) return prompt(flag("promptForEmailVerification") ? "mailedCode" : "secondFactor");
    if (flag("promptForEmailVerification")) return prompt("emailVerification");
    if (flag("promptForLinking")) return prompt("linking", answer["linking"]);
    if (flag("promptForTerms")) return prompt("terms");
    if (flag("promptForMarketingPreferenceOptIn")) return prompt("marketing");
    SignInStep step;
    step.error.message = "unknownPrompt";
    return step;
  }

  SignInStep prompt(const char* name, Json options = Json::object()) {
    last_ = SignInStep{};
    last_.kind = SignInStep::Kind::prompt;
    last_.prompt = name;
    last_.options = std::move(options);
    return last_;
  }

  SignInStep refused(int status, const Json& answer) {
    SignInError error;
    if (answer["data"].is_object()) error.code = answer["code"].integer();
    error.message = answer["message"].text();
    error.fields = answer["fields"].text();
    const double seconds = answer["data"]["retryAfterSeconds"].number(0);
    if (status < 400 || status >= 500 || error.code == 6001 || error.code == 6002 || error.code == 6003) {
      SignInStep step;
      step.kind = SignInStep::Kind::resend;
      step.retry_after_seconds = seconds;
      return step;
    }
    if (error.code == 4012 && conflicts_++ == 0) {
      body_.remove("exchangeId");
      return sending(authenticate, body_);
    }
    const bool verifying = std::exchange(verifying_, false);
    if (error.code == 4001) {
      body_.remove("password");
      return again("password", error);
    }
    if (error.code == 4010) {
      body_.remove("password");
      return repeat(error);
    }
    if (error.code == 4004 || error.code == 4005) {
      forget_code();
      return repeat(error);
    }
    if ((error.code == 4002 || error.code == 4003) && verifying) return repeat(error);
    if (error.code == 4002 || error.code == 4003) {
      body_.remove("tokens");
      return again("identifier", error);
    }
    SignInStep step;
    step.error = std::move(error);
    step.retry_after_seconds = seconds;
    return step;
  }

  SignInStep again(const char* name, SignInError error) {
    prompt(name);
    return repeat(std::move(error));
  }

  SignInStep repeat(SignInError error) {
    SignInStep step = last_;
    step.error = std::move(error);
    if (step.prompt.empty()) step.kind = SignInStep::Kind::ended;
    return step;
  }

  void forget_code() {
    Json second = body_["twoFactor"];
    second.remove("twoFactorCode");
    if (second.members().empty()) {
      body_.remove("twoFactor");
    } else {
      body_.set("twoFactor", std::move(second));
    }
  }

  Json body_ = Json::object();
  SignInStep last_;
  bool verifying_ = false;
  int conflicts_ = 0;
};

}  // namespace tickrate

// Everything on the disk: the folder of a game, its runs, their sealed segments, and state.json.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>






namespace tickrate::detail {

/** A sealed segment that waits to be sent. Without a run, its contents are in memory only. */
struct Segment {
  std::shared_ptr<Run> run;
  std::string stem;
  std::string key;
  std::string principal;
  std::int64_t base_ms = 0;
  std::uint32_t events = 0;
  std::size_t bytes = 0;
  std::string contents;
  /** The monotonic clock at `base_ms`, of segments of this start; -1 of adopted ones. */
  std::int64_t monotonic_ms = -1;

  std::string path() const { return path_in(run->path, stem) + ".seal"; }
};

/** Used by one thread only. */
class Store {
 public:
  Store(std::string folder, const Tuning& tuning, LossCounter& losses) : folder_(std::move(folder)), tuning_(tuning), losses_(losses) {}
  ~Store() { close(); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /** Makes the folder and a run of its own in it. False with the reason if that is not possible. */
  bool open(std::int64_t wall_ms, Run::Refusal& refusal) {
    if (folder_.empty()) {
      refusal = {FileFault::other, "no folder was given"};
      return false;
    }
    state_ = saved_state();
    losses_.restore(state_["losses"]);
    own_ = Run::begin(folder_, wall_ms, refusal);
    return own_ != nullptr;
  }

  /**
   * Continues with another run, because somebody deleted the former one with state.json, or because the disk has space only
   * now. Returns how many events were lost with the former one, which are counted. `sending` is left to its answer.
   */
  std::uint64_t use_run(std::shared_ptr<Run> run, const std::string& sending) {
    if (run == own_) return 0;
    const std::shared_ptr<Run> former = std::exchange(own_, std::move(run));
    std::uint64_t lost = 0;
    for (std::size_t i = segments_.size(); i-- > 0;) {
      Segment& segment = segments_[i];
      if (!segment.run && write_again(segment)) ++own_->segments;
      if (!segment.run || segment.stem == sending || file_exists(segment.path())) continue;
      lost += segment.events;
      remove(std::string(segment.stem));
    }
    losses_.add(Loss::storage, lost);
    if (former) {
      former->own = false;
      if (former->segments == 0) remove_run(*former);
    }
    write_state();
    return lost;
  }

  /**
   * Takes over the segments of runs that have ended, also since the last call. Those of a device are this installation's, `device`.
   * Takes over none while the folder is another installation's: they are sent in its session. Needs no own run: on a full disk,
   * space comes from what is sent.
   */
  void adopt(const std::string& device) {
    if (folder_.empty() || is_of_another(saved_state())) return;
    device_ = device;
    for (const std::string& name : sorted_folder(folder_)) {
      const std::string_view text = name;
      if (text.size() != 25 || text[16] != '-' || !SegmentName::is_hex(text.substr(0, 16)) || !SegmentName::is_hex(text.substr(17))) continue;
      auto run = std::make_shared<Run>();
      run->path = path_in(folder_, name);
      // Those of living processes are locked, this one's too.
      if (!run->lock.take(path_in(run->path, "lock"))) continue;
      recover(run);
      if (run->segments == 0) remove_run(*run);
    }
    sort();
  }

  const std::shared_ptr<Run>& own() const { return own_; }

  /** Seals the file of an open segment, and flushes it to the disk first. */
  void seal(MappedFile& file, const std::string& open_path, std::size_t used, Segment segment) {
    if (segment.events == 0) {
      close_mapped(file, 0, false);
      remove_file(open_path);
      return;
    }
    if (!file_exists(open_path)) {
      // Somebody deleted the folder. The events are still in the memory of the file.
      segment.contents.assign(file.memory, used);
      segment.bytes = used;
      close_mapped(file, 0, false);
      write_again(segment);
      return add(std::move(segment));
    }
    const FileFault fault = close_mapped(file, used, true);
    if (fault != FileFault::none || !rename_file(open_path, segment.path())) {
      // Left as it is: the next start recovers it, and sends what is good of it.
      left_events_ += segment.events;
      return;
    }
    segment.bytes = used;
    add(std::move(segment));
  }

  /** Takes a segment that is in memory only, because there is no folder. */
  void keep(Segment segment) {
    segment.bytes = segment.contents.size();
    add(std::move(segment));
  }

  std::vector<Segment>& segments() { return segments_; }
  std::uint64_t bytes() const { return bytes_; }
  /** What waits: also what only the next start can send. */
  std::uint64_t events() const {
    std::uint64_t sum = left_events_;
    for (const Segment& segment : segments_) sum += segment.events;
    return sum;
  }

  /** The file's contents with its checksums; false if it cannot be read any more. */
  bool read(const Segment& segment, std::string& contents) const {
    if (segment.run) return read_file(segment.path(), contents);
    contents = segment.contents;
    return true;
  }

  void remove(const std::string& stem) {
    const auto found = find(stem);
    if (found == segments_.end()) return;
    if (found->run) {
      remove_file(found->path());
      if (--found->run->segments == 0 && !found->run->own) remove_run(*found->run);
    }
    bytes_ -= found->bytes;
    segments_.erase(found);
  }

  /** Moves a segment that the server refused to `aside/`, and keeps 1 MiB there. */
  void set_aside(const std::string& stem) {
    const auto found = find(stem);
    if (found == segments_.end()) return;
    if (found->run) keep_aside(found->path(), stem + ".seal");
    remove(stem);
  }

  /** Replaces a segment by its halves. False if they could not be written: the segment stays as it was. */
  bool split(const std::string& stem) {
    const auto found = find(stem);
    std::string contents;
    if (found == segments_.end() || !read(*found, contents)) return false;
    const Segment parent = *found;
    const auto [first, second] = split_segment(contents);
    std::vector<Segment> children;
    for (const std::string* half : {&first, &second}) {
      Segment child = parent;
      child.stem += children.empty() ? ".0" : ".1";
      child.key = child.stem.substr(17);
      child.events = children.empty() ? (parent.events + 1) / 2 : parent.events / 2;
      child.bytes = half->size();
      child.contents = parent.run ? std::string() : *half;
      children.push_back(child);
      if (parent.run && write_file(child.path(), *half) != FileFault::none) {
        for (const Segment& written : children) remove_file(written.path());
        return false;
      }
    }
    if (parent.run) parent.run->segments += 2;
    remove(stem);
    for (Segment& child : children) {
      bytes_ += child.bytes;
      segments_.push_back(std::move(child));
    }
    sort();
    return true;
  }

  /** Deletes the oldest segments beyond the bounds, except the one that is being sent, and counts their events. */
  void enforce_bounds(std::int64_t wall_ms, const std::string& sending, std::uint64_t unsealed_bytes) {
    const std::int64_t oldest = wall_ms - tuning_.max_age_ms;
    for (std::size_t i = 0; i < segments_.size();) {
      const Segment& segment = segments_[i];
      // A base before 2020 is that of a clock that was never set: its age is unknown.
      const bool too_old = segment.base_ms < oldest && segment.base_ms > 1'577'836'800'000;
      const bool too_much = bytes_ + unsealed_bytes > tuning_.buffer_bytes;
      if (segment.stem == sending || (!too_old && !too_much)) {
        ++i;
        continue;
      }
      losses_.add(too_old ? Loss::too_old : Loss::buffer_full, segment.events);
      remove(std::string(segment.stem));
    }
  }

  /** Deletes every segment, without counting: the player said no. */
  void clear() {
    while (!segments_.empty()) remove(std::string(segments_.front().stem));
    const std::string aside = path_in(folder_, "aside");
    for (const std::string& name : list_folder(aside)) remove_file(path_in(aside, name));
  }

  /**
   * Whether the player refused, in this process or in another one on the same folder. A file of its own: no process that
   * saves state.json later can overwrite it.
   */
  bool is_refused() const { return !folder_.empty() && file_exists(path_in(folder_, "denied")); }
  void set_refused(bool refused) {
    if (!own_ || refused == is_refused()) return;
    const std::string path = path_in(folder_, "denied");
    if (refused) {
      write_file(path, {});
    } else {
      remove_file(path);
    }
  }

  const Json& state() const { return state_; }
  /** `state.json` lacks something that `remember()` was given. */
  bool is_unsaved() const { return !changed_.empty(); }
  /** Null removes the member. It is saved by the next `write_state()`. */
  void remember(std::string_view member, Json value) {
    set_in(state_, member, std::move(value));
    if (std::find(changed_.begin(), changed_.end(), member) == changed_.end()) changed_.emplace_back(member);
  }
  /** Takes what others have saved, without a device. */
  void reload_state() {
    state_ = saved_state();
    forget_device();
    changed_.clear();
  }
  /**
   * Saves what this process changed. What other processes saved meanwhile stays. After somebody deleted the folder, it may be another
   * installation's: that one's device stays saved, and this process keeps its own in memory.
   */
  bool write_state() {
    if (!own_) return false;
    Json saved = saved_state();
    const bool is_shared = !is_of_another(saved) || state_["consent"].text() == "denied";
    // Deleted or damaged by hand: nobody has saved anything.
    if (!is_installation(saved["installation"].text())) saved = state_;
    for (const std::string& member : changed_) {
      if (is_shared || !is_of_device(member)) set_in(saved, member, state_[member]);
    }
    const Losses counted = losses_.all();
    saved.set("losses", losses_.sums(saved["losses"], counted));
    // By way of the own run: two processes must not write one file.
    if (replace_file(path_in(folder_, "state.json"), saved.write(), path_in(own_->path, "state.tmp")) != FileFault::none) return false;
    losses_.set_saved(counted);
    if (is_shared) state_ = std::move(saved);
    changed_.clear();
    return true;
  }

  /**
   * Makes this process one installation with those that use the folder: with one device account, or with one key of the
   * request for it. `refused` is the device or the key that the server refused. The proposal of one process wins, because
   * no folder can be renamed onto one with a file in it.
   */
  void agree(const std::string& refused = {}) {
    if (is_of_another(saved_state())) {
      forget_device();
      return remember("deviceKey", random_hex(32));
    }
    const std::string first = path_in(folder_, "first");
    for (int attempt = 0; own_ && attempt < 3 && !take_agreed(refused); ++attempt) {
      const std::string& known = state_["installation"].text();
      propose(first, (is_installation(known) ? known : random_hex(8)) + "-" + random_hex(32));
      for (const std::string& name : list_folder(first)) {
        if (name.size() != 41 || !is_installation(name.substr(0, 8))) continue;
        // Read again: whoever removes a proposal has written the state first.
        bool agreed = take_agreed(refused);
        if (!agreed) {
          forget_device();
          remember("installation", name.substr(0, 8));
          remember("deviceKey", name.substr(9));
          agreed = write_state();
        }
        if (agreed && remove_file(path_in(first, name))) remove_folder(first);
        return;
      }
    }
    if (!is_installation(state_["installation"].text())) remember("installation", random_hex(8));
  }
  void forget_device() {
    for (const char* member : {"device", "deviceAccount", "deviceKey"}) remember(member, Json());
  }

  void close() {
    if (own_ && own_->segments == 0) remove_run(*own_);
    for (Segment& segment : segments_) {
      if (segment.run) segment.run->lock.release();
    }
    if (own_) own_->lock.release();
    own_.reset();
    segments_.clear();
    bytes_ = 0;
  }

 private:
  std::vector<Segment>::iterator find(const std::string& stem) {
    return std::find_if(segments_.begin(), segments_.end(), [&](const Segment& segment) { return segment.stem == stem; });
  }

  void add(Segment segment) {
    if (segment.run) ++segment.run->segments;
    bytes_ += segment.bytes;
    segments_.push_back(std::move(segment));
  }

  /** By a heap: the merges of `std::stable_sort` are 11 KB of code. Stems are unique. */
  void sort() {
    const auto earlier = [](const Segment& a, const Segment& b) { return a.stem < b.stem; };
    if (std::is_sorted(segments_.begin(), segments_.end(), earlier)) return;
    std::make_heap(segments_.begin(), segments_.end(), earlier);
    std::sort_heap(segments_.begin(), segments_.end(), earlier);
  }

  /** Moves a segment of memory into the own run. False if that is not possible: it stays as it is. */
  bool write_again(Segment& segment) {
    segment.run = own_;
    const bool written = replace_file(segment.path(), segment.contents, segment.path() + ".tmp") == FileFault::none;
    if (written) {
      segment.contents.clear();
    } else {
      segment.run.reset();
    }
    return written;
  }

  Json saved_state() const {
    std::string text;
    bool valid = false;
    Json saved;
    if (read_file(path_in(folder_, "state.json"), text)) saved = Json::parse(text, valid);
    return valid && saved.is_object() ? saved : Json::object();
  }

  /** The members by which an installation has one account. */
  static bool is_of_device(const std::string& member) { return member == "installation" || member.compare(0, 6, "device") == 0; }
  /** Whether somebody deleted the folder, and another installation made it again. */
  bool is_of_another(const Json& saved) const {
    const std::string& installation = saved["installation"].text();
    const std::string& own = state_["installation"].text();
    return is_installation(own) && is_installation(installation) && installation != own;
  }

  static bool is_installation(const std::string& text) { return text.size() == 8 && SegmentName::is_hex(text); }

  /** Takes over the device, or the key for it, that another process has saved. */
  bool take_agreed(const std::string& refused) {
    const Json saved = saved_state();
    const std::string& device = saved["device"]["deviceId"].text();
    const std::string& key = saved["deviceKey"].text();
    const bool agreed = (!device.empty() && device != refused) || (!key.empty() && key != refused);
    if (!agreed || !is_installation(saved["installation"].text())) return false;
    for (const char* member : {"installation", "device", "deviceAccount", "deviceKey"}) {
      set_in(state_, member, saved[member]);
      changed_.erase(std::remove(changed_.begin(), changed_.end(), member), changed_.end());
    }
    return true;
  }

  static void set_in(Json& json, std::string_view member, Json value) {
    if (value.is_null()) {
      json.remove(member);
    } else {
      json.set(member, std::move(value));
    }
  }

  void propose(const std::string& first, const std::string& name) {
    const std::string proposal = path_in(own_->path, "first");
    make_folder(proposal);
    write_file(path_in(proposal, name), {});
    if (rename_file(proposal, first)) return;
    remove_file(path_in(proposal, name));
    remove_folder(proposal);
  }

  static void remove_run(Run& run) {
    // Deleted while it is held, except where the system refuses that: it may be another process's a moment later.
    const std::string lock = path_in(run.path, "lock");
    const bool deleted = remove_file(lock);
    run.lock.release();
    if (!deleted) remove_file(lock);
    remove_folder(run.path);
  }

  void recover(const std::shared_ptr<Run>& run) {
    const std::vector<std::string> files = sorted_folder(run->path);
    std::string kept;
    // From the end: a parent comes before its halves, and what is sealed before what is open.
    for (std::size_t i = files.size(); i-- > 0;) {
      const std::string& file = files[i];
      SegmentName name;
      const bool is_segment = SegmentName::parse(file, name);
      // Half of a split that was not finished, of which no byte was sent; or an open file that was sealed when the game died.
      const bool superseded = is_segment && !kept.empty() && name.stem.compare(0, kept.size(), kept) == 0;
      if (superseded || (!is_segment && file != "lock")) {
        remove_file(path_in(run->path, file));
      } else if (is_segment) {
        kept = name.stem;
        recover_file(run, file, name);
      }
    }
  }

  void recover_file(const std::shared_ptr<Run>& run, const std::string& file, const SegmentName& name) {
    using Outcome = SegmentContents::Outcome;
    const std::string path = path_in(run->path, file);
    std::string text;
    if (!read_file(path, text)) {
      // At least one; only the next start can say.
      if (is_file(path)) ++left_events_;
      run->segments += 1;
      return;
    }
    const SegmentContents contents = SegmentReader::read(text, name.sealed);
    losses_.add(Loss::torn, contents.torn);
    losses_.add(Loss::damaged, contents.damaged);
    if (contents.outcome == Outcome::remove) remove_file(path);
    if (contents.outcome == Outcome::aside) keep_aside(path, file);
    if (contents.outcome == Outcome::leave) run->segments += 1;
    if (contents.outcome != Outcome::send) return;
    if (name.sealed && contents.principal.compare(0, 7, "device:") == 0 && contents.principal != device_) {
      // It may be stored for the account of a former state.json: sent for another one, its events would be there twice.
      losses_.add(Loss::damaged, contents.events);
      return keep_aside(path, file);
    }
    Segment segment;
    segment.run = run;
    segment.stem = name.stem;
    segment.key = name.key;
    const bool is_of_device = contents.principal.compare(0, 7, "device:") == 0;
    segment.principal = is_of_device ? device_ : contents.principal;
    segment.base_ms = contents.base_ms;
    segment.events = contents.events;
    segment.bytes = contents.good_bytes;
    const bool whole = contents.good_bytes == text.size();
    // A file that was not sealed may not be on the disk yet: it is written again, flushed, and renamed into place.
    if (!(whole && name.sealed)) {
      text.resize(contents.good_bytes);
      if (replace_file(segment.path(), text, segment.path() + ".tmp") != FileFault::none) {
        left_events_ += contents.events;
        run->segments += 1;
        return;
      }
      if (!name.sealed) remove_file(path);
    }
    add(std::move(segment));
  }

  void keep_aside(const std::string& path, const std::string& file) {
    constexpr std::uint64_t most = 1024 * 1024;
    const std::string aside = path_in(folder_, "aside");
    if (!make_folder(aside) || !rename_file(path, path_in(aside, file))) {
      remove_file(path);
      return;
    }
    const std::vector<std::string> names = sorted_folder(aside);
    std::uint64_t sum = 0;
    for (std::size_t i = names.size(); i-- > 0;) {
      const std::string kept = path_in(aside, names[i]);
      std::string text;
      if (read_file(kept, text)) sum += text.size();
      if (sum > most) remove_file(kept);
    }
  }

  std::string folder_;
  std::string device_;
  Tuning tuning_;
  LossCounter& losses_;
  std::shared_ptr<Run> own_;
  std::vector<Segment> segments_;
  std::uint64_t bytes_ = 0;
  /** Events in files that this process cannot send. */
  std::uint64_t left_events_ = 0;
  Json state_ = Json::object();
  /** Members of `state_` that are not saved. */
  std::vector<std::string> changed_;
};

}  // namespace tickrate::detail


namespace tickrate::detail {

inline constexpr const char* sdk_name = "cpp/0.1.0";
/** The server refuses bodies that shrink more. */
inline constexpr std::size_t max_shrinking = 100;

/** Answers that arrive from the transport, in whichever thread. Outlives the client that asked. */
class Mailbox {
 public:
  std::function<void(Response)> expect(std::function<void(const Response&)> handle, std::shared_ptr<Mailbox> self) {
    return [handle = std::move(handle), self = std::move(self)](Response response) {
      const std::lock_guard<std::mutex> guard(self->mutex_);
      if (!self->closed_) self->arrived_.emplace_back(handle, std::move(response));
    };
  }
  bool deliver() {
    std::vector<std::pair<std::function<void(const Response&)>, Response>> arrived;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      arrived.swap(arrived_);
    }
    for (auto& [handle, response] : arrived) handle(response);
    return !arrived.empty();
  }
  void close() {
    const std::lock_guard<std::mutex> guard(mutex_);
    closed_ = true;
    arrived_.clear();
  }

 private:
  std::mutex mutex_;
  bool closed_ = false;
  std::vector<std::pair<std::function<void(const Response&)>, Response>> arrived_;
};

/** Used by one thread only: the client's own, or the one that calls `poll()`. */
class Courier {
 public:
  Courier(const Options& options, Recorder& recorder, Store& store, LossCounter& losses)
      : options_(options), recorder_(recorder), store_(store), losses_(losses), mailbox_(std::make_shared<Mailbox>()) {}
  ~Courier() { mailbox_->close(); }

  /** Reads what earlier starts remembered. `state.json` has been read. */
  void open() {
    store_.agree();
    read_device();
    sign_out();
    if (store_.state()["addresses"]["of"].text() != options_.url) forget_addresses();
    sessions_url_ = options_.sessions_url;
    sessions_url_known_ = !sessions_url_.empty();
  }

  /** Before the first request: another process on the folder may have a device by now. */
  void agree_on_device() {
    if (!device_.id.empty() || !store_.state()["deviceKey"].text().empty()) return;
    store_.agree();
    read_device();
  }

  const std::string& principal() const { return principal_; }
  const std::string& device_principal() const { return device_principal_; }

  /** Takes answers, seals, and begins the next request if one is due. */
  void step(std::int64_t wall_ms, std::int64_t now_ms, bool granted) {
    mailbox_->deliver();
    if (!granted || !options_.send || stopped_) return;
    if (!found_ && !finding_ && now_ms >= find_again_ms_) find_addresses();
    if (in_flight_ || now_ms < not_before_ms_) return;
    renew_sessions(now_ms);
    if (!in_flight_) send_oldest(wall_ms, now_ms);
  }

  bool sending() const { return in_flight_; }
  const std::string& sending_stem() const { return sending_stem_; }
  /** True if something could be sent now or soon: what `flush` waits for. */
  bool idle() const { return !in_flight_ && store_.segments().empty(); }
  bool stopped() const { return stopped_; }

  /** Ends a request in progress, and ignores its answer. */
  void forget_requests() {
    mailbox_->close();
    mailbox_ = std::make_shared<Mailbox>();
    in_flight_ = finding_ = false;
    sending_stem_.clear();
    if (sign_in_answered_) finish_sign_in(SignInStep{});
  }
  void forget_device() {
    store_.forget_device();
    read_device();
    sessions_.clear();
  }

  // The sign-in of the game.

  void sign_in(const Json& input, SignInAnswered answered) {
    sign_in_ = SignIn{};
    sign_in_answered_ = std::move(answered);
    apply(sign_in_.input(input));
  }
  void answer(const Json& input, SignInAnswered answered) {
    sign_in_answered_ = std::move(answered);
    apply(sign_in_.input(input));
  }
  /** Back to the device account. Events of the other account wait for its next sign-in. */
  void sign_out() {
    if (options_.principal == Principal::key) principal_ = "key";
    else principal_ = device_principal_;
    recorder_.set_principal(principal_);
  }

  /** The key of the session that events are recorded for now; empty without one. */
  std::string session_key() const {
    const LiveSession* session = session_of(principal_);
    return session != nullptr ? session->session.key : std::string();
  }

 private:
  struct LiveSession {
    Session session;
    bool of_device = false;
    std::int64_t renew_at_ms = 0;  // monotonic
  };

  void read_device() {
    const Json& state = store_.state();
    const std::string former = std::exchange(device_principal_, "device:" + state["installation"].text());
    if (principal_ == former) sign_out();
    device_account_ = state["deviceAccount"].text();
    device_.id = state["device"]["deviceId"].text();
    device_.secret = state["device"]["deviceSecret"].text();
  }

  // Addresses

  void find_addresses() {
    finding_ = true;
    Request request;
    request.method = "GET";
    request.url = options_.url + "/.well-known/tickrate";
    request.timeout_ms = 10'000;
    options_.send->start(std::move(request), mailbox_->expect([this](const Response& response) { found_addresses(response); }, mailbox_));
  }

  void found_addresses(const Response& response) {
    finding_ = false;
    bool valid = false;
    const Json body = Json::parse(response.body, valid);
    const bool described = response.status == 200 && body["protocol"].is_integer();
    found_ = described || (is_final(response.status) && judge(response).code != 0);
    if (described) {
      Json remembered = Json::object({{"of", options_.url}, {"events", body["events"]}, {"sessions", body["sessions"]}});
      if (store_.state()["addresses"] != remembered) {
        store_.remember("addresses", std::move(remembered));
          }
    } else if (found_) {
      forget_addresses();
    }
    if (!found_) {
      find_again_ms_ = now_ms_ + backoff_ms(find_attempt_++, random_fraction(), options_.tuning.backoff_from_ms, options_.tuning.backoff_to_ms);
    }
    if (!found_) explain({Problem::unreachable, options_.url, {}, &response});
    const Json& known = store_.state()["addresses"];
    if (found_ || known.is_object()) {
      sessions_url_known_ = true;
      events_url_ = known["events"].text();
      if (options_.sessions_url.empty()) sessions_url_ = known["sessions"].text();
    }
    compare_clock(response.date);
  }

  void forget_addresses() {
    if (!store_.state()["addresses"].is_object()) return;
    store_.remember("addresses", Json());
  }

  std::string events_url() const { return events_url_.empty() ? options_.url : events_url_; }
  std::string sessions_url() const { return sessions_url_.empty() ? options_.url : sessions_url_; }

  // Sessions

  const LiveSession* session_of(const std::string& principal) const {
    for (const LiveSession& live : sessions_) {
      if (live.of_device && principal == device_principal_) return &live;
      if (principal == "account:" + live.session.account) return &live;
    }
    return nullptr;
  }
  void keep_session(const Session& session, bool of_device, std::int64_t now_ms) {
    LiveSession live;
    live.session = session;
    live.of_device = of_device;
    const std::int64_t life_ms = std::max<std::int64_t>(60, session.expiry - session.start) * 1000;
    live.renew_at_ms = now_ms + life_ms * 8 / 10;
    for (LiveSession& known : sessions_) {
      if (known.session.account == session.account || (of_device && known.of_device)) {
        live.of_device = live.of_device || known.of_device;
        known = std::move(live);
        return;
      }
    }
    sessions_.push_back(std::move(live));
  }

  void drop_session(const std::string& key) {
    for (auto live = sessions_.begin(); live != sessions_.end(); ++live) {
      if (live->session.key != key) continue;
      const bool of_device = live->of_device;
      sessions_.erase(live);
      if (!of_device && options_.on_sign_in_needed) options_.on_sign_in_needed();
      return;
    }
  }

  void renew_sessions(std::int64_t now_ms) {
    for (LiveSession& live : sessions_) {
      if (now_ms < live.renew_at_ms) continue;
      live.renew_at_ms = now_ms + 60'000;
      Request request = call("POST", sessions_url() + "/2018-03-24/session", live.session.key, "");
      const std::string key = live.session.key;
      return start(std::move(request), [this, key](const Response& response) { renewed(key, response); });
    }
    const bool needed = principal_ == device_principal_ || waits_for_device();
    if (needed && session_of(device_principal_) == nullptr) sign_device_in();
  }

  bool waits_for_device() const {
    for (const Segment& segment : store_.segments()) {
      if (segment.principal == device_principal_) return true;
    }
    return false;
  }

  void renewed(const std::string& key, const Response& response) {
    const Verdict verdict = judge(response);
    if (response.status == 200) {
      bool valid = false;
      const Json body = Json::parse(response.body, valid);
      const Json& session = body["authenticatedSession"].is_object() ? body["authenticatedSession"] : body;
      for (LiveSession& live : sessions_) {
        if (live.session.key != key || !session["expiry"].is_integer()) continue;
        const std::int64_t left = session["expiry"].integer() - server_now_s(response);
        live.renew_at_ms = now_ms_ + std::max<std::int64_t>(30, left) * 800;
      }
    } else if (verdict.action == Action::sign_in || verdict.action == Action::stop) {
      drop_session(key);
    }
  }

  std::int64_t server_now_s(const Response& response) const {
    const std::int64_t date = parse_date(response.date);
    return date != 0 ? date : wall_ms_ / 1000;
  }

  void sign_device_in() {
    if (!sessions_url_known_) return;
    // Another process may have a device by now.
    read_device();
    Json token = Json::object({{"deviceId", device_.id.empty() ? Json("new") : Json(device_.id)}});
    if (!device_.secret.empty()) token.set("deviceSecret", device_.secret);
    const Json body = Json::object({{"tokens", Json::object({{"deviceTokens", Json::array({token})}})}});
    // The key of "new" outlives the process: a lost answer must not make a second account.
    std::string key = device_.id.empty() ? store_.state()["deviceKey"].text() : random_hex(32);
    if (key.empty()) {
      key = random_hex(32);
      store_.remember("deviceKey", key);
      store_.write_state();
    }
    Request request = call("PUT", sessions_url() + "/2018-03-24/authenticate", options_.key, body.write());
    request.headers.emplace_back("Idempotency-Key", key);
    start(std::move(request), [this](const Response& response) { device_signed_in(response); });
  }

  void device_signed_in(const Response& response) {
    bool valid = false;
    const Json answer = Json::parse(response.body, valid);
    SignIn reducer;
    const SignInStep step = reducer.received(response.status, answer);
    if (step.kind == SignInStep::Kind::session) {
      if (!step.device.id.empty()) {
        device_ = step.device;
        store_.remember("device", Json::object({{"deviceId", device_.id}, {"deviceSecret", device_.secret}}));
      }
      device_account_ = step.session.account;
      store_.remember("deviceAccount", device_account_);
      store_.remember("deviceKey", Json());
      store_.write_state();
      keep_session(step.session, true, now_ms_);
      return;
    }
    if (response.status == 404) {
      doubt_sessions_url();
      return wait(Verdict{});
    }
    if (step.kind == SignInStep::Kind::resend) {
      explain({Problem::unreachable, sessions_url(), {}, &response});
      return wait(judge(response));
    }
    const Verdict verdict = judge(response);
    if (verdict.code == 4002 || verdict.code == 4003) {
      // The server does not know this device any more: its events go on under a new account.
      explain({Problem::device});
      const std::string refused = device_.id.empty() ? store_.state()["deviceKey"].text() : device_.id;
      store_.forget_device();
      store_.agree(refused);
      read_device();
        return wait(Verdict{});
    }
    // A proxy answered: like no answer.
    if (verdict.code == 0 && step.kind != SignInStep::Kind::prompt) {
      explain({Problem::unreachable, sessions_url(), {}, &response});
      return wait(Verdict{});
    }
    stop(response, "sign this installation in");
  }

  // Events

  void send_oldest(std::int64_t wall_ms, std::int64_t now_ms) {
    for (const Segment& segment : store_.segments()) {
      std::string key;
      if (segment.principal == "key") {
        key = options_.key;
      } else if (const LiveSession* session = session_of(segment.principal)) {
        key = session->session.key;
      } else {
        continue;
      }
      return send(segment, key, wall_ms, now_ms);
    }
  }

  void send(const Segment& segment, const std::string& key, std::int64_t wall_ms, std::int64_t now_ms) {
    std::string contents;
    if (!store_.read(segment, contents)) {
      losses_.add(Loss::storage, segment.events);
      return store_.remove(std::string(segment.stem));
    }
    Request request = call("PUT", events_url() + "/v1/event/multiInsert", key, SegmentReader::read(contents, true).body);
    request.headers.emplace_back("Idempotency-Key", segment.key);
    const std::int64_t client_ms = segment.monotonic_ms < 0 ? wall_ms : ClockBase{segment.base_ms, segment.monotonic_ms}.at(now_ms);
    request.headers.emplace_back("X-Client-Time", std::to_string(client_ms));
    request.headers[content_type_at].second = "application/x-ndjson";
    std::string packed;
    if (options_.gzip != nullptr && options_.gzip(request.body, packed) && packed.size() < request.body.size() &&
        packed.size() * max_shrinking > request.body.size()) {
      request.body = std::move(packed);
      request.headers.emplace_back("Content-Encoding", "gzip");
    }
    sending_stem_ = segment.stem;
    const std::uint32_t events = segment.events;
    const bool in_memory = !segment.run;
    start(std::move(request), [this, stem = segment.stem, key, events, in_memory](const Response& response) {
      sending_stem_.clear();
      handle_answer(stem, key, events, in_memory, response);
    });
  }

  void handle_answer(const std::string& stem, const std::string& key, std::uint32_t events, bool in_memory, const Response& response) {
    const Verdict verdict = judge(response);
    compare_clock(response.date);
    switch (verdict.action) {
      case Action::remove:
        attempt_ = 0;
        if (verdict.rejected > 0) losses_.add(Loss::rejected, verdict.rejected);
        if (options_.debug) explain_stored(stem, response);
        if (in_memory) recorder_.count_sent_from_memory(events);
        return store_.remove(stem);
      case Action::split:
        if (events > 1) {
          if (!store_.split(stem)) wait(Verdict{});
          return;
        }
        losses_.add(Loss::rejected, events);
        explain({Problem::too_large});
        if (in_memory) recorder_.count_sent_from_memory(events);
        return store_.remove(stem);
      case Action::set_aside:
        losses_.add(Loss::refused, events);
        explain({Problem::refused, {}, {}, &response});
        if (in_memory) recorder_.count_sent_from_memory(events);
        return store_.set_aside(stem);
      case Action::sign_in:
        // With a delay, so that a server that ends every session is not asked without a pause.
        drop_session(key);
        return wait(Verdict{});
      case Action::stop: return stop(response, "send events");
      case Action::retry:
        explain({response.status == 413 ? Problem::proxy : Problem::unreachable, events_url(), {}, &response});
        return wait(verdict);
      case Action::wait: case Action::pause: return wait(verdict);
    }
  }

  void wait(const Verdict& verdict) {
    not_before_ms_ = now_ms_ + delay_ms(verdict, attempt_, random_fraction(), options_.tuning.backoff_from_ms, options_.tuning.backoff_to_ms);
    if (verdict.action == Action::retry) ++attempt_;
  }

  void stop(const Response& response, const char* what) {
    stopped_ = true;
    explain({Problem::stopped, options_.key, what, &response});
  }

  // The sign-in of the game

  void apply(SignInStep step) {
    if (step.kind == SignInStep::Kind::send) {
      pending_step_ = std::move(step);
      sign_in_key_ = random_hex(32);
      sign_in_attempt_ = 0;
      return send_sign_in();
    }
    if (step.kind == SignInStep::Kind::resend) {
      sign_in_at_ms_ = now_ms_ + static_cast<std::int64_t>(waiting_seconds(step.retry_after_seconds) * 1000) +
                       backoff_ms(sign_in_attempt_++, random_fraction(), options_.tuning.backoff_from_ms, options_.tuning.backoff_to_ms);
      sign_in_waits_ = true;
      return;
    }
    if (step.kind == SignInStep::Kind::session) {
      keep_session(step.session, step.session.account == device_account_, now_ms_);
      principal_ = step.session.account == device_account_ ? device_principal_ : "account:" + step.session.account;
      recorder_.set_principal(principal_);
      stopped_ = false;
    }
    finish_sign_in(step);
  }

  void finish_sign_in(const SignInStep& step) {
    const SignInAnswered answered = std::exchange(sign_in_answered_, nullptr);
    if (answered) answered(step);
  }

  void doubt_sessions_url() {
    found_ = false;
    explain({Problem::sessions, sessions_url()});
  }

  void send_sign_in() {
    // Neither a guessed address nor the 404 of a wrong one may refuse a player.
    if (!sessions_url_known_) return apply(sign_in_.received(0, Json()));
    const auto space = pending_step_.call.find(' ');
    Request request = call(pending_step_.call.substr(0, space), sessions_url() + pending_step_.call.substr(space + 1), options_.key,
                           pending_step_.body.write());
    request.headers.emplace_back("Idempotency-Key", sign_in_key_);
    options_.send->start(std::move(request), mailbox_->expect(
                                                 [this](const Response& response) {
                                                   bool valid = false;
                                                   const Json answer = Json::parse(response.body, valid);
                                                   if (response.status == 404) doubt_sessions_url();
                                                   const bool usable = valid && response.status != 404;
                                                   apply(sign_in_.received(usable ? response.status : 0, answer));
                                                 },
                                                 mailbox_));
  }

 public:
  /** The clocks of this step. Also repeats a sign-in whose delay is over. */
  void set_now(std::int64_t wall_ms, std::int64_t now_ms) {
    wall_ms_ = wall_ms;
    now_ms_ = now_ms;
    if (sign_in_waits_ && now_ms >= sign_in_at_ms_) {
      sign_in_waits_ = false;
      send_sign_in();
    }
  }

 private:
  // Requests

  static constexpr std::size_t content_type_at = 3;

  Request call(std::string method, std::string url, const std::string& key, std::string body) const {
    Request request;
    request.method = std::move(method);
    request.url = std::move(url);
    request.headers = {{"X-API-Key", key},
                       {"X-Tickrate-SDK", sdk_name},
                       {"Accept", "application/json"},
                       {"Content-Type", "application/json"}};
    request.body = std::move(body);
    return request;
  }

  void start(Request request, std::function<void(const Response&)> handle) {
    in_flight_ = true;
    options_.send->start(std::move(request), mailbox_->expect(
                                                 [this, handle = std::move(handle)](const Response& response) {
                                                   in_flight_ = false;
                                                   handle(response);
                                                 },
                                                 mailbox_));
  }

  // What developers see

  void explain(const Finding& finding) {
    if (options_.debug) options_.debug->explain(finding);
  }

  void explain_stored(const std::string& stem, const Response& response) {
    std::string contents;
    for (const Segment& segment : store_.segments()) {
      if (segment.stem == stem) store_.read(segment, contents);
    }
    const std::string sent = SegmentReader::read(contents, true).body;
    explain({Problem::stored, {}, {}, &response, sent});
  }

  /** Seconds since 1970 of an HTTP date; 0 if it is none. */
  static std::int64_t parse_date(const std::string& date) {
    static constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    if (date.size() < 29) return 0;
    const auto month = months.find(std::string_view(date).substr(8, 3));
    const auto number = [&date](std::size_t at, std::size_t count) {
      int value = 0;
      std::from_chars(date.data() + at, date.data() + at + count, value);
      return value;
    };
    if (month == std::string_view::npos) return 0;
    const std::int64_t year = number(12, 4) - (month / 3 < 2 ? 1 : 0);
    const std::int64_t from_march = static_cast<std::int64_t>(month / 3 + 10) % 12;
    const std::int64_t days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 + number(5, 2) - 719'469;
    return days * 86'400 + number(17, 2) * 3600 + number(20, 2) * 60 + number(23, 2);
  }

  void compare_clock(const std::string& date) {
    const std::int64_t server = parse_date(date);
    const std::int64_t off = server - wall_ms_ / 1000;
    if (server == 0 || (off < 60 && off > -60)) return;
    explain({Problem::clock, {}, {}, nullptr, {}, off});
  }

  const Options& options_;
  Recorder& recorder_;
  Store& store_;
  LossCounter& losses_;
  std::shared_ptr<Mailbox> mailbox_;
  std::string device_principal_;
  std::string device_account_;
  DeviceToken device_;
  std::string principal_;
  std::vector<LiveSession> sessions_;
  std::string events_url_;
  std::string sessions_url_;
  bool found_ = false;
  bool finding_ = false;
  int find_attempt_ = 0;
  std::int64_t find_again_ms_ = 0;
  /** False while nobody has ever said where sessions are: a guessed address must not sign in. */
  bool sessions_url_known_ = false;
  bool in_flight_ = false;
  bool stopped_ = false;
  std::string sending_stem_;
  int attempt_ = 0;
  std::int64_t not_before_ms_ = 0;
  std::int64_t wall_ms_ = 0;
  std::int64_t now_ms_ = 0;
  SignIn sign_in_;
  SignInAnswered sign_in_answered_;
  SignInStep pending_step_;
  std::string sign_in_key_;
  int sign_in_attempt_ = 0;
  std::int64_t sign_in_at_ms_ = 0;
  bool sign_in_waits_ = false;
};

}  // namespace tickrate::detail


#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
#define TICKRATE_WITHOUT_THREADS 1
#endif

namespace tickrate {

/**
 * Records events in a folder and sends them. Once `track()` has returned true, the event is stored exactly once,
 * whatever ends the game. No call throws. All calls but `poll()` may be made from any thread.
 *
 *   open → track … → (close) → closed
 */
class Client {
 public:
  explicit Client(Options options)
      : options_(std::move(options)), recorder_(options_.folder, options_.tuning, losses_), store_(options_.folder, options_.tuning, losses_),
        courier_(options_, recorder_, store_, losses_) {
    while (!options_.url.empty() && options_.url.back() == '/') options_.url.pop_back();
    open();
#if !defined(TICKRATE_WITHOUT_THREADS)
    if (options_.threads) thread_ = std::thread([this] { run(); });
#endif
  }
  ~Client() { close(0); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  /** Records a generated event. False if it could not be kept; `losses()` says why. */
  template <class Event>
  bool track(const Event& event) {
    return track(Event::event_type, Event::event_type_version, [&event](Writer& json) { event.write(json); });
  }

  /** Records an event that `write` writes as one JSON object. Version 0 is the newest version of the type. */
  template <class WriteEvent>
  bool track(std::string_view type, std::uint32_t version, WriteEvent&& write) {
    const bool kept = recorder_.track(type, version, now(), write);
    if (recorder_.take_attention()) wake_thread();
    return kept;
  }

  /**
   * Seals and sends, also what other processes left that have ended. True only if nothing of this installation waits any more,
   * except in processes that live. False at once if nothing is sent now. Waits at most so long; do not call it in a frame.
   */
  bool flush(std::int64_t timeout_ms = 1500) {
    const std::int64_t until = detail::system_monotonic_ms() + timeout_ms;
    return (closed_.load() || settle(until)) && drain(until);
  }

  /** Moves everything on, when the client has no thread of its own. Call it each frame: it does a part of the work in each call. */
  void poll() {
    if (!has_thread()) work_shortly();
  }

  /** What the platform calls when the game goes to the background: seals, and sends without being waited for. */
  void background() {
    recorder_.finish_if(true, now().second);
    wake();
  }

  /** What the player allows. `denied` deletes the buffer and this installation's device. */
  void set_consent(Consent consent) {
    post([this, consent] { apply_consent(consent); });
  }
  Consent consent() const { return consent_.load(); }

  /** Signs a player in. `answered` gets each step: a prompt to draw and to `answer()`, the session, or the refusal. */
  void sign_in(Json input, SignInAnswered answered) {
    post([this, input = std::move(input), answered = std::move(answered)] { courier_.sign_in(input, answered); });
  }
  void answer(Json input, SignInAnswered answered) {
    post([this, input = std::move(input), answered = std::move(answered)] { courier_.answer(input, answered); });
  }
  /** Goes back to the device's own account. */
  void sign_out() {
    post([this] { courier_.sign_out(); });
  }

  Losses losses() const { return losses_.all(); }
  /** Events that are recorded and not yet stored by the server. */
  std::uint64_t pending() {
    // In this order: events go from the recorder to the store, and may be counted twice on the way, but never not at all.
    const std::uint64_t unsealed = recorder_.unsealed().first;
    return unsealed + sealed_events_.load();
  }
  /** False: the folder cannot be used. Up to 200 events are kept in memory; on a full disk none, and `track()` returns false. */
  bool durable() { return recorder_.durable(); }

  /** Seals, tries to send for so long, and ends. What is left is sent at the next start. */
  void close(std::int64_t timeout_ms = 1500) {
    if (closed_.exchange(true)) return;
    recorder_.set_closed();
    const std::int64_t until = detail::system_monotonic_ms() + timeout_ms;
    if (timeout_ms > 0 && options_.send && settle(until)) drain(until);
    stop_thread();
    seal(recorder_.take_finished());
    report_losses();
    store_.close();
  }

  /** Moves the wall clock of this client, for tests. */
  void shift_clock(std::int64_t offset_ms) { clock_offset_ms_.store(offset_ms); }

 private:
  detail::Recorder::Now now() const {
    return {detail::system_wall_ms() + clock_offset_ms_.load(std::memory_order_relaxed), detail::system_monotonic_ms()};
  }

  void open() {
    detail::Run::Refusal refusal;
    const bool durable = store_.open(now().first, refusal);
    recorder_.use_run(store_.own(), refusal.fault);
    // A full disk is explained with the first event that it loses.
    if (!durable && refusal.fault != detail::FileFault::disk_full) explain({Problem::folder, options_.folder, refusal.reason});
    if (options_.url.compare(0, 7, "http://") != 0 && options_.url.compare(0, 8, "https://") != 0) explain({Problem::url, options_.url});
    courier_.open();
    const std::string& remembered = store_.state()["consent"].text();
    const bool refused = store_.is_refused() || remembered == "denied";
    Consent consent = options_.consent;
    if (consent == Consent::unknown && remembered == "granted") consent = Consent::granted;
    if (options_.consent == Consent::unknown && refused) consent = Consent::denied;
    if (consent == Consent::unknown) explain({Problem::consent});
    store_.adopt(courier_.device_principal());
    // A process that learned of the refusal too late may have left them.
    if (refused) store_.clear();
    apply_consent(consent);
    publish();
  }

  /** Continues in another run if somebody deleted the folder, or if a full disk has space now. Looks once a second, and before anything is sealed. */
  void keep_run(std::int64_t wall_ms, std::int64_t now_ms) {
    if (now_ms < next_check_ms_ && !recorder_.has_finished()) return;
    recorder_.keep_run(wall_ms);
    const std::uint64_t lost = store_.use_run(recorder_.run(), courier_.sending_stem());
    if (lost == 0) return;
    deleted_ += lost;
    explain({Problem::deleted, options_.folder, {}, nullptr, {}, static_cast<std::int64_t>(lost)});
  }

  /** Switches to a refusal in another process on the same folder. */
  void check_refusal(std::int64_t now_ms) {
    if (now_ms < next_check_ms_) return;
    next_check_ms_ = now_ms + 1000;
    if (consent_.load() == Consent::denied || !store_.is_refused()) return;
    switch_consent(Consent::denied);
    // Whoever refused has saved it, and what this process would save is older.
    store_.reload_state();
  }

  void apply_consent(Consent consent) {
    if (consent != Consent::unknown) store_.set_refused(consent == Consent::denied);
    switch_consent(consent);
    // Again: on a full disk there is room for it only now.
    if (consent == Consent::denied) store_.set_refused(true);
    static constexpr const char* names[] = {"unknown", "granted", "denied"};
    if (store_.state()["consent"].text() != names[static_cast<int>(consent)]) {
      store_.remember("consent", names[static_cast<int>(consent)]);
      store_.write_state();
    }
  }

  void switch_consent(Consent consent) {
    const Consent before = consent_.exchange(consent);
    recorder_.set_consent(consent);
    if (consent == Consent::denied) {
      recorder_.clear();
      store_.clear();
      courier_.forget_requests();
      courier_.forget_device();
    }
    if (consent == Consent::granted) courier_.agree_on_device();
    if (consent == Consent::granted && before == Consent::unknown) recorder_.move_to_folder(now());
  }

  void explain(const Finding& finding) {
    if (options_.debug) options_.debug->explain(finding);
  }

  /** Waits until the client's thread has done what was asked before, and adopted runs unless this is the end. */
  bool settle(std::int64_t until_ms) {
    const std::uint64_t adoption = ++adoptions_asked_;
    post([this] {
      if (!closed_.load() && consent_.load() != Consent::denied) store_.adopt(courier_.device_principal());
      publish();
      ++adoptions_done_;
    });
    while (adoptions_done_.load() < adoption) {
      if (ending_.load() || detail::system_monotonic_ms() >= until_ms) return false;
      work_or_sleep();
    }
    return true;
  }

  /** Seals, and sends what this process holds. */
  bool drain(std::int64_t until_ms) {
    recorder_.finish_if(true, now().second);
    wake();
    for (;;) {
      if (pending() == 0) return true;
      if (!sends_.load() || detail::system_monotonic_ms() >= until_ms) return false;
      work_or_sleep();
    }
  }

  void work_or_sleep() {
    if (has_thread()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    } else {
      work(5);
    }
  }

  // The thread that seals and sends

  void run() {
    while (!ending_.load()) {
      work(50);
      std::unique_lock<std::mutex> lock(wake_mutex_);
      woken_.wait_for(lock, std::chrono::milliseconds(courier_.sending() ? 1 : 50), [this] { return awake_ || ending_.load(); });
      awake_ = false;
    }
  }

  void work(std::int64_t wait_ms) {
    const auto [wall_ms, now_ms] = now();
    check_others(wall_ms, now_ms);
    seal(recorder_.take_finished());
    store_.enforce_bounds(wall_ms, courier_.sending_stem(), recorder_.unsealed().second);
    recorder_.prepare(wall_ms);
    courier_.step(wall_ms, now_ms, consent_.load() == Consent::granted);
    if (options_.send) options_.send->work(courier_.sending() ? wait_ms : 0);
    courier_.step(wall_ms, now_ms, consent_.load() == Consent::granted);
    report_losses();
    publish();
  }

  /** The slow parts of the work, until they took too long for a frame. The next call continues with the next part. */
  void work_shortly() {
    constexpr int parts = 3;
    const auto [wall_ms, now_ms] = now();
    const auto began = std::chrono::steady_clock::now();
    check_others(wall_ms, now_ms);
    store_.enforce_bounds(wall_ms, courier_.sending_stem(), recorder_.unsealed().second);
    for (int done = 0; done < parts && std::chrono::steady_clock::now() - began < std::chrono::microseconds(500); ++done) {
      next_part_ = (next_part_ + 1) % parts;
      if (next_part_ == 0) seal(recorder_.take_due(now_ms));
      if (next_part_ == 1) recorder_.prepare(wall_ms);
      if (next_part_ == 2) {
        if (options_.send) options_.send->work(0);
        courier_.step(wall_ms, now_ms, consent_.load() == Consent::granted);
      }
    }
    report_losses();
    publish();
  }

  /** The game, other processes, and time. */
  void check_others(std::int64_t wall_ms, std::int64_t now_ms) {
    courier_.set_now(wall_ms, now_ms);
    run_posted();
    keep_run(wall_ms, now_ms);
    check_refusal(now_ms);
    recorder_.finish_if(false, now_ms);
  }

  void seal(std::vector<detail::OpenSegment> finished) {
    for (detail::OpenSegment& open : finished) {
      detail::Segment segment;
      segment.run = open.run;
      segment.stem = open.stem;
      segment.key = open.key;
      segment.principal = open.principal;
      segment.base_ms = open.clock.base_ms;
      segment.monotonic_ms = open.clock.monotonic_ms;
      segment.events = open.events;
      if (open.file.memory != nullptr) {
        store_.seal(open.file, open.path(), open.used, std::move(segment));
      } else {
        segment.contents.assign(open.memory.data(), open.used);
        store_.keep(std::move(segment));
      }
    }
    publish();
  }

  void report_losses() {
    const bool news = losses_.take_news([this](Loss reason, std::uint64_t count) {
      if (options_.on_loss) options_.on_loss(reason, count);
      const bool is_storage = reason == Loss::storage && count > std::exchange(deleted_, 0);
      if (is_storage || reason == Loss::disk_full) explain({Problem::lost, options_.folder, name_of(reason)});
    });
    unsaved_ = store_.is_unsaved() || news || unsaved_;
    const std::int64_t now_ms = detail::system_monotonic_ms();
    // On a full disk, again in a second, and at the end.
    if (!unsaved_ || (now_ms < next_save_ms_ && !closed_.load())) return;
    unsaved_ = !store_.write_state();
    next_save_ms_ = unsaved_ ? now_ms + 1000 : 0;
  }

  void publish() {
    sealed_events_.store(store_.events());
    sends_.store(options_.send && consent_.load() == Consent::granted && !courier_.stopped());
    recorder_.took();
  }

  bool has_thread() const {
#if defined(TICKRATE_WITHOUT_THREADS)
    return false;
#else
    return thread_.joinable();
#endif
  }

  void wake_thread() {
    {
      const std::lock_guard<std::mutex> guard(wake_mutex_);
      awake_ = true;
    }
    woken_.notify_one();
  }
  void wake() {
    wake_thread();
    if (options_.send) options_.send->wake();
  }

  void post(std::function<void()> task) {
    {
      const std::lock_guard<std::mutex> guard(posted_mutex_);
      posted_.push_back(std::move(task));
    }
    wake();
  }
  void run_posted() {
    std::vector<std::function<void()>> tasks;
    {
      const std::lock_guard<std::mutex> guard(posted_mutex_);
      tasks.swap(posted_);
    }
    for (const auto& task : tasks) task();
  }

  void stop_thread() {
#if !defined(TICKRATE_WITHOUT_THREADS)
    if (!thread_.joinable()) return;
    ending_.store(true);
    wake();
    thread_.join();
#endif
  }

  Options options_;
  detail::LossCounter losses_;
  detail::Recorder recorder_;
  detail::Store store_;
  detail::Courier courier_;
  std::int64_t next_check_ms_ = 0;
  /** `state.json` lacks something that is known here. */
  bool unsaved_ = false;
  std::int64_t next_save_ms_ = 0;
  /** Of `poll()`: what the last one did last. */
  int next_part_ = 0;
  /** Losses that were explained: somebody deleted the folder. */
  std::uint64_t deleted_ = 0;
  std::atomic<Consent> consent_{Consent::unknown};
  std::atomic<std::uint64_t> sealed_events_{0};
  std::atomic<bool> sends_{false};
  std::atomic<std::uint64_t> adoptions_asked_{0};
  std::atomic<std::uint64_t> adoptions_done_{0};
  std::atomic<std::int64_t> clock_offset_ms_{0};
  std::atomic<bool> closed_{false};
  std::atomic<bool> ending_{false};
  std::mutex wake_mutex_;
  std::condition_variable woken_;
  bool awake_ = false;
  std::mutex posted_mutex_;
  std::vector<std::function<void()>> posted_;
#if !defined(TICKRATE_WITHOUT_THREADS)
  std::thread thread_;
#endif
};

}  // namespace tickrate

// What developers see: each mistake once, with what to do. A game that never calls `explain_to` contains none of this.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>




namespace tickrate {
namespace detail {

class TextExplainer final : public Explainer {
 public:
  explicit TextExplainer(std::function<void(const std::string&)> say) : say_(std::move(say)) {}

  void explain(const Finding& finding) override {
    const std::string place(finding.place);
    switch (finding.problem) {
      case Problem::folder:
        return say("folder", "Cannot write the folder '" + place + "': " + std::string(finding.reason) + ". Up to 200 events are kept in memory.");
      case Problem::lost:
        return say("lost", "Events are lost (" + std::string(finding.reason) + "): the folder '" + place + "' cannot be used, and `track` returns false. " +
                               "Check the free space and the folder.");
      case Problem::url:
        return say("url", "The option `url` is '" + place + "': it must be the address of the gateway, with http:// or https://.");
      case Problem::consent:
        return say("consent", "The consent is unknown: nothing is sent, and up to 200 events are kept in memory, until the game calls `set_consent` or "
                              "sets the option `consent`.");
      case Problem::deleted:
        return say("deleted", "Somebody deleted the folder '" + place + "' while the game runs, and " + std::to_string(finding.amount) +
                                  " events with it. Leave the folder alone.");
      case Problem::unreachable: return unreachable(place, *finding.response);
      case Problem::sessions:
        return say("sessions", place + " has no sign-in (404): check the option `url`. If sessions have another address, set the option "
                               "`sessions_url`, or SESSIONS_URL on the server.");
      case Problem::device:
        return say("device", "The server no longer accepts this installation's device token; it signs in as a new device.");
      case Problem::clock:
        return say("clock", "This device's clock is " + std::to_string(finding.amount < 0 ? -finding.amount : finding.amount) + " s " +
                                (finding.amount < 0 ? "ahead of" : "behind") + " the server's: set it. Event times are corrected.");
      case Problem::proxy:
        return say("proxy", "A proxy in front of the gateway refuses the size of a request: let it accept at least 1 MiB "
                            "(nginx: client_max_body_size). Until then these events wait.");
      case Problem::too_large: return say("413", "An event is larger than the server accepts; it was dropped.");
      case Problem::refused: return refused(*finding.response);
      case Problem::stopped: return stopped(finding);
      case Problem::stored: return stored(*finding.response, finding.sent);
    }
  }

 private:
  void say(const std::string& topic, const std::string& text) {
    if (std::find(said_.begin(), said_.end(), topic) != said_.end()) return;
    said_.push_back(topic);
    say_("tickrate: " + text);
  }

  static Json parsed(std::string_view text) {
    bool valid = false;
    return Json::parse(text, valid);
  }

  void unreachable(const std::string& place, const Response& response) {
    const Json body = parsed(response.body);
    // A refusal in the server's own words, for example that it is overloaded.
    if (body["code"].is_integer()) return;
    const std::string reason = response.reason.empty() ? std::string() : " (" + response.reason + ")";
    const std::string found = response.status == 0 ? "No answer from " + place + reason
                                                   : place + " answered with status " + std::to_string(response.status) + ", but not as Tickrate does";
    say("unreachable " + place, found + ": check the option `url`, and whether the server runs. Events wait in the buffer.");
  }

  void refused(const Response& response) {
    const Json body = parsed(response.body);
    const std::int64_t code = body["code"].integer();
    const std::string& message = body["message"].text();
    const std::string what = code == 0 ? "status " + std::to_string(response.status) : "code " + std::to_string(code);
    say("refused " + what, "The server refused a segment with " + what + (message.empty() ? "" : " (" + message + ")") + ". It is in the folder aside/." +
                               (code == 0 ? " Check the option `url`: no answer of Tickrate has no code." : ""));
  }

  void stopped(const Finding& finding) {
    const std::int64_t code = parsed(finding.response->body)["code"].integer();
    const std::string_view begin = finding.place.substr(0, 7);
    const std::string kind = finding.place.empty() ? "is empty"
                             : begin == "tk_pub_"  ? "holds a public key"
                             : begin == "tk_adm_"  ? "holds an administrative key"
                             : begin == "tk_ses_"  ? "holds the key of a session"
                                                   : "holds no key of Tickrate";
    std::string advice = "it must be a public key (tk_pub_…) of this project";
    if (code == 2006) advice = "it lacks a scope; a public key (tk_pub_…) has those that a game needs";
    if (code == 2007) advice = "it lists allowed web origins, and this is none of them";
    say("stopped " + std::to_string(code), "Cannot " + std::string(finding.reason) + " (" + std::to_string(code) + "): the option `key` " + kind + "; " +
                                               advice + ". Events are buffered until the next start.");
  }

  /** Names the event of each rejection by its line in what was sent. */
  void stored(const Response& response, std::string_view sent) {
    const Json body = parsed(response.body);
    std::int64_t line = 0;
    for (const Json& rejected : body["rejected"].elements()) {
      const std::int64_t index = rejected["index"].integer(-1);
      for (; line < index && !sent.empty(); ++line) sent.remove_prefix(std::min(sent.find('\n'), sent.size() - 1) + 1);
      const Json event = line == index ? parsed(sent.substr(0, sent.find('\n'))) : Json();
      const std::int64_t version = event["eventTypeVersion"].integer();
      const std::string type = event["eventType"].text() + ", " + (version == 0 ? "newest version" : "version " + std::to_string(version));
      for (const Json& error : rejected["errors"].elements()) {
        // Without the position of the event in its request.
        const std::string& location = error["location"].text();
        const auto slash = location.find('/', 1);
        const std::string text = (slash == std::string::npos ? location : location.substr(slash)) + " " + error["message"].text();
        say("rejected " + type + text, "An event of type " + type + " was rejected: " + text +
                                           ". Compare it with its declaration, or declare it with `tickrate event-types declare`.");
      }
    }
    for (const Json& notice : body["notices"].elements()) {
      if (notice["notice"].text() != "occurredClamped") continue;
      say("clamped", std::to_string(notice["count"].integer()) + " events were older than 30 days; their times were limited.");
    }
  }

  std::function<void(const std::string&)> say_;
  std::vector<std::string> said_;
};

}  // namespace detail

/** For `Options::debug`: calls `say` once for each kind of mistake, with what to do. Leave it out of builds for players. */
inline std::shared_ptr<Explainer> explain_to(std::function<void(const std::string&)> say) {
  return std::make_shared<detail::TextExplainer>(std::move(say));
}

}  // namespace tickrate
