// Sends one event: first_event URL KEY
#include <cstdio>

#include "curl_transport.hpp"
#include "tickrate.hpp"

int main(int count, char** arguments) {
  if (count != 3) return std::puts("usage: first_event URL KEY"), 2;
  tickrate::Options options;
  options.url = arguments[1];
  options.key = arguments[2];
  options.folder = "tickrate";
  options.consent = tickrate::Consent::granted;
  options.send = tickrate::curl_transport();
  options.debug = tickrate::explain_to([](const std::string& text) { std::puts(text.c_str()); });
  tickrate::Client client(options);

  client.track("level_up", 1, [](tickrate::Writer& json) {
    json.begin_object();
    json.member("level", 7);
    json.member("character", "ranger");
    json.end_object();
  });
  std::puts(client.flush(5000) ? "stored" : "kept, and sent at the next start");
}
