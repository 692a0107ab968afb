// The side of the game: writes events into the open segment, in microseconds and without allocating.
#pragma once
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "losses.hpp"
#include "run.hpp"
#include "segment.hpp"

namespace tickrate::detail {

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
    if (always || monotonic_ms - open_.clock.monotonic_ms >= tuning_.seal_after_ms) finish();
  }

  /** The segments that wait to be sealed. */
  std::vector<Segment> take_finished() {
    std::vector<Segment> taken;
    taken.reserve(64);
    const std::lock_guard<std::mutex> guard(mutex_);
    if (consent_ == Consent::granted) taken.swap(finished_);
    count_sealing(taken);
    return taken;
  }
  /** The oldest of them, a frame after this began to write its file; and those beyond eight, so that they do not pile up: fewer in a small buffer. */
  std::vector<Segment> take_due(std::int64_t monotonic_ms) {
    const std::size_t most_waiting = std::min<std::size_t>(8, static_cast<std::size_t>(tuning_.buffer_bytes / 4 / std::max<std::size_t>(1, tuning_.seal_bytes)));
    constexpr std::int64_t frame_ms = 15;
    std::vector<Segment> taken;
    MappedFile begun;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (consent_ != Consent::granted || finished_.empty()) return taken;
      Segment& oldest = finished_.front();
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
    Segment spare;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (spare_.valid() || !run_ || closed_ || consent_ != Consent::granted || !name(spare, wall_ms)) return;
      spare.run = run_;
    }
    if (create_mapped(spare.open_path(), file_size(), spare.file) != FileFault::none) return;
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
    finish();
    for (Segment& segment : finished_) {
      if (segment.file.memory == nullptr) copy_to_file(segment, now);
    }
  }

  /** Forgets everything that is not sealed. Files are closed and deleted. */
  void clear() {
    const std::lock_guard<std::mutex> guard(mutex_);
    for (Segment& segment : finished_) discard(segment);
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
    std::pair<std::uint64_t, std::uint64_t> sum{open_.events + sealing_.first, open_.bytes + sealing_.second};
    for (const Segment& segment : finished_) {
      sum.first += segment.events;
      sum.second += segment.bytes;
    }
    return sum;
  }

 private:
  enum class Outcome { good, no_room, too_large, invalid };
  static constexpr std::uint32_t max_in_memory = 200;

  void count_sealing(const std::vector<Segment>& taken) {
    for (const Segment& segment : taken) {
      sealing_.first += segment.events;
      sealing_.second += segment.bytes;
    }
  }

  bool count_loss(Loss reason) {
    losses_.add(reason);
    return false;
  }

  bool full() const {
    return open_.bytes >= tuning_.seal_bytes || open_.events >= std::min(tuning_.seal_events, max_segment_events);
  }
  std::size_t file_size() const { return std::min(max_segment_bytes, tuning_.seal_bytes + max_event_bytes + 4096); }

  /** False if the system has no random numbers to give. */
  bool name(Segment& segment, std::int64_t wall_ms) {
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
    open_ = Segment{};
  }

  /** Ends the open segment and begins another. */
  bool renew(Now now) {
    finish();
    if (spare_.valid()) {
      open_ = std::move(spare_);
      spare_ = Segment{};
      wants_attention_.store(true, std::memory_order_relaxed);
    } else if (now.second < next_attempt_ms_ || !create(now.first)) {
      // On a full disk the game does not ask the file system again for each event.
      if (now.second >= next_attempt_ms_) next_attempt_ms_ = now.second + 1000;
      return count_loss(storage_loss_);
    }
    open_.principal = principal_;
    open_.clock = ClockBase{now.first, now.second};
    return write_header();
  }

  bool create(std::int64_t wall_ms) {
    Segment next;
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
      next.contents.assign(file_size(), '\0');
    }
    open_ = std::move(next);
    return true;
  }

  FileFault create_file(Segment& segment, std::size_t size) {
    segment.run = run_;
    return create_mapped(segment.open_path(), size, segment.file);
  }

  bool write_header() {
    constexpr std::size_t most = 256;
    Writer writer(open_.data() + 9, open_.data() + 9 + most);
    writer.begin_object();
    writer.member("tickrate", 1);
    writer.member("principal", std::string_view(open_.principal));
    writer.member("base", open_.clock.base_ms);
    writer.end_object();
    if (!writer.ok()) return false;
    complete_line(writer.size());
    return true;
  }

  template <class WriteEvent>
  Outcome append(std::string_view type, std::uint32_t version, Now now, WriteEvent& write_event) {
    char* const line = open_.data() + open_.bytes;
    const std::size_t room = open_.size() - open_.bytes;
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
    char* const line = open_.data() + open_.bytes;
    line[8] = ' ';
    line[9 + json_size] = '\n';
    write_hex32(line, crc32(line + 9, json_size));
    open_.bytes += json_size + line_overhead;
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

  void copy_to_file(Segment& segment, Now now) {
    Segment filed = segment;
    if (!name(filed, now.first) || create_file(filed, segment.size()) != FileFault::none) return;
    std::memcpy(filed.file.memory, segment.data(), segment.bytes);
    filed.contents.clear();
    in_memory_ -= std::min(in_memory_, segment.events);
    segment = std::move(filed);
  }

  void discard(Segment& segment) {
    if (segment.file.memory != nullptr) {
      close_mapped(segment.file, 0, false);
      remove_file(segment.open_path());
    }
    segment = Segment{};
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
  Segment open_;
  Segment spare_;
  std::vector<Segment> finished_;
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
