// The client: what a game opens once and calls.
#pragma once
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

#include "courier.hpp"

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

  void seal(std::vector<detail::Segment> finished) {
    for (detail::Segment& segment : finished) store_.seal(std::move(segment));
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
