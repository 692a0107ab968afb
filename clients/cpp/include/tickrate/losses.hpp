// Counts what the buffer could not keep, by reason.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "json.hpp"
#include "options.hpp"

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
