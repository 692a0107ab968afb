// What a client does on each answer: the table of docs/clients.md.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "json.hpp"
#include "options.hpp"

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

/** Full jitter: attempt 0 waits up to a second, each further one up to twice as long. `random` is from 0 to below 1. */
inline std::int64_t backoff_ms(int attempt, double random, const Tuning& tuning) {
  const double bound =
      std::min(static_cast<double>(tuning.backoff_to_ms), static_cast<double>(tuning.backoff_from_ms) * std::ldexp(1.0, std::min(attempt, 40)));
  return static_cast<std::int64_t>(std::floor(random * bound));
}

/** How long to wait before the next request, of the actions that wait. */
inline std::int64_t delay_ms(const Verdict& verdict, int attempt, double random, const Tuning& tuning) {
  const auto asked = static_cast<std::int64_t>(verdict.wait_seconds * 1000);
  if (verdict.action == Action::pause) return asked + static_cast<std::int64_t>(std::floor(random * 3'600'000));
  if (verdict.action == Action::wait) return asked + backoff_ms(0, random, tuning);
  return backoff_ms(attempt, random, tuning);
}

}  // namespace tickrate::detail
