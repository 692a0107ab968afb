// Requests of the browser, for builds with emscripten: link with -sFETCH=1. The folder must be on a persistent file
// system (IDBFS) that the game syncs; where events must survive a closed tab at once, use the TypeScript SDK.
#pragma once
#include <emscripten/fetch.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tickrate.hpp"

namespace tickrate {
namespace detail {

class EmscriptenTransport final : public Transport {
 public:
  void start(Request request, std::function<void(Response)> done) override {
    auto* exchange = new Exchange{std::move(request), std::move(done), {}};
    for (const auto& [name, value] : exchange->request.headers) {
      exchange->headers.push_back(name.c_str());
      exchange->headers.push_back(value.c_str());
    }
    exchange->headers.push_back(nullptr);
    emscripten_fetch_attr_t attributes;
    emscripten_fetch_attr_init(&attributes);
    std::strncpy(attributes.requestMethod, exchange->request.method.c_str(), sizeof attributes.requestMethod - 1);
    attributes.attributes = EMSCRIPTEN_FETCH_LOAD_TO_MEMORY;
    attributes.requestHeaders = exchange->headers.data();
    attributes.requestData = exchange->request.body.data();
    attributes.requestDataSize = exchange->request.body.size();
    attributes.timeoutMSecs = static_cast<unsigned long>(exchange->request.timeout_ms);
    attributes.userData = exchange;
    attributes.onsuccess = attributes.onerror = [](emscripten_fetch_t* fetch) { finish(fetch); };
    emscripten_fetch(&attributes, exchange->request.url.c_str());
  }
  void work(std::int64_t) override {}

 private:
  struct Exchange {
    Request request;
    std::function<void(Response)> done;
    std::vector<const char*> headers;
  };

  static void finish(emscripten_fetch_t* fetch) {
    const std::unique_ptr<Exchange> exchange(static_cast<Exchange*>(fetch->userData));
    Response response;
    if (fetch->numBytes <= max_answer_bytes) {
      response.status = fetch->status;
      response.body.assign(fetch->data, static_cast<std::size_t>(fetch->numBytes));
    }
    emscripten_fetch_close(fetch);
    exchange->done(std::move(response));
  }
};

}  // namespace detail

/** Sends with the browser's own requests. Use it with `threads = false` and `poll()`. */
inline std::shared_ptr<Transport> emscripten_transport() { return std::make_shared<detail::EmscriptenTransport>(); }

}  // namespace tickrate
