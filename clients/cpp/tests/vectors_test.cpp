// The test vectors that every SDK passes: clients/conformance/vectors.
#include "check.hpp"

using namespace tickrate;
using namespace tickrate::detail;

TEST("names of segments") {
  const Json source = check::json("segments.json");
  for (const Json& vector : source["names"].elements()) {
    const std::string& file = vector["name"].text();
    SegmentName name;
    const bool segment = SegmentName::parse(file, name);
    check::same(segment, vector["timeMs"].kind() == Json::Kind::number, file);
    if (!segment) continue;
    check::same(name.key, vector["key"].text(), file + " key");
    check::same(name.sealed, vector["sealed"].is_true(), file + " sealed");
  }
}

TEST("contents of segments") {
  using Outcome = SegmentContents::Outcome;
  const Json source = check::json("segments.json");
  for (const Json& vector : source["segments"].elements()) {
    const std::string& file = vector["file"].text();
    const std::string note = vector["note"].text();
    const SegmentContents contents = SegmentContents::read(check::file("segments/" + file), file.substr(file.size() - 4) == "seal");
    const char* outcome = contents.outcome == Outcome::send    ? "send"
                          : contents.outcome == Outcome::aside ? "aside"
                          : contents.outcome == Outcome::leave ? "leave"
                                                               : "delete";
    check::same(std::string(outcome), vector["outcome"].text(), note + ": outcome");
    check::same(static_cast<std::int64_t>(contents.torn), vector["lost"]["torn"].integer(), note + ": torn");
    check::same(static_cast<std::int64_t>(contents.damaged), vector["lost"]["damaged"].integer(), note + ": damaged");
    if (contents.outcome != Outcome::send) continue;
    check::same(contents.body, vector["body"].text(), note + ": body");
    check::same(contents.principal, vector["principal"].text(), note + ": principal");
    check::same(contents.base_ms, vector["base"].integer(), note + ": base");
    check::same(static_cast<std::int64_t>(contents.events), vector["events"].integer(), note + ": events");
    check::same(static_cast<std::int64_t>(contents.good_bytes), vector["goodBytes"].integer(), note + ": good bytes");
  }
}

TEST("splits") {
  const Json source = check::json("splits.json");
  for (const Json& vector : source["splits"].elements()) {
    const auto [first, second] = split_segment(vector["parent"]["text"].text());
    const auto& children = vector["children"].elements();
    if (children.size() != 2) continue;
    check::same(first, children[0]["text"].text(), "first half");
    check::same(second, children[1]["text"].text(), "second half");
  }
}

TEST("files of a split that was interrupted") {
  const Json vectors = check::json("splits.json");
  const std::string contents = vectors["splits"].elements()[0]["parent"]["text"].text();
  for (const Json& vector : vectors["recoveries"].elements()) {
    const std::string folder = check::new_folder();
    const std::string run = folder + "/0000000000000000-00000000";
    make_folders(run);
    for (const Json& file : vector["files"].elements()) write_file(run + "/" + file.text(), contents);
    LossCounter losses;
    Store store(folder, Tuning{}, losses);
    Run::Refusal refusal;
    check::that(store.open(system_wall_ms(), refusal), "opens: " + refusal.reason);
    store.adopt("device:00000000");
    std::vector<Json> kept;
    for (const Segment& segment : store.segments()) kept.emplace_back(segment.stem + ".seal");
    check::same(Json::array(kept), vector["kept"], vector["note"].text());
    std::vector<Json> files;
    std::vector<std::string> names = list_folder(run);
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (name != "lock") files.emplace_back(name);
    }
    check::same(Json::array(files), vector["kept"], vector["note"].text() + ", on the disk");
  }
}

TEST("checksums") {
  const Json source = check::json("events.json");
  for (const Json& vector : source["checksums"].elements()) {
    const std::string& text = vector["text"].text();
    char hex[8];
    write_hex32(hex, crc32(text.data(), text.size()));
    check::same(std::string(hex, 8), vector["crc32"].text(), text);
  }
}

static void write_value(Writer& writer, const Json& json) {
  switch (json.kind()) {
    case Json::Kind::null: return writer.value(nullptr);
    case Json::Kind::boolean: return writer.value(json.is_true());
    case Json::Kind::number: return json.is_integer() ? writer.value(json.integer()) : writer.value(json.number());
    case Json::Kind::text: return writer.value(std::string_view(json.text()));
    case Json::Kind::array:
      writer.begin_array();
      for (const Json& element : json.elements()) write_value(writer, element);
      return writer.end_array();
    case Json::Kind::object: break;
  }
  writer.begin_object();
  for (const auto& [name, value] : json.members()) {
    writer.key(name);
    write_value(writer, value);
  }
  writer.end_object();
}

TEST("lines of events") {
  const Json source = check::json("events.json");
  for (const Json& vector : source["lines"].elements()) {
    char memory[4096];
    Writer writer(memory, memory + sizeof memory);
    write_value(writer, vector["event"]);
    check::that(writer.ok(), "fits");
    const std::string json(memory, writer.size());
    bool valid = false;
    check::same(Json::parse(json, valid), vector["event"], "the event read back");
    // C++ writes 1e-07 where the vector has 1e-7: the same number in other bytes.
    if (json.find("e-0") != std::string::npos) continue;
    char checksum[8];
    write_hex32(checksum, crc32(json.data(), json.size()));
    check::same(std::string(checksum, 8) + " " + json + "\n", vector["line"].text(), "line");
  }
}

TEST("answers") {
  static constexpr const char* names[] = {"delete", "retry", "wait", "pause", "split", "signIn", "stop", "setAside"};
  const Json source = check::json("answers.json");
  for (const Json& vector : source.elements()) {
    const std::string note = vector["note"].text();
    Response response;
    response.status = static_cast<int>(vector["status"].integer(0));
    response.body = vector["body"].text();
    if (vector["headers"].has("retry-after")) response.retry_after_seconds = std::strtod(vector["headers"]["retry-after"].text().c_str(), nullptr);
    const Verdict verdict = judge(response);
    check::same(std::string(names[static_cast<int>(verdict.action)]), vector["action"].text(), note);
    check::same(static_cast<std::int64_t>(verdict.rejected), vector["lost"]["rejected"].integer(), note + ": rejected");
    if (vector.has("delayMs")) check::same(delay_ms(verdict, 0, 0.5, Tuning{}), vector["delayMs"].integer(), note + ": delay");
  }
}

TEST("backoff") {
  const Json source = check::json("backoff.json");
  for (const Json& vector : source.elements()) {
    check::same(backoff_ms(static_cast<int>(vector["attempt"].integer()), vector["r"].number(), Tuning{}), vector["delayMs"].integer(),
                 "attempt " + vector["attempt"].write() + " with " + vector["r"].write());
  }
}

TEST("clocks") {
  const Json source = check::json("clocks.json");
  for (const Json& vector : source.elements()) {
    std::optional<ClockBase> clock;
    for (const Json& call : vector["calls"].elements()) {
      const std::int64_t wall = call["wallMs"].integer(), monotonic = call["monotonicMs"].integer();
      const bool jumped = clock && clock->jumped(wall, monotonic);
      check::same(jumped, call["seals"].is_true(), vector["note"].text());
      if (!clock || jumped) clock = ClockBase{wall, monotonic};
      char text[rfc3339_size];
      write_rfc3339(text, clock->at(monotonic));
      check::same(std::string(text, rfc3339_size), call["occurredAt"].text(), vector["note"].text());
    }
    const Json& time = vector["clientTime"];
    if (clock && time.is_object()) check::same(clock->at(time["monotonicMs"].integer()), time["value"].integer(), vector["note"].text() + ": X-Client-Time");
  }
}

static void play(const std::string& file) {
  SignIn sign_in;
  SignInStep step;
  int number = 0;
  const Json source = check::json("sign-in/" + file);
  for (const Json& vector : source.elements()) {
    const std::string where = file + " step " + std::to_string(++number);
    if (vector.has("input")) step = sign_in.input(vector["input"]);
    check::same(step.body, vector["sends"], where + ": body");
    if (vector.has("call")) check::same(step.call, vector["call"].text(), where + ": call");
    const SignInStep sent = step;
    step = sign_in.received(static_cast<int>(vector["status"].integer(200)), vector["answer"]);
    const Json& expected = vector["expect"];
    using Kind = SignInStep::Kind;
    const Kind kind = expected.has("session")  ? Kind::session
                      : expected.has("prompt") ? Kind::prompt
                      : expected.has("request") ? Kind::send
                      : expected.has("retry")   ? Kind::resend
                                                : Kind::ended;
    check::same(static_cast<int>(step.kind), static_cast<int>(kind), where + ": kind");
    check::same(step.session.id, expected["session"].text(), where + ": session");
    check::same(step.session.account, expected["account"].text(), where + ": account");
    check::same(step.device.id, expected["device"]["deviceId"].text(), where + ": device");
    check::same(step.recovery_codes, expected["recoveryCodes"], where + ": recovery codes");
    check::same(step.prompt, expected["prompt"].text(), where + ": prompt");
    if (kind == Kind::prompt) check::same(step.options, expected["options"], where + ": options");
    if (kind != Kind::resend) check::same(step.error.code, expected["error"]["code"].integer(), where + ": error");
    check::same(step.retry_after_seconds, expected["retryAfterSeconds"].number(0), where + ": retry after");
    if (kind == Kind::resend) step = sent;
  }
}

TEST("transcripts of sign-ins") {
  for (const std::string& file : list_folder(check::vectors() + "/sign-in")) play(file);
}

int main(int count, char** arguments) { return check::run(count, arguments); }
