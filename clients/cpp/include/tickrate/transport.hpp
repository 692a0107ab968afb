// How requests leave the game. A transport is chosen by the game; see the folder transports/.
#pragma once
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
