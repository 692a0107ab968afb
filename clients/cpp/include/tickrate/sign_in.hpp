// The sign-in helper: a reducer from the answers of the server to prompts for the game. It does no input or output.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "json.hpp"

namespace tickrate {

/** A refusal in the words of the server. `code` 0: there is none. */
struct SignInError {
  std::int64_t code = 0;
  std::string message;
  std::string fields;
};

struct DeviceToken {
  std::string id;
  std::string secret;
};

/** A session. `key` is secret and is never written to the disk. */
struct Session {
  std::string id;
  std::string account;
  std::string key;
  std::int64_t start = 0;
  std::int64_t expiry = 0;
};

/** Where a sign-in stands. */
struct SignInStep {
  enum class Kind {
    send,     // send `call` with `body`
    resend,   // send the same again, with the same key, after a backoff of at least `retry_after_seconds`
    prompt,   // ask the player for `prompt`, and go on with `answer`
    session,  // signed in
    ended,    // refused; see `error`
  };
  Kind kind = Kind::ended;
  std::string call = {};
  Json body = {};
  std::string prompt = {};
  Json options = {};
  SignInError error = {};
  Session session = {};
  DeviceToken device = {};
  Json recovery_codes = {};
  double retry_after_seconds = 0;
};

/** Called with each prompt, and at last with the session or the refusal. */
using SignInAnswered = std::function<void(const SignInStep&)>;

/**
 * One sign-in. It holds everything that was sent so far, so that every request contains all of it.
 *
 *   input → send → received → (prompt → input → send → …) → session | ended
 */
class SignIn {
 public:
  /** Adds what the player gave, as an object of docs/sign-in-prompts.md: `{"email"}`, `{"password"}`, `{"code"}`, `{"steamTicket"}` … */
  SignInStep input(const Json& given) {
    for (const auto& [name, value] : given.members()) apply(name, value);
    if (last_.prompt == "emailVerification" && given["code"].is_text()) {
      verifying_ = true;
      Json body = Json::object({{"token", given["code"]}});
      if (body_.has("password")) body.set("password", body_["password"]);
      return sending("POST /2018-03-24/account/email/verify", std::move(body));
    }
    return sending(authenticate, body_);
  }

  /** Takes the answer to the last request; status 0 if there was none. */
  SignInStep received(int status, const Json& answer) {
    if (status != 200) return refused(status, answer);
    if (verifying_) {
      verifying_ = false;
      return sending(authenticate, body_);
    }
    if (answer["exchangeId"].is_text()) body_.set("exchangeId", answer["exchangeId"]);
    conflicts_ = 0;
    if (answer["authenticatedSession"].is_object()) return signed_in(answer);
    return ask(answer);
  }

 private:
  static constexpr const char* authenticate = "PUT /2018-03-24/authenticate";

  void apply(const std::string& name, const Json& value) {
    const auto nested = [this](const char* outer, const char* inner, Json content) {
      Json object = body_[outer].is_object() ? body_[outer] : Json::object();
      object.set(inner, std::move(content));
      body_.set(outer, std::move(object));
    };
    const auto token = [&](const char* list, const char* member) { nested("tokens", list, Json::array({Json::object({{member, value}})})); };
    if (name == "email") return body_.set("emailAddress", value);
    if (name == "password") return body_.set("password", value);
    if (name == "register") return value.is_true() ? body_.set("intent", "register") : body_.remove("intent");
    if (name == "code") return last_.prompt == "emailVerification" ? void() : nested("twoFactor", "twoFactorCode", value);
    if (name == "trust") {
      nested("twoFactor", "trustThisDevice", Json(true));
      nested("twoFactor", "deviceIdentifier", value["identifier"]);
      return nested("twoFactor", "deviceIdentifierFriendlyName", value["name"]);
    }
    if (name == "action") return decide("action", value);
    if (name == "accountRef") return decide("accountRef", value);
    if (name == "terms") return nested("registration", "acceptedTerms", value);
    if (name == "optIn") return body_.set("marketingPreferenceOptIn", value);
    if (name == "projectId") return body_.set("projectId", value);
    if (name == "displayName" || name == "locale") return nested("registration", name.c_str(), value);
    if (name == "steamTicket") return token("steamTokens", "userTicket");
    if (name == "itchIoKey") return token("itchIoTokens", "apiKey");
    if (name == "discordToken") return token("discordTokens", "accessToken");
    if (name == "openId") return nested("tokens", "oAuthTokens", Json::array({value}));
    if (name == "device") return nested("tokens", "deviceTokens", Json::array({value}));
  }

  void decide(const char* member, const Json& value) {
    if (value.text() == "cancel" && std::string_view(member) == "action") return body_.set("intent", "cancel");
    Json decision = body_["linkDecision"].is_object() ? body_["linkDecision"] : Json::object();
    decision.set(member, value);
    body_.set("linkDecision", std::move(decision));
  }

  SignInStep sending(const char* call, Json body) {
    SignInStep step;
    step.kind = SignInStep::Kind::send;
    step.call = call;
    step.body = std::move(body);
    return step;
  }

  SignInStep signed_in(const Json& answer) {
    const Json& session = answer["authenticatedSession"];
    SignInStep step;
    step.kind = SignInStep::Kind::session;
    step.session.id = session["id"].text();
    step.session.account = session["accountId"].text();
    step.session.key = session["apiKey"].text();
    step.session.start = session["start"].integer();
    step.session.expiry = session["expiry"].integer();
    step.device.id = answer["issuedDeviceToken"]["deviceId"].text();
    step.device.secret = answer["issuedDeviceToken"]["deviceSecret"].text();
    step.recovery_codes = answer["recoveryCodes"];
    return step;
  }

  SignInStep ask(const Json& answer) {
    const auto flag = [&answer](const char* name) { return answer[name].is_true(); };
    if (flag("promptForProject")) return prompt("project", Json::object({{"projects", answer["availableProjects"]}}));
    if (flag("promptForEmailAddress")) return prompt(answer["intent"].text() == "register" ? "registration" : "identifier");
    if (flag("promptForPassword")) return prompt(flag("passwordResetEmailSent") ? "passwordUnset" : "password");
    if (flag("promptForTwoFactorEnrolment")) return prompt("secondFactorEnrolment", answer["twoFactorEnrolment"]);
    if (flag("promptForTwoFactorCode")) return prompt(flag("promptForEmailVerification") ? "mailedCode" : "secondFactor");
    if (flag("promptForEmailVerification")) return prompt("emailVerification");
    if (flag("promptForLinking")) return prompt("linking", answer["linking"]);
    if (flag("promptForTerms")) return prompt("terms");
    if (flag("promptForMarketingPreferenceOptIn")) return prompt("marketing");
    SignInStep step;
    step.error.message = "unknownPrompt";
    return step;
  }

  SignInStep prompt(const char* name, Json options = Json::object()) {
    last_ = SignInStep{};
    last_.kind = SignInStep::Kind::prompt;
    last_.prompt = name;
    last_.options = std::move(options);
    return last_;
  }

  SignInStep refused(int status, const Json& answer) {
    SignInError error;
    if (answer["data"].is_object()) error.code = answer["code"].integer();
    error.message = answer["message"].text();
    error.fields = answer["fields"].text();
    const double seconds = answer["data"]["retryAfterSeconds"].number(0);
    if (status < 400 || status >= 500 || error.code == 6001 || error.code == 6002 || error.code == 6003) {
      SignInStep step;
      step.kind = SignInStep::Kind::resend;
      step.retry_after_seconds = seconds;
      return step;
    }
    if (error.code == 4012 && conflicts_++ == 0) {
      body_.remove("exchangeId");
      return sending(authenticate, body_);
    }
    const bool verifying = std::exchange(verifying_, false);
    if (error.code == 4001) {
      body_.remove("password");
      return again("password", error);
    }
    if (error.code == 4010) {
      body_.remove("password");
      return repeat(error);
    }
    if (error.code == 4004 || error.code == 4005) {
      forget_code();
      return repeat(error);
    }
    if ((error.code == 4002 || error.code == 4003) && verifying) return repeat(error);
    if (error.code == 4002 || error.code == 4003) {
      body_.remove("tokens");
      return again("identifier", error);
    }
    SignInStep step;
    step.error = std::move(error);
    step.retry_after_seconds = seconds;
    return step;
  }

  SignInStep again(const char* name, SignInError error) {
    prompt(name);
    return repeat(std::move(error));
  }

  SignInStep repeat(SignInError error) {
    SignInStep step = last_;
    step.error = std::move(error);
    if (step.prompt.empty()) step.kind = SignInStep::Kind::ended;
    return step;
  }

  void forget_code() {
    Json second = body_["twoFactor"];
    second.remove("twoFactorCode");
    if (second.members().empty()) {
      body_.remove("twoFactor");
    } else {
      body_.set("twoFactor", std::move(second));
    }
  }

  Json body_ = Json::object();
  SignInStep last_;
  bool verifying_ = false;
  int conflicts_ = 0;
};

}  // namespace tickrate
