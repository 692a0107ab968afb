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

  Json write() const {
    Json json = Json::object();
    const Losses now = all();
    for (std::size_t i = 0; i < loss_reasons; ++i) {
      if (now.counts[i] > 0) json.set(name_of(static_cast<Loss>(i)), Json(now.counts[i]));
    }
    return json;
  }
  /** Adds the counts of an earlier start, which are not news. */
  void restore(const Json& json) {
    for (std::size_t i = 0; i < loss_reasons; ++i) {
      const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(0, json[name_of(static_cast<Loss>(i))].integer()));
      counts_[i].fetch_add(count, std::memory_order_relaxed);
      reported_.counts[i] += count;
    }
  }

 private:
  std::array<std::atomic<std::uint64_t>, loss_reasons> counts_{};
  Losses reported_;
};

}  // namespace detail
}  // namespace tickrate
