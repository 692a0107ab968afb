// The driver for clients/conformance: commands as lines of JSON on stdin, answers on stdout.
#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "plain_http.hpp"
#include "tickrate.hpp"

using tickrate::Json;

namespace {

/** Counts allocations, to show that `track` makes none. */
std::atomic<std::uint64_t> allocations{0};

class Driver {
 public:
  explicit Driver(Json texts) : texts_(std::move(texts)) {}

  /** The answer, without `id`. */
  Json run(const Json& command) {
    const std::string& what = command["do"].text();
    if (what == "open") return open(command);
    if (what == "clock") return shift_clock(command["offsetMs"].integer());
    if (!client_) return failed("open first");
    if (what == "track") return track(command);
    if (what == "flush") return ok({{"sent", client_->flush(command["timeoutMs"].integer(1500))}});
    if (what == "pending") return ok({{"events", Json(client_->pending())}});
    if (what == "losses") return losses();
    if (what == "consent") return consent(command["state"].text());
    if (what == "signIn" || what == "answer") return sign_in(what == "answer", command["input"]);
    if (what == "signOut") return client_->sign_out(), settle();
    if (what == "background") return client_->background(), ok({});
    if (what == "frames") return frames(command);
    if (what == "close") return client_->close(command["timeoutMs"].integer(1500)), ok({});
    return failed("unknown command " + what);
  }

 private:
  static Json ok(std::vector<Json::Member> members) {
    members.insert(members.begin(), {"ok", Json(true)});
    return Json::object(std::move(members));
  }
  static Json failed(const std::string& error) { return Json::object({{"ok", Json(false)}, {"error", error}}); }
  static void say(const Json& line) {
    const std::string text = line.write() + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  }

  Json open(const Json& command) {
    client_.reset();
    run_ = command["run"].text();
    tickrate::Options options;
    options.url = command["url"].text();
    options.key = command["key"].text();
    options.folder = command["folder"].text();
    options.send = tickrate::plain_http_transport();
    options.principal = command["principal"].text() == "key" ? tickrate::Principal::key : tickrate::Principal::device;
    options.consent = consent_of(command["consent"].text());
    options.debug = tickrate::explain_to([](const std::string& text) { std::cerr << text << "\n"; });
    const Json& tuning = command["tuning"];
    tickrate::Tuning& to = options.tuning;
    to.seal_after_ms = tuning["sealAfterMs"].integer(to.seal_after_ms);
    to.seal_bytes = static_cast<std::size_t>(tuning["sealBytes"].integer(static_cast<std::int64_t>(to.seal_bytes)));
    to.seal_events = static_cast<std::size_t>(tuning["sealEvents"].integer(static_cast<std::int64_t>(to.seal_events)));
    to.buffer_bytes = static_cast<std::uint64_t>(tuning["bufferBytes"].integer(static_cast<std::int64_t>(to.buffer_bytes)));
    to.backoff_from_ms = tuning["backoffFromMs"].integer(to.backoff_from_ms);
    to.backoff_to_ms = tuning["backoffToMs"].integer(to.backoff_to_ms);
    to.max_age_ms = tuning["maxAgeMs"].integer(to.max_age_ms);
    client_ = std::make_unique<tickrate::Client>(std::move(options));
    client_->shift_clock(offset_ms_);
    return ok({});
  }

  Json shift_clock(std::int64_t offset_ms) {
    offset_ms_ = offset_ms;
    if (client_) client_->shift_clock(offset_ms);
    return ok({});
  }

  static tickrate::Consent consent_of(const std::string& name) {
    return name == "denied" ? tickrate::Consent::denied : name == "unknown" ? tickrate::Consent::unknown : tickrate::Consent::granted;
  }

  bool track_one(std::int64_t n, const std::string& padding) {
    return client_->track("conformance", 1, [&](tickrate::Writer& json) {
      json.begin_object();
      json.member("run", std::string_view(run_));
      json.member("n", n);
      json.member("text", std::string_view(texts_.elements()[static_cast<std::size_t>(n % 8)].text() + padding));
      json.member("ratio", static_cast<double>(n) / 4);
      json.member("big", 9007199254740000 + n % 900);
      json.member("flag", n % 2 == 0);
      json.member("list", std::array<std::int64_t, 2>{n % 3, n % 5});
      json.end_object();
    });
  }

  Json track(const Json& command) {
    const std::int64_t from = command["from"].integer();
    const std::string padding(static_cast<std::size_t>(command["padding"].integer()), 'x');
    for (std::int64_t n = from; n < from + command["count"].integer(); ++n) {
      const bool kept = track_one(n, padding);
      say(Json::object({{kept ? "tracked" : "refused", Json(n)}}));
    }
    return ok({});
  }

  Json losses() {
    Json counts = Json::object();
    const tickrate::Losses losses = client_->losses();
    for (std::size_t i = 0; i < tickrate::loss_reasons; ++i) {
      const auto reason = static_cast<tickrate::Loss>(i);
      if (losses[reason] > 0) counts.set(tickrate::name_of(reason), Json(losses[reason]));
    }
    return ok({{"losses", counts}});
  }

  Json consent(const std::string& name) {
    client_->set_consent(consent_of(name));
    while (client_->consent() != consent_of(name)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return ok({});
  }

  /** Waits until the client's thread has done what was asked before. */
  Json settle() {
    client_->flush(0);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    return ok({});
  }

  Json sign_in(bool answers, const Json& input) {
    struct Waiting {
      std::mutex mutex;
      std::condition_variable arrived;
      std::optional<tickrate::SignInStep> step;
    };
    const auto waiting = std::make_shared<Waiting>();
    const auto answered = [waiting](const tickrate::SignInStep& step) {
      const std::lock_guard<std::mutex> guard(waiting->mutex);
      waiting->step = step;
      waiting->arrived.notify_one();
    };
    if (answers) {
      client_->answer(input, answered);
    } else {
      client_->sign_in(input, answered);
    }
    std::unique_lock<std::mutex> lock(waiting->mutex);
    if (!waiting->arrived.wait_for(lock, std::chrono::seconds(60), [&] { return waiting->step.has_value(); })) return failed("no answer");
    const tickrate::SignInStep& step = *waiting->step;
    if (step.kind == tickrate::SignInStep::Kind::session) return ok({{"account", step.session.account}});
    Json result = ok({{"prompt", step.prompt}, {"options", step.options}});
    if (step.error.code != 0 || !step.error.message.empty()) {
      result.set("error", Json::object({{"code", Json(step.error.code)}, {"message", step.error.message}}));
    }
    return step.kind == tickrate::SignInStep::Kind::prompt ? result : failed(result.write());
  }

  Json frames(const Json& command) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times, frame_times;
    const std::int64_t count = command["count"].integer(), per_frame = command["perFrame"].integer();
    times.reserve(static_cast<std::size_t>(count * per_frame));
    std::uint64_t allocated = 0;
    for (std::int64_t frame = 0; frame < count; ++frame) {
      const auto began = Clock::now();
      for (std::int64_t i = 0; i < per_frame; ++i) {
        const std::uint64_t before = allocations.load();
        const auto from = Clock::now();
        client_->track("level_up", 1, [&](tickrate::Writer& json) {
          json.begin_object();
          json.member("level", frame);
          json.member("character", "ranger");
          json.end_object();
        });
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - from).count());
        allocated += allocations.load() - before;
      }
      client_->poll();
      frame_times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::sort(times.begin(), times.end());
    std::sort(frame_times.begin(), frame_times.end());
    const auto at = [](const std::vector<double>& sorted, double share) {
      return std::to_string(sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))]);
    };
    bool valid = false;
    return Json::parse("{\"ok\":true,\"p50us\":" + at(times, 0.5) + ",\"p99us\":" + at(times, 0.99) + ",\"frameP50us\":" + at(frame_times, 0.5) +
                           ",\"frameP99us\":" + at(frame_times, 0.99) + ",\"allocated\":" + std::to_string(allocated) + "}", valid);
  }

  Json texts_;
  std::string run_;
  std::int64_t offset_ms_ = 0;
  std::unique_ptr<tickrate::Client> client_;
};

}  // namespace

// Only this thread's allocations count: the client's own thread may allocate.
static thread_local bool counted = false;
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif
APART void* operator new(std::size_t size) {
  if (counted) allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  std::abort();
}
APART void operator delete(void* memory) noexcept { std::free(memory); }
APART void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

/** `driver EVENTS_JSON`: the file of test vectors with the texts. */
int main(int count, char** arguments) {
  std::string text;
  bool valid = false;
  if (count != 2 || !tickrate::detail::read_file(arguments[1], text)) return 2;
  Driver driver(Json::parse(text, valid)["texts"]);
  counted = true;
  for (std::string line; std::getline(std::cin, line);) {
    const Json command = Json::parse(line, valid);
    Json answer = driver.run(command);
    answer.set("id", command["id"]);
    const std::string out = answer.write() + "\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
  // As a killed game ends: nothing is closed.
  std::_Exit(0);
}
