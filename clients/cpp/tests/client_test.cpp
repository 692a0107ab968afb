// The client with a transport that answers from a script. The real server is behind clients/conformance.
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "check.hpp"
#if defined(TICKRATE_TEST_ZLIB)
#include "zlib_gzip.hpp"
#endif

#if !defined(_WIN32)
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#endif

using namespace tickrate;

namespace {

Response answer(int status, std::string body) {
  Response response;
  response.status = status;
  response.body = std::move(body);
  return response;
}
Response accepted() { return answer(200, R"({"accepted":1,"rejected":[]})"); }
Response refusal(int status, int code, const char* data = "{}") {
  return answer(status, R"({"code":)" + std::to_string(code) + R"(,"message":"text","fields":null,"data":)" + data + "}");
}
Response device_session(const char* account = "u-1") {
  return answer(200, std::string(R"({"authenticatedSession":{"id":"us-1","accountId":")") + account +
                         R"(","apiKey":"tk_ses_1","start":1000,"expiry":4600},"issuedDeviceToken":{"deviceId":"d-1","deviceSecret":"s-1"}})");
}

/** Answers each request with `next`; keeps them all. Status 0 is no answer. */
class Script final : public Transport {
 public:
  std::function<Response(const Request&)> next = [](const Request&) { return accepted(); };
  /** The answer to /.well-known/tickrate; by default, there is one address for all. */
  std::function<Response()> addresses = [] { return refusal(404, 1006); };
  std::vector<Request> requests;

  void start(Request request, std::function<void(Response)> done) override {
    requests.push_back(request);
    if (request.url.find("/.well-known/") != std::string::npos) return done(addresses());
    done(next(request));
  }
  void work(std::int64_t) override {}

  std::vector<Request> inserts() const {
    std::vector<Request> found;
    for (const Request& request : requests) {
      if (request.url.find("multiInsert") != std::string::npos) found.push_back(request);
    }
    return found;
  }
};

std::string header(const Request& request, const std::string& name) {
  for (const auto& [known, value] : request.headers) {
    if (known == name) return value;
  }
  return {};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

struct Game {
  std::shared_ptr<Script> script = std::make_shared<Script>();
  std::string folder = check::new_folder();
  std::map<std::string, std::uint64_t> lost;
  std::vector<std::string> said;

  Options options() {
    Options options;
    options.url = "http://gateway";
    options.key = "tk_pub_1";
    options.folder = folder;
    options.consent = Consent::granted;
    options.send = script;
    options.principal = Principal::key;
    options.threads = false;
    options.tuning.backoff_from_ms = 1;
    options.tuning.backoff_to_ms = 2;
    options.on_loss = [this](Loss reason, std::uint64_t count) { lost[name_of(reason)] += count; };
    options.debug = explain_to([this](const std::string& text) { said.push_back(text); });
    return options;
  }
};

bool track(Client& client, std::int64_t number, std::size_t padding = 0) {
  return client.track("level_up", 1, [&](Writer& json) {
    json.begin_object();
    json.member("n", number);
    if (padding > 0) json.member("text", std::string_view(std::string(padding, 'x')));
    json.end_object();
  });
}

/** False if the condition is not true after 20 seconds. */
bool poll_until(Client& client, const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition() && std::chrono::steady_clock::now() < deadline) client.poll();
  return condition();
}

std::uint64_t lines(const std::string& body) { return static_cast<std::uint64_t>(std::count(body.begin(), body.end(), '\n')); }

}  // namespace

TEST("an event is sent as a line of multiInsert, under the key of its segment") {
  Game game;
  const std::string traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  Options options = game.options();
  options.traceparent = [&] { return traceparent; };
  Client client(options);
  check::that(track(client, 7), "tracked");
  check::that(client.flush(), "flushed");
  const auto inserts = game.script->inserts();
  check::same(inserts.size(), std::size_t{1}, "requests");
  if (inserts.empty()) return;
  check::same(inserts[0].method + " " + inserts[0].url, std::string("PUT http://gateway/v1/event/multiInsert"), "call");
  check::same(header(inserts[0], "X-API-Key"), std::string("tk_pub_1"), "key");
  check::same(header(inserts[0], "Content-Type"), std::string("application/x-ndjson"), "type");
  check::same(header(inserts[0], "traceparent"), traceparent, "traceparent");
  check::same(header(inserts[0], "Idempotency-Key").size(), std::size_t{32}, "idempotency key");
  check::that(inserts[0].body.find(R"("eventType":"level_up","eventTypeVersion":1,"occurredAt":"2)") == 1, "body " + inserts[0].body);
  check::same(client.pending(), std::uint64_t{0}, "pending");
}

TEST("an event without an answer is sent again: the same bytes under the same key") {
  Game game;
  int asked = 0;
  game.script->next = [&](const Request&) { return ++asked < 4 ? (asked == 2 ? answer(200, "<html>") : Response{}) : accepted(); };
  Client client(game.options());
  track(client, 1);
  check::that(client.flush(5000), "flushed");
  const auto inserts = game.script->inserts();
  check::same(inserts.size(), std::size_t{4}, "requests");
  for (const Request& request : inserts) {
    check::same(request.body, inserts[0].body, "body");
    check::same(header(request, "Idempotency-Key"), header(inserts[0], "Idempotency-Key"), "key");
  }
}

TEST("events of a start that ended are sent at the next one") {
  Game game;
  {
    Options offline = game.options();
    offline.send = nullptr;
    Client client(offline);
    for (int n = 0; n < 1200; ++n) check::that(track(client, n), "tracked");
  }
  Client client(game.options());
  check::same(client.pending(), std::uint64_t{1200}, "adopted");
  check::that(client.flush(5000), "flushed");
  std::uint64_t sent = 0;
  for (const Request& request : game.script->inserts()) sent += lines(request.body);
  check::same(sent, std::uint64_t{1200}, "sent");
  check::same(client.losses().total(), std::uint64_t{0}, "lost");
}

TEST("sealed events of a former installation are set aside and counted, open ones are sent") {
  Game game;
  Options options = game.options();
  options.principal = Principal::device;
  options.send = nullptr;
  const auto copies = [&game](const char* ending) {
    std::size_t count = 0;
    for (const std::string& run : detail::list_folder(game.folder)) {
      for (const std::string& file : detail::list_folder(game.folder + "/" + run)) count += file.find(ending) != std::string::npos ? 1 : 0;
    }
    return count;
  };
  {
    Client client(options);
    for (int n = 0; n < 30; ++n) check::that(track(client, n), "tracked");
  }
  check::that(copies(".seal") > 0, "a sealed segment");
  check::that(detail::write_file(game.folder + "/state.json", R"({"consent":"granted"})") == detail::FileFault::none, "state.json is replaced");
  options.send = game.script;
  game.script->next = [](const Request& request) {
    return request.url.find("authenticate") != std::string::npos ? device_session() : accepted();
  };
  Client client(options);
  check::same(client.losses()[Loss::damaged], std::uint64_t{30}, "counted");
  check::same(client.pending(), std::uint64_t{0}, "nothing waits for a device that is gone");
  check::that(track(client, 30), "tracked");
  check::that(client.flush(5000), "flushed");
  check::same(game.script->inserts().size(), std::size_t{1}, "inserts");
}

#if !defined(TICKRATE_WITHOUT_THREADS)
TEST("flush returns true only after an answer, also while a segment is being sealed") {
  Game game;
  std::atomic<int> answered{0};
  game.script->next = [&](const Request& request) {
    if (request.url.find("multiInsert") != std::string::npos) ++answered;
    return accepted();
  };
  Options options = game.options();
  options.threads = true;
  Client client(options);
  for (int n = 1; n <= 200; ++n) {
    check::that(track(client, n), "tracked");
    check::that(client.flush(5000), "flushed");
    check::same(answered.load(), n, "answers");
    if (answered.load() != n) return;
  }
}
#endif

TEST("a segment that is too large is split until it fits") {
  Game game;
  game.script->next = [](const Request& request) { return lines(request.body) > 3 ? refusal(413, 1004) : accepted(); };
  Client client(game.options());
  for (int n = 0; n < 10; ++n) track(client, n);
  check::that(client.flush(5000), "flushed");
  std::uint64_t sent = 0;
  std::set<std::string> keys;
  for (const Request& request : game.script->inserts()) {
    if (lines(request.body) <= 3) sent += lines(request.body);
    check::that(keys.insert(header(request, "Idempotency-Key")).second, "a key of its own");
  }
  check::same(sent, std::uint64_t{10}, "sent");
}

TEST("a lone event that is too large is dropped and counted") {
  Game game;
  game.script->next = [](const Request&) { return refusal(413, 8007); };
  Client client(game.options());
  track(client, 1);
  check::that(client.flush(5000), "flushed");
  check::same(client.losses()[Loss::rejected], std::uint64_t{1}, "rejected");
}

TEST("what the server refuses for good is set aside and counted") {
  Game game;
  game.script->next = [](const Request&) { return refusal(409, 8010); };
  Client client(game.options());
  track(client, 1);
  track(client, 2);
  check::that(client.flush(5000), "flushed");
  check::same(client.losses()[Loss::refused], std::uint64_t{2}, "refused");
  check::same(game.lost["refused"], std::uint64_t{2}, "reported");
  check::same(detail::list_folder(game.folder + "/aside").size(), std::size_t{1}, "files aside");
}

TEST("a wrong key stops sending, keeps the events and says what to do once") {
  Game game;
  game.script->next = [](const Request&) { return refusal(401, 2002); };
  Client client(game.options());
  track(client, 1);
  check::that(!client.flush(50), "not flushed");
  track(client, 2);
  check::that(!client.flush(50), "not flushed");
  check::same(game.script->inserts().size(), std::size_t{1}, "requests");
  check::same(client.pending(), std::uint64_t{2}, "pending");
  check::same(game.said.size(), std::size_t{1}, "explained");
  check::that(contains(game.said.at(0), "option `key` holds a public key") && contains(game.said.at(0), "2002"), game.said.at(0));
}

TEST("an address that is wrong is explained, with the system's reason, once") {
  Game game;
  Response none;
  none.reason = "Connection refused";
  game.script->addresses = [&] { return none; };
  game.script->next = [&](const Request&) { return none; };
  {
    Client client(game.options());
    track(client, 1);
    check::that(!client.flush(100), "not flushed");
    check::same(game.said.size(), std::size_t{1}, "explained");
    check::that(contains(game.said.at(0), "No answer from http://gateway (Connection refused)") && contains(game.said.at(0), "`url`"), game.said.at(0));
  }
  game.said.clear();
  game.script->addresses = [] { return answer(200, "<html>"); };
  game.script->next = [](const Request&) { return answer(404, "<html>"); };
  {
    Client client(game.options());
    check::that(!client.flush(300), "kept");
    check::same(client.losses().total(), std::uint64_t{0}, "lost");
    check::same(game.said.size(), std::size_t{1}, "explained");
    check::that(contains(game.said.at(0), "status 200, but not as Tickrate"), game.said.at(0));
  }
  game.said.clear();
  Options options = game.options();
  options.url = "gateway:8080";
  Client client(options);
  check::same(game.said.size(), std::size_t{1}, "explained");
  check::that(contains(game.said.at(0), "'gateway:8080'") && contains(game.said.at(0), "https://"), game.said.at(0));
}

TEST("a rejection is explained with type, version and member, once for each kind") {
  Game game;
  game.script->next = [](const Request&) {
    return answer(200, R"({"accepted":0,"rejected":[{"index":1,"errors":[{"location":"/1/event/n","message":"must be a text"}]},
      {"index":2,"errors":[{"location":"/2/event/n","message":"must be a text"}]},{"index":3,"errors":[{"location":"/3/eventType","message":"is not declared"}]}]})");
  };
  Client client(game.options());
  for (int n = 0; n < 3; ++n) track(client, n);
  client.track("boss_met", 0, [](Writer& json) { json.begin_object(), json.end_object(); });
  check::that(client.flush(5000), "flushed");
  check::same(game.said.size(), std::size_t{2}, "explained");
  check::that(contains(game.said.at(0), "type level_up, version 1 was rejected: /event/n must be a text"), game.said.at(0));
  check::that(contains(game.said.at(1), "boss_met, newest version") && contains(game.said.at(1), "event-types declare"), game.said.at(1));
}

TEST("a clock far off is explained with the difference") {
  Game game;
  game.script->next = [](const Request&) {
    Response response = accepted();
    response.date = "Sun, 22 Nov 2020 17:28:52 GMT";
    return response;
  };
  Client client(game.options());
  track(client, 1);
  check::that(client.flush(5000), "flushed");
  check::same(game.said.size(), std::size_t{1}, "explained");
  check::that(contains(game.said.at(0), " s ahead of the server's"), game.said.at(0));
}

TEST("flush sends what a process left that ended meanwhile, and is false while anything waits") {
  Game game;
  bool is_online = false;
  game.script->next = [&](const Request&) { return is_online ? accepted() : Response{}; };
  Client client(game.options());
  {
    Client other(game.options());
    track(other, 1);
    other.close(0);
  }
  track(client, 2);
  check::that(!client.flush(100), "offline");
  is_online = true;
  check::that(client.flush(5000), "flushed");
  std::string sent;
  for (const Request& request : game.script->inserts()) sent += request.body;
  check::that(contains(sent, "{\"n\":1}") && contains(sent, "{\"n\":2}"), "the events of both");
  Options unknown = game.options();
  unknown.consent = Consent::unknown;
  unknown.folder = check::new_folder();
  Client waiting(unknown);
  track(waiting, 3);
  const auto from = std::chrono::steady_clock::now();
  check::that(!waiting.flush(20'000), "an event waits for consent");
  check::that(std::chrono::steady_clock::now() - from < std::chrono::seconds(10), "at once");
}

#if !defined(_WIN32)
TEST("odd entries in place of files hold no game and keep no other event") {
  Game game;
  {
    Options offline = game.options();
    offline.send = nullptr;
    offline.tuning.seal_events = 5;
    Client client(offline);
    for (int n = 0; n < 20; ++n) track(client, n), client.poll();
  }
  std::string run;
  for (const std::string& name : detail::list_folder(game.folder)) {
    if (name.size() == 25) run = game.folder + "/" + name;
  }
  const std::string key(32, 'a');
  check::that(detail::make_folder(run + "/0000000000000001-" + key + ".seal"), "a folder");
  check::that(mkfifo((run + "/0000000000000002-" + key + ".seal").c_str(), 0600) == 0, "a pipe");
  check::that(symlink("self.open", (run + "/0000000000000003-" + key + ".open").c_str()) == 0, "a link to nowhere");
  check::that(detail::write_file(run + "/0000000000000004-" + key + ".seal", std::string(3'000'000, 'x')) == detail::FileFault::none, "a large file");
  Client client(game.options());
  check::that(client.flush(5000), "flushed");
  std::uint64_t sent = 0;
  for (const Request& request : game.script->inserts()) sent += lines(request.body);
  check::same(sent, std::uint64_t{20}, "sent");
}
#endif

TEST("losses that could not be saved are saved later") {
  Game game;
  Client client(game.options());
  std::string blocked;
  for (const std::string& name : detail::list_folder(game.folder)) {
    if (name.size() == 25) blocked = game.folder + "/" + name + "/state.tmp";
  }
  // A folder instead of the file that the state is written to first.
  check::that(detail::make_folder(blocked), "blocked");
  check::that(!track(client, 1, 70'000), "too large");
  client.poll();
  check::same(game.lost["tooLarge"], std::uint64_t{1}, "reported");
  check::that(detail::remove_folder(blocked), "free");
  client.close(0);
  std::string state;
  check::that(detail::read_file(game.folder + "/state.json", state) && contains(state, R"("tooLarge":1)"), state);
}

#if !defined(_WIN32)
TEST("a folder that somebody deletes is made again, and no event that was not sealed is lost") {
  Game game;
  Client client(game.options());
  std::uint64_t kept = 0;
  for (int n = 0; n < 10; ++n) kept += track(client, n) ? 1 : 0;
  check::that(std::system(("rm -rf '" + game.folder + "'").c_str()) == 0, "deleted");
  for (int n = 10; n < 700; ++n) kept += track(client, n) ? 1 : 0;
  check::that(client.flush(5000), "flushed");
  std::uint64_t sent = 0;
  for (const Request& request : game.script->inserts()) sent += lines(request.body);
  check::same(kept, std::uint64_t{700}, "kept");
  check::same(sent, kept, "sent");
  check::same(client.losses().total(), std::uint64_t{0}, "losses");
  check::that(detail::file_exists(game.folder + "/state.json"), "state.json");
}
#endif

#if !defined(_WIN32)
TEST("a process whose folder is another installation's by now keeps its own account, and leaves that one's events") {
  Game game, other;
  std::vector<std::string> sign_ins;
  int inserts = 0;
  game.script->next = [&](const Request& request) {
    if (request.url.find("authenticate") == std::string::npos) return ++inserts == 2 ? refusal(401, 2004) : accepted();
    sign_ins.push_back(request.body);
    return device_session();
  };
  Options options = game.options();
  options.principal = Principal::device;
  Client client(options);
  track(client, 1);
  check::that(client.flush(5000), "flushed");
  const std::string theirs = R"({"consent":"granted","installation":"0a0b0c0d","device":{"deviceId":"d-2","deviceSecret":"s-2"}})";
  detail::write_file(other.folder + "/state.json", theirs);
  Options others = other.options();
  others.principal = Principal::device;
  others.send = nullptr;
  { track(*std::make_unique<Client>(others), 2); }
  check::that(std::system(("rm -rf '" + game.folder + "' && mv '" + other.folder + "' '" + game.folder + "'").c_str()) == 0, "replaced");
  track(client, 3);
  check::that(client.flush(5000), "flushed");
  const auto sent = game.script->inserts();
  check::same(sent.size(), std::size_t{3}, "inserts");
  for (const Request& request : sent) check::that(!contains(request.body, R"("n":2)"), "the other's event");
  check::same(sign_ins.size(), std::size_t{2}, "sign-ins");
  if (sign_ins.size() == 2) check::that(contains(sign_ins[1], R"("d-1")"), "its own device: " + sign_ins[1]);
  std::string text;
  bool valid = false;
  detail::read_file(game.folder + "/state.json", text);
  const Json saved = Json::parse(text, valid);
  check::same(saved["installation"].text() + saved["device"]["deviceId"].text() + saved["deviceAccount"].text(), std::string("0a0b0c0dd-2"), "saved");
  check::same(client.losses().total(), std::uint64_t{0}, "losses");
  options.principal = Principal::key;
  client.close(0);
  Client next(options);
  check::same(next.pending(), std::uint64_t{1}, "left");
}
#endif

TEST("a poll that begins to write a segment leaves its flush to a later one") {
  Game game;
  const auto sealed = [&game] {
    std::size_t count = 0;
    for (const std::string& run : detail::list_folder(game.folder)) {
      for (const std::string& file : detail::list_folder(game.folder + "/" + run)) count += contains(file, ".seal") ? 1 : 0;
    }
    return count;
  };
  Client client(game.options());
  for (int n = 0; n < 1001; ++n) check::that(track(client, n), "tracked");
  client.poll();
  check::same(sealed(), std::size_t{0}, "sealed by the first poll");
  check::that(poll_until(client, [&] { return game.script->inserts().size() == 2; }), "both were sent");
  // Eleven segments between two calls: those beyond eight are sealed at once.
  for (int n = 0; n < 6'000; ++n) check::that(track(client, n), "tracked");
  check::that(poll_until(client, [&] { return sealed() >= 3; }), "sealed in one call");
  check::that(client.flush(60'000), "flushed");
  std::uint64_t sent = 0;
  for (const Request& request : game.script->inserts()) sent += lines(request.body);
  check::same(sent, std::uint64_t{7'001}, "sent");
}

TEST("processes on one folder add up their losses, and keep what the others saved") {
  Game game;
  Options options = game.options();
  const auto saved = [&game] {
    std::string text;
    bool valid = false;
    detail::read_file(game.folder + "/state.json", text);
    return Json::parse(text, valid);
  };
  {
    Client older(options);
    {
      Client newer(options);
      track(newer, 1, 70'000);
      newer.set_consent(Consent::denied);
      newer.poll();
      newer.set_consent(Consent::granted);
      newer.poll();
      track(newer, 1, 70'000);
      newer.poll();
    }
    check::that(!track(older, 1, 70'000), "too large");
    older.poll();
  }
  check::same(saved()["losses"]["tooLarge"].integer(), std::int64_t{3}, "losses");
  check::same(saved()["consent"].text(), std::string("granted"), "the last choice");
}

#if defined(TICKRATE_TEST_ZLIB)
TEST("bodies are packed where the game gives a function for it") {
  Game game;
  Options options = game.options();
  options.gzip = zlib_gzip;
  Client client(options);
  for (int n = 0; n < 100; ++n) track(client, n);
  check::that(client.flush(5000), "flushed");
  const Request sent = game.script->inserts().at(0);
  check::same(header(sent, "Content-Encoding"), std::string("gzip"), "encoding");
  std::string body(64 * 1024, '\0');
  z_stream stream{};
  inflateInit2(&stream, 31);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(sent.body.data()));
  stream.avail_in = static_cast<uInt>(sent.body.size());
  stream.next_out = reinterpret_cast<Bytef*>(body.data());
  stream.avail_out = static_cast<uInt>(body.size());
  check::same(inflate(&stream, Z_FINISH), Z_STREAM_END, "inflates");
  check::same(lines(body.substr(0, stream.total_out)), std::uint64_t{100}, "lines");
  inflateEnd(&stream);
}
#endif

TEST("hostile answers lose nothing and end nothing") {
  const std::array<std::string, 7> bodies = {std::string(10'000, '['), "{\"accepted\":1e999}", "{\"accepted\":", std::string("\0\0", 2), "null", "[]",
                                             "{\"accepted\":-99999999999999999999}"};
  Game game;
  std::size_t asked = 0;
  game.script->next = [&](const Request&) { return asked < bodies.size() - 1 ? answer(200, bodies[asked++]) : accepted(); };
  Client client(game.options());
  track(client, 1);
  check::that(client.flush(5000), "flushed");
  check::same(game.script->inserts().size(), bodies.size(), "requests");
}

TEST("a device signs itself in once, and its events carry its session") {
  Game game;
  game.script->next = [](const Request& request) { return request.url.find("authenticate") != std::string::npos ? device_session() : accepted(); };
  Options options = game.options();
  options.principal = Principal::device;
  std::string first_device;
  {
    Client client(options);
    track(client, 1);
    check::that(client.flush(5000), "flushed");
    check::same(header(game.script->inserts().at(0), "X-API-Key"), std::string("tk_ses_1"), "session's key");
  }
  game.script->requests.clear();
  Client client(options);
  track(client, 2);
  check::that(client.flush(5000), "flushed");
  std::vector<std::string> signed_in;
  for (const Request& request : game.script->requests) {
    if (request.url.find("authenticate") != std::string::npos) signed_in.push_back(request.body);
  }
  check::same(signed_in.size(), std::size_t{1}, "sign-ins");
  if (!signed_in.empty()) check::that(signed_in[0].find("\"d-1\"") != std::string::npos, "the same device: " + signed_in[0]);
}

TEST("a device and a player sign in only at an address that the server named") {
  Game game;
  std::vector<Response> failures = {Response{}, answer(200, "<html>"), answer(200, "{}"), answer(429, "{}"), answer(503, "{}"), answer(404, "<html>"),
                                    answer(403, "{}"), answer(401, "<html>")};
  const std::size_t questions = failures.size() + 1;
  bool reachable = true;
  Response unreachable;
  game.script->addresses = [&] {
    if (!reachable) return unreachable;
    if (failures.empty()) return answer(200, R"({"protocol":1,"events":null,"sessions":"http://auth"})");
    const Response next = failures.front();
    failures.erase(failures.begin());
    return next;
  };
  game.script->next = [](const Request& request) {
    if (request.url.find("multiInsert") != std::string::npos) return accepted();
    return request.url.find("http://auth/") == 0 ? device_session() : refusal(404, 1006);
  };
  const auto asked = [&](const std::string& start) {
    return static_cast<std::size_t>(std::count_if(game.script->requests.begin(), game.script->requests.end(),
                                                  [&](const Request& request) { return request.url.find(start) == 0; }));
  };
  Options options = game.options();
  options.principal = Principal::device;
  {
    Client client(options);
    track(client, 1);
    SignInStep last;
    client.sign_in(Json::object({{"steamTicket", "t"}}), [&](const SignInStep& step) { last = step; });
    check::that(client.flush(20'000), "flushed");
    // The back-off of the player's sign-in can end later than that of the device's.
    check::that(poll_until(client, [&] { return last.kind == SignInStep::Kind::session; }), "the player is signed in");
    check::same(asked("http://gateway/.well-known/"), questions, "questions");
  }
  // The next start reaches nobody, and remembers.
  reachable = false;
  {
    Client client(options);
    track(client, 2);
    check::that(client.flush(20'000), "flushed with the remembered address");
    check::same(asked("http://gateway/2018-03-24/"), std::size_t{0}, "sign-ins at a guessed address");
  }
  // Nor does a proxy's refusal forget it.
  unreachable = answer(404, "<html>");
  {
    Client client(options);
    track(client, 2);
    check::that(client.flush(20'000), "flushed behind a proxy with the remembered address");
    check::same(asked("http://gateway/2018-03-24/"), std::size_t{0}, "sign-ins at a guessed address");
  }
  // A game that moved to another server does not use the addresses of the former one.
  const std::size_t before = asked("http://auth/");
  options.url = "http://moved";
  {
    Client client(options);
    track(client, 3);
    check::that(!client.flush(100), "nobody says where to sign in");
    check::same(asked("http://auth/"), before, "sign-ins at the former server");
  }
  // A final answer without addresses: one for all.
  options.url = "http://gateway";
  game.script->addresses = [] { return refusal(404, 1006); };
  game.script->next = [](const Request& request) { return request.url.find("/authenticate") == std::string::npos ? accepted() : device_session(); };
  Client client(options);
  check::that(client.flush(20'000), "flushed");
  check::same(asked("http://auth/"), before, "sign-ins at a forgotten address");
}

TEST("an answer with odd addresses does the state no harm") {
  Game game;
  // As deep as an answer may be, and so too deep for a member of the state.
  const std::string deep = std::string(32, '[') + std::string(32, ']');
  game.script->addresses = [&] { return answer(200, R"({"protocol":1,"events":)" + deep + R"(,"sessions":7})"); };
  Client client(game.options());
  track(client, 1);
  check::that(client.flush(20'000), "flushed");
  client.close();
  std::string text;
  detail::read_file(game.folder + "/state.json", text);
  check::that(contains(text, R"("of")"), "remembered: " + text);
  bool valid = false;
  check::that(Json::parse(text, valid)["installation"].is_text() && valid, "the state is read back: " + text);
}

TEST("a 404 to a sign-in is no refusal") {
  Game game;
  int left = 3;
  game.script->next = [&](const Request& request) {
    if (request.url.find("multiInsert") != std::string::npos) return accepted();
    return left-- > 0 ? refusal(404, 1006) : device_session();
  };
  Options options = game.options();
  options.principal = Principal::device;
  Client client(options);
  track(client, 1);
  check::that(client.flush(20'000), "flushed");
  check::that(std::any_of(game.said.begin(), game.said.end(), [](const std::string& text) { return text.find("SESSIONS_URL") != std::string::npos; }), "said");
}

TEST("a 404 to a sign-in asks for the addresses again") {
  Game game;
  int left = 1;
  game.script->addresses = [&] {
    return left-- > 0 ? refusal(404, 1006) : answer(200, R"({"protocol":1,"events":null,"sessions":"http://auth"})");
  };
  game.script->next = [](const Request& request) {
    if (request.url.find("multiInsert") != std::string::npos) return accepted();
    return request.url.find("http://auth/") == 0 ? device_session() : refusal(404, 1006);
  };
  Options options = game.options();
  options.principal = Principal::device;
  Client client(options);
  track(client, 1);
  check::that(client.flush(20'000), "flushed");
}

TEST("a lost answer to the first sign-in makes no second account") {
  Game game;
  game.script->next = [](const Request&) { return Response{}; };
  Options options = game.options();
  options.principal = Principal::device;
  std::set<std::string> keys;
  for (int start = 0; start < 3; ++start) {
    Client client(options);
    track(client, start);
    client.flush(20);
  }
  for (const Request& request : game.script->requests) {
    if (request.url.find("authenticate") != std::string::npos) keys.insert(header(request, "Idempotency-Key"));
  }
  check::same(keys.size(), std::size_t{1}, "keys");
}

TEST("clients that open a new folder at the same moment are one installation") {
  Game game;
  Options options = game.options();
  options.principal = Principal::device;
  options.send = nullptr;
  std::atomic<int> waiting{8};
  std::array<std::unique_ptr<Client>, 8> clients;
  std::vector<std::thread> threads;
  for (auto& client : clients) {
    threads.emplace_back([&client, &waiting, options] {
      for (--waiting; waiting > 0;) std::this_thread::yield();
      client = std::make_unique<Client>(options);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> principals;
  for (auto& client : clients) {
    check::that(track(*client, 1), "tracked");
    check::that(client->durable(), "on the disk");
    client->close(0);
  }
  for (const std::string& run : detail::list_folder(game.folder)) {
    for (const std::string& file : detail::list_folder(game.folder + "/" + run)) {
      std::string text;
      const auto at = detail::read_file(game.folder + "/" + run + "/" + file, text) ? text.find("device:") : std::string::npos;
      if (at != std::string::npos) principals.insert(text.substr(at, 15));
    }
  }
  check::same(principals.size(), std::size_t{1}, "installations");
}

TEST("a session that ended is renewed, and the events come again under their key") {
  Game game;
  int inserts = 0;
  game.script->next = [&](const Request& request) {
    if (request.url.find("authenticate") != std::string::npos) return device_session();
    return ++inserts == 1 ? refusal(401, 2004) : accepted();
  };
  Options options = game.options();
  options.principal = Principal::device;
  Client client(options);
  track(client, 1);
  check::that(client.flush(5000), "flushed");
  const auto sent = game.script->inserts();
  check::same(sent.size(), std::size_t{2}, "requests");
  if (sent.size() == 2) check::same(header(sent[0], "Idempotency-Key"), header(sent[1], "Idempotency-Key"), "key");
}

TEST("events of another account wait for its session") {
  Game game;
  game.script->next = [](const Request& request) {
    if (request.url.find("authenticate") == std::string::npos) return accepted();
    return device_session(request.body.find("steam") != std::string::npos ? "u-2" : "u-1");
  };
  Options options = game.options();
  options.principal = Principal::device;
  {
    Client client(options);
    std::string account;
    client.sign_in(Json::object({{"steamTicket", "14"}}), [&](const SignInStep& step) { account = step.session.account; });
    poll_until(client, [&] { return !account.empty(); });
    check::same(account, std::string("u-2"), "account");
    options.send->work(0);
    client.flush(200);
    // The next event is recorded for the account, and the game ends before it is sent.
    track(client, 1);
    client.close(0);
  }
  game.script->requests.clear();
  Client client(options);
  check::that(!client.flush(50), "waits");
  check::same(game.script->inserts().size(), std::size_t{0}, "requests");
  client.sign_in(Json::object({{"steamTicket", "14"}}), [](const SignInStep&) {});
  check::that(client.flush(5000), "sent after the sign-in");
}

TEST("without consent nothing is written or sent; with it, everything is; denied deletes") {
  Game game;
  Options options = game.options();
  options.consent = Consent::unknown;
  {
    Client client(options);
    for (int n = 0; n < 201; ++n) check::same(track(client, n), n < 200, "event " + std::to_string(n));
    client.poll();
    check::same(game.script->requests.size(), std::size_t{0}, "requests");
    check::same(client.losses()[Loss::consent], std::uint64_t{1}, "beyond the bound");
    client.set_consent(Consent::granted);
    client.poll();
    check::that(client.flush(5000), "flushed");
    check::same(lines(game.script->inserts().at(0).body), std::uint64_t{200}, "sent");
    track(client, 1);
    client.set_consent(Consent::denied);
    client.poll();
    check::that(!track(client, 2), "refused");
    check::same(client.pending(), std::uint64_t{0}, "deleted");
  }
  Client again(options);
  check::that(again.consent() == Consent::denied, "remembered");
}

TEST("a refusal is remembered, if a game sets no consent at its next start") {
  Game game;
  Options options = game.options();
  {
    Client client(options);
    client.set_consent(Consent::denied);
    client.poll();
  }
  options.consent = Options{}.consent;
  Client next(options);
  check::that(next.consent() == Consent::denied, "remembered");
}

TEST("a refusal in one process holds in another one on the same folder") {
  Game game;
  Options options = game.options();
  {
    Client first(options);
    Client second(options);
    check::that(track(second, 1), "tracked before the refusal");
    first.set_consent(Consent::denied);
    first.poll();
    check::that(!track(second, 2, 70'000), "a loss, which the second process saves");
    check::that(poll_until(second, [&] { return second.consent() == Consent::denied; }), "the second process follows");
    check::that(!track(second, 3), "refused");
    check::same(second.pending(), std::uint64_t{0}, "deleted");
  }
  options.consent = Consent::unknown;
  {
    Client third(options);
    check::that(third.consent() == Consent::denied, "remembered");
    third.set_consent(Consent::granted);
    third.poll();
  }
  Client last(options);
  check::that(last.consent() == Consent::granted, "the last choice of the player");
  check::same(game.script->inserts().size(), std::size_t{0}, "requests with events");
}

TEST("a start after a refusal deletes what other processes left, whatever it is given") {
  for (const Consent given : {Consent::granted, Consent::unknown}) {
    Game game;
    Options options = game.options();
    game.script->next = [](const Request&) { return Response{}; };
    {
      Client left(options);
      track(left, 1);
      left.close(0);
    }
    std::string run;
    for (const std::string& name : detail::list_folder(game.folder)) {
      if (name.size() == 25) run = name;
    }
    const std::string aside = check::new_folder() + "-run";
    check::that(detail::rename_file(game.folder + "/" + run, aside), "moved away");
    {
      Client refused(options);
      refused.set_consent(Consent::denied);
      refused.poll();
    }
    // As if another process, which did not learn of the refusal, had written it and died.
    check::that(detail::rename_file(aside, game.folder + "/" + run), "moved back");
    game.script->next = [](const Request&) { return accepted(); };
    options.consent = given;
    Client next(options);
    next.set_consent(Consent::granted);
    next.poll();
    check::that(next.flush(5000), "nothing to send");
    check::same(game.script->inserts().size(), std::size_t{0}, "requests with events");
  }
}

TEST("a folder that cannot be used keeps 200 events in memory and says so") {
  Game game;
  Options options = game.options();
  options.folder = game.folder + "/file";
  detail::write_file(options.folder, "not a folder");
  Client client(options);
  check::that(!client.durable(), "not durable");
  check::same(game.said.size(), std::size_t{1}, "explained");
  for (int n = 0; n < 250; ++n) check::same(track(client, n), n < 200, "event " + std::to_string(n));
  check::that(client.flush(5000), "flushed");
  check::that(track(client, 1), "room again");
}

TEST("the buffer is bounded, and what is deleted is counted") {
  Game game;
  Options options = game.options();
  options.send = nullptr;
  options.tuning.buffer_bytes = 200 * 1024;
  Client client(options);
  for (int n = 0; n < 40; ++n) {
    track(client, n, 20'000);
    client.poll();
  }
  const std::uint64_t lost = client.losses()[Loss::buffer_full];
  check::that(lost > 20, "lost " + std::to_string(lost));
  check::same(client.pending() + lost, std::uint64_t{40}, "kept and lost");
}

TEST("events that cannot be events are refused and counted") {
  Game game;
  Client client(game.options());
  check::that(!track(client, 1, 70'000), "too large");
  check::that(!client.track("t", 1, [](Writer& json) { json.value(std::string_view("\xFF")); }), "not UTF-8");
  check::that(!client.track("t", 1, [](Writer& json) { json.value(0.0 / 0.0 * -1); }), "not a number");
  check::that(track(client, 2), "a good one");
  check::that(client.flush(), "flushed");
  check::same(lines(game.script->inserts().at(0).body), std::uint64_t{1}, "sent");
  check::same(client.losses()[Loss::too_large], std::uint64_t{1}, "too large");
  check::same(client.losses()[Loss::rejected], std::uint64_t{2}, "rejected");
}

TEST("a clock in 1970 and a clock that jumps lose nothing") {
  Game game;
  Client client(game.options());
  client.shift_clock(-detail::system_wall_ms() + 5000);
  track(client, 1);
  client.shift_clock(0);
  track(client, 2);
  check::that(client.flush(5000), "flushed");
  check::same(game.script->inserts().size(), std::size_t{2}, "segments");
}

TEST("calls after close do nothing") {
  Game game;
  Client client(game.options());
  client.close();
  client.close();
  check::that(!track(client, 1), "refused");
  check::same(client.losses()[Loss::closed], std::uint64_t{1}, "counted");
  check::that(client.flush(10), "nothing to send");
  client.poll();
  client.background();
}

TEST("many threads, 10,000 calls each") {
  Game game;
  Options options = game.options();
  options.threads = true;
  options.tuning.buffer_bytes = 256u * 1024 * 1024;
  Client client(options);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&client, t] {
      for (int n = 0; n < 10'000; ++n) track(client, t * 10'000 + n);
    });
  }
  for (std::thread& thread : threads) thread.join();
  check::that(client.flush(20'000), "flushed");
  client.close();
  std::uint64_t sent = 0;
  for (const Request& request : game.script->inserts()) sent += lines(request.body);
  check::same(sent, std::uint64_t{40'000}, "sent");
}

#if !defined(_WIN32)
TEST("a kill -9 after any event loses none that was confirmed") {
  for (int round = 0; round < 25; ++round) {
    Game game;
    int pipe_ends[2];
    check::that(pipe(pipe_ends) == 0, "pipe");
    const pid_t child = fork();
    if (child == 0) {
      Options options = game.options();
      options.send = nullptr;
      options.tuning.seal_events = 20;
      options.threads = true;
      Client client(options);
      for (std::uint32_t n = 1;; ++n) {
        if (track(client, n) && write(pipe_ends[1], &n, sizeof n) < 0) _exit(1);
      }
    }
    close(pipe_ends[1]);
    std::uint32_t confirmed = 0;
    const std::uint32_t until = 37 + static_cast<std::uint32_t>(round) * 61;
    while (confirmed < until && read(pipe_ends[0], &confirmed, sizeof confirmed) == sizeof confirmed) {}
    kill(child, SIGKILL);
    while (read(pipe_ends[0], &confirmed, sizeof confirmed) == sizeof confirmed) {}
    close(pipe_ends[0]);
    waitpid(child, nullptr, 0);
    Client client(game.options());
    client.flush(10'000);
    std::set<std::string> numbers;
    std::uint64_t sent = 0;
    for (const Request& request : game.script->inserts()) {
      sent += lines(request.body);
      for (std::size_t at = 0; (at = request.body.find("{\"n\":", at)) != std::string::npos; at += 5) {
        numbers.insert(request.body.substr(at + 5, request.body.find('}', at) - at - 5));
      }
    }
    check::same(numbers.size(), static_cast<std::size_t>(sent), "distinct");
    check::that(sent >= confirmed && sent <= confirmed + 1, "confirmed " + std::to_string(confirmed) + ", sent " + std::to_string(sent));
  }
}

TEST("a full disk refuses events, counts them, says so once, and ends nothing") {
  Game game;
  const pid_t child = fork();
  if (child == 0) {
    // A bound on the size of files stands for the full disk: reserving the segment fails.
    signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1024, 1024};
    setrlimit(RLIMIT_FSIZE, &small);
    Client client(game.options());
    int refused = 0;
    for (int n = 0; n < 10'000; ++n) refused += track(client, n) ? 0 : 1;
    client.poll();
    const bool is_said = game.said.size() == 1 && contains(game.said[0], game.folder) && contains(game.said[0], "free space");
    _exit(refused == 10'000 && client.losses().total() == 10'000 && is_said ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  check::same(status, 0, "the process ended well");
}
#endif

int main(int count, char** arguments) { return check::run(count, arguments); }
