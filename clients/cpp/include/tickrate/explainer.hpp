// What developers see: each mistake once, with what to do. A game that never calls `explain_to` contains none of this.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json.hpp"
#include "options.hpp"

namespace tickrate {
namespace detail {

class TextExplainer final : public Explainer {
 public:
  explicit TextExplainer(std::function<void(const std::string&)> say) : say_(std::move(say)) {}

  void explain(const Finding& finding) override {
    const std::string place(finding.place);
    switch (finding.problem) {
      case Problem::folder:
        return say("folder", "Cannot write the folder '" + place + "': " + std::string(finding.reason) + ". Up to 200 events are kept in memory.");
      case Problem::lost:
        return say("lost", "Events are lost (" + std::string(finding.reason) + "): the folder '" + place + "' cannot be used, and `track` returns false. " +
                               "Check the free space and the folder.");
      case Problem::url:
        return say("url", "The option `url` is '" + place + "': it must be the address of the gateway, with http:// or https://.");
      case Problem::consent:
        return say("consent", "The consent is unknown: nothing is sent, and up to 200 events are kept in memory, until the game calls `set_consent` or "
                              "sets the option `consent`.");
      case Problem::deleted:
        return say("deleted", "Somebody deleted the folder '" + place + "' while the game runs, and " + std::to_string(finding.amount) +
                                  " events with it. Leave the folder alone.");
      case Problem::unreachable: return unreachable(place, *finding.response);
      case Problem::sessions:
        return say("sessions", place + " has no sign-in (404): check the option `url`. If sessions have another address, set the option "
                               "`sessions_url`, or SESSIONS_URL on the server.");
      case Problem::device:
        return say("device", "The server no longer accepts this installation's device token; it signs in as a new device.");
      case Problem::clock:
        return say("clock", "This device's clock is " + std::to_string(finding.amount < 0 ? -finding.amount : finding.amount) + " s " +
                                (finding.amount < 0 ? "ahead of" : "behind") + " the server's: set it. Event times are corrected.");
      case Problem::proxy:
        return say("proxy", "A proxy in front of the gateway refuses the size of a request: let it accept at least 1 MiB "
                            "(nginx: client_max_body_size). Until then these events wait.");
      case Problem::too_large: return say("413", "An event is larger than the server accepts; it was dropped.");
      case Problem::refused: return refused(*finding.response);
      case Problem::stopped: return stopped(finding);
      case Problem::stored: return stored(*finding.response, finding.sent);
    }
  }

 private:
  void say(const std::string& topic, const std::string& text) {
    if (std::find(said_.begin(), said_.end(), topic) != said_.end()) return;
    said_.push_back(topic);
    say_("tickrate: " + text);
  }

  static Json parsed(std::string_view text) {
    bool valid = false;
    return Json::parse(text, valid);
  }

  void unreachable(const std::string& place, const Response& response) {
    const Json body = parsed(response.body);
    // A refusal in the server's own words, for example that it is overloaded.
    if (body["code"].is_integer()) return;
    const std::string reason = response.reason.empty() ? std::string() : " (" + response.reason + ")";
    const std::string found = response.status == 0 ? "No answer from " + place + reason
                                                   : place + " answered with status " + std::to_string(response.status) + ", but not as Tickrate does";
    say("unreachable " + place, found + ": check the option `url`, and whether the server runs. Events wait in the buffer.");
  }

  void refused(const Response& response) {
    const Json body = parsed(response.body);
    const std::int64_t code = body["code"].integer();
    const std::string& message = body["message"].text();
    const std::string what = code == 0 ? "status " + std::to_string(response.status) : "code " + std::to_string(code);
    say("refused " + what, "The server refused a segment with " + what + (message.empty() ? "" : " (" + message + ")") + ". It is in the folder aside/." +
                               (code == 0 ? " Check the option `url`: no answer of Tickrate has no code." : ""));
  }

  void stopped(const Finding& finding) {
    const std::int64_t code = parsed(finding.response->body)["code"].integer();
    const std::string_view begin = finding.place.substr(0, 7);
    const std::string kind = finding.place.empty() ? "is empty"
                             : begin == "tk_pub_"  ? "holds a public key"
                             : begin == "tk_adm_"  ? "holds an administrative key"
                             : begin == "tk_ses_"  ? "holds the key of a session"
                                                   : "holds no key of Tickrate";
    std::string advice = "it must be a public key (tk_pub_…) of this project";
    if (code == 2006) advice = "it lacks a scope; a public key (tk_pub_…) has those that a game needs";
    if (code == 2007) advice = "it lists allowed web origins, and this is none of them";
    say("stopped " + std::to_string(code), "Cannot " + std::string(finding.reason) + " (" + std::to_string(code) + "): the option `key` " + kind + "; " +
                                               advice + ". Events are buffered until the next start.");
  }

  /** Names the event of each rejection by its line in what was sent. */
  void stored(const Response& response, std::string_view sent) {
    const Json body = parsed(response.body);
    std::int64_t line = 0;
    for (const Json& rejected : body["rejected"].elements()) {
      const std::int64_t index = rejected["index"].integer(-1);
      for (; line < index && !sent.empty(); ++line) sent.remove_prefix(std::min(sent.find('\n'), sent.size() - 1) + 1);
      const Json event = line == index ? parsed(sent.substr(0, sent.find('\n'))) : Json();
      const std::int64_t version = event["eventTypeVersion"].integer();
      const std::string type = event["eventType"].text() + ", " + (version == 0 ? "newest version" : "version " + std::to_string(version));
      for (const Json& error : rejected["errors"].elements()) {
        // Without the position of the event in its request.
        const std::string& location = error["location"].text();
        const auto slash = location.find('/', 1);
        const std::string text = (slash == std::string::npos ? location : location.substr(slash)) + " " + error["message"].text();
        say("rejected " + type + text, "An event of type " + type + " was rejected: " + text +
                                           ". Compare it with its declaration, or declare it with `tickrate event-types declare`.");
      }
    }
    for (const Json& notice : body["notices"].elements()) {
      if (notice["notice"].text() != "occurredClamped") continue;
      say("clamped", std::to_string(notice["count"].integer()) + " events were older than 30 days or more than 5 minutes ahead; their times were limited.");
    }
  }

  std::function<void(const std::string&)> say_;
  std::vector<std::string> said_;
};

}  // namespace detail

/** For `Options::debug`: calls `say` once for each kind of mistake, with what to do. Leave it out of builds for players. */
inline std::shared_ptr<Explainer> explain_to(std::function<void(const std::string&)> say) {
  return std::make_shared<detail::TextExplainer>(std::move(say));
}

}  // namespace tickrate
