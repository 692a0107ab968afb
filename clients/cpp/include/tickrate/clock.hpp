// Two clocks: the wall clock says when a segment begins, the monotonic clock says what passed since.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>

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
