// What a game sets, and what it hears back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "transport.hpp"

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

/** What goes wrong that a developer can mend. */
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
  /** The `traceparent` (W3C Trace Context) to send with a request of events, if the game has one. Called as `on_loss` is. */
  std::function<std::string()> traceparent = {};
  Tuning tuning = {};
};

}  // namespace tickrate
