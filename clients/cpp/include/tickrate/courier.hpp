// The side of the network: sessions, one request at a time, and what follows from each answer.
#pragma once
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "answers.hpp"
#include "options.hpp"
#include "recorder.hpp"
#include "sign_in.hpp"
#include "store.hpp"

namespace tickrate::detail {

inline constexpr const char* sdk_name = "cpp/0.1.0";
/** The server refuses bodies that shrink more. */
inline constexpr std::size_t max_shrinking = 100;

/** Answers that arrive from the transport, in whichever thread. Outlives the client that asked. */
class Mailbox : public std::enable_shared_from_this<Mailbox> {
 public:
  std::function<void(Response)> expect(std::function<void(const Response&)> handle) {
    return [handle = std::move(handle), self = shared_from_this()](Response response) {
      const std::lock_guard<std::mutex> guard(self->mutex_);
      if (!self->closed_) self->arrived_.emplace_back(handle, std::move(response));
    };
  }
  void deliver() {
    std::vector<std::pair<std::function<void(const Response&)>, Response>> arrived;
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      arrived.swap(arrived_);
    }
    for (auto& [handle, response] : arrived) handle(response);
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
    if (store_.state().has("device") || store_.state().has("deviceKey")) return;
    store_.agree();
    read_device();
  }

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
  struct LiveSession {
    Session session;
    bool of_device = false;
    std::int64_t renew_at_ms = 0;  // monotonic
  };

  void read_device() {
    const std::string former = std::exchange(device_principal_, "device:" + store_.state()["installation"].text());
    if (principal_ == former) sign_out();
  }

  // Addresses

  void find_addresses() {
    finding_ = true;
    Request request;
    request.method = "GET";
    request.url = options_.url + "/.well-known/tickrate";
    request.timeout_ms = 10'000;
    options_.send->start(std::move(request), mailbox_->expect([this](const Response& response) { found_addresses(response); }));
  }

  void found_addresses(const Response& response) {
    finding_ = false;
    const Verdict verdict = judge(response);
    const Json& body = verdict.body;
    const bool described = response.status == 200 && body["protocol"].is_integer();
    found_ = described || (is_final(response.status) && verdict.code != 0);
    if (described) {
      Json remembered = Json::object({{"of", options_.url}, {"events", body["events"].text()}, {"sessions", body["sessions"].text()}});
      if (store_.state()["addresses"] != remembered) store_.remember("addresses", std::move(remembered));
    } else if (found_) {
      forget_addresses();
    } else {
      find_again_ms_ = now_ms_ + backoff_ms(find_attempt_++, random_fraction(), options_.tuning);
      explain({Problem::unreachable, options_.url, {}, &response});
    }
    const Json& known = store_.state()["addresses"];
    if (found_ || known.is_object()) {
      sessions_url_known_ = true;
      events_url_ = known["events"].text();
      if (options_.sessions_url.empty()) sessions_url_ = known["sessions"].text();
    }
    compare_clock(response.date);
  }

  void forget_addresses() {
    if (store_.state()["addresses"].is_object()) store_.remember("addresses", Json());
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
      const Json& expiry = verdict.body["expiry"];
      const std::int64_t date = parse_date(response.date);
      const std::int64_t left = expiry.integer() - (date != 0 ? date : wall_ms_ / 1000);
      for (LiveSession& live : sessions_) {
        if (live.session.key == key && expiry.is_integer()) live.renew_at_ms = now_ms_ + std::max<std::int64_t>(30, left) * 800;
      }
    } else if (verdict.action == Action::sign_in || verdict.action == Action::stop) {
      drop_session(key);
    }
  }

  void sign_device_in() {
    if (!sessions_url_known_) return;
    const Json& known = store_.state()["device"];
    const bool is_known = !known["deviceId"].text().empty();
    const Json token = is_known ? known : Json::object({{"deviceId", "new"}});
    const Json body = Json::object({{"tokens", Json::object({{"deviceTokens", Json::array({token})}})}});
    // The key of "new" outlives the process: a lost answer must not make a second account.
    std::string key = is_known ? random_hex(32) : store_.state()["deviceKey"].text();
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
    const Verdict verdict = judge(response);
    const SignInStep step = SignIn{}.received(response.status, verdict.body);
    if (step.kind == SignInStep::Kind::session) {
      const DeviceToken& device = step.device;
      if (!device.id.empty()) store_.remember("device", Json::object({{"deviceId", device.id}, {"deviceSecret", device.secret}}));
      store_.remember("deviceAccount", step.session.account);
      store_.remember("deviceKey", Json());
      store_.write_state();
      keep_session(step.session, true, now_ms_);
      return;
    }
    if (response.status == 404) {
      doubt_sessions_url();
      return wait(Verdict{});
    }
    const bool resend = step.kind == SignInStep::Kind::resend;
    if (resend || (verdict.code == 0 && step.kind != SignInStep::Kind::prompt)) {
      explain({Problem::unreachable, sessions_url(), {}, &response});
      // What a proxy answered is like no answer.
      return wait(resend ? verdict : Verdict{});
    }
    if (verdict.code == 4002 || verdict.code == 4003) {
      // The server does not know this device any more: its events go on under a new account.
      explain({Problem::device});
      const Json& device = store_.state()["device"]["deviceId"];
      const std::string refused = (device.text().empty() ? store_.state()["deviceKey"] : device).text();
      store_.forget_device();
      store_.agree(refused);
      read_device();
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
    Request request = call("PUT", events_url() + "/v1/event/multiInsert", key, SegmentContents::read(contents, true).body);
    request.headers.emplace_back("Idempotency-Key", segment.key);
    const std::int64_t client_ms = segment.clock.monotonic_ms < 0 ? wall_ms : segment.clock.at(now_ms);
    request.headers.emplace_back("X-Client-Time", std::to_string(client_ms));
    const std::string traceparent = options_.traceparent ? options_.traceparent() : "";
    if (traceparent.size() == 55) request.headers.emplace_back("traceparent", traceparent);
    request.headers[content_type_at].second = "application/x-ndjson";
    std::string packed;
    if (options_.gzip != nullptr && options_.gzip(request.body, packed) && packed.size() < request.body.size() &&
        packed.size() * max_shrinking > request.body.size()) {
      request.body = std::move(packed);
      request.headers.emplace_back("Content-Encoding", "gzip");
    }
    sending_stem_ = segment.stem;
    start(std::move(request), [this, segment, key](const Response& response) {
      sending_stem_.clear();
      handle_answer(segment, key, response);
    });
  }

  /** `segment` as it was when it was sent. */
  void handle_answer(const Segment& segment, const std::string& key, const Response& response) {
    const Verdict verdict = judge(response);
    compare_clock(response.date);
    switch (verdict.action) {
      case Action::remove:
        attempt_ = 0;
        if (verdict.rejected > 0) losses_.add(Loss::rejected, verdict.rejected);
        if (options_.debug) explain_stored(segment, response);
        count_from_memory(segment);
        return store_.remove(segment.stem);
      case Action::split:
        if (segment.events > 1) {
          if (!store_.split(segment.stem)) wait(Verdict{});
          return;
        }
        losses_.add(Loss::rejected, segment.events);
        explain({Problem::too_large});
        count_from_memory(segment);
        return store_.remove(segment.stem);
      case Action::set_aside:
        losses_.add(Loss::refused, segment.events);
        explain({Problem::refused, {}, {}, &response});
        count_from_memory(segment);
        return store_.set_aside(segment.stem);
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

  void count_from_memory(const Segment& segment) {
    if (!segment.run) recorder_.count_sent_from_memory(segment.events);
  }

  void wait(const Verdict& verdict) {
    not_before_ms_ = now_ms_ + delay_ms(verdict, attempt_, random_fraction(), options_.tuning);
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
                       backoff_ms(sign_in_attempt_++, random_fraction(), options_.tuning);
      sign_in_waits_ = true;
      return;
    }
    if (step.kind == SignInStep::Kind::session) {
      const bool of_device = step.session.account == store_.state()["deviceAccount"].text();
      keep_session(step.session, of_device, now_ms_);
      principal_ = of_device ? device_principal_ : "account:" + step.session.account;
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
    options_.send->start(std::move(request), mailbox_->expect([this](const Response& response) {
      bool valid = false;
      const Json answer = Json::parse(response.body, valid);
      if (response.status == 404) doubt_sessions_url();
      const bool usable = valid && response.status != 404;
      apply(sign_in_.received(usable ? response.status : 0, answer));
    }));
  }

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
    options_.send->start(std::move(request), mailbox_->expect([this, handle = std::move(handle)](const Response& response) {
      in_flight_ = false;
      handle(response);
    }));
  }

  // What developers see

  void explain(const Finding& finding) {
    if (options_.debug) options_.debug->explain(finding);
  }

  void explain_stored(const Segment& segment, const Response& response) {
    std::string contents;
    store_.read(segment, contents);
    const std::string sent = SegmentContents::read(contents, true).body;
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
