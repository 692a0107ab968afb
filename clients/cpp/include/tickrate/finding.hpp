// What goes wrong that a developer can mend.
#pragma once
#include <cstdint>
#include <string_view>

#include "transport.hpp"

namespace tickrate {

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

}  // namespace tickrate
