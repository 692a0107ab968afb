// HTTPS with libcurl (7.66 or later): link with -lcurl.
#pragma once
#include <curl/curl.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tickrate.hpp"

namespace tickrate {
namespace detail {

class CurlTransport final : public Transport {
 public:
  CurlTransport() {
    // Counted by libcurl, so a game that uses it too is not disturbed.
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi_ = curl_multi_init();
  }
  ~CurlTransport() override {
    for (auto& [easy, exchange] : exchanges_) {
      curl_multi_remove_handle(multi_, easy);
      curl_easy_cleanup(easy);
      curl_slist_free_all(exchange->headers);
    }
    curl_multi_cleanup(multi_);
    curl_global_cleanup();
  }

  void start(Request request, std::function<void(Response)> done) override {
    auto exchange = std::make_unique<Exchange>();
    exchange->request = std::move(request);
    exchange->done = std::move(done);
    CURL* easy = curl_easy_init();
    if (easy == nullptr) return exchange->done(Response{});
    Request& sent = exchange->request;
    for (const auto& [name, value] : sent.headers) exchange->headers = curl_slist_append(exchange->headers, (name + ": " + value).c_str());
    // Without this, curl waits a second for a "100 Continue" that a server need not send.
    exchange->headers = curl_slist_append(exchange->headers, "Expect:");
    curl_easy_setopt(easy, CURLOPT_URL, sent.url.c_str());
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, sent.method.c_str());
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, exchange->headers);
    if (sent.method != "GET") {
      curl_easy_setopt(easy, CURLOPT_POSTFIELDS, sent.body.data());
      curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(sent.body.size()));
    }
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(sent.timeout_ms));
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &CurlTransport::on_body);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, exchange.get());
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &CurlTransport::on_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, exchange.get());
    curl_multi_add_handle(multi_, easy);
    exchanges_.emplace(easy, std::move(exchange));
  }

  void work(std::int64_t wait_ms) override {
    int running = 0;
    if (wait_ms > 0) curl_multi_poll(multi_, nullptr, 0, static_cast<int>(wait_ms), nullptr);
    curl_multi_perform(multi_, &running);
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
      if (message->msg == CURLMSG_DONE) finish(message->easy_handle, message->data.result);
    }
  }

  void wake() override { curl_multi_wakeup(multi_); }

 private:
  struct Exchange {
    Request request;
    std::function<void(Response)> done;
    Response response;
    curl_slist* headers = nullptr;
  };

  void finish(CURL* easy, CURLcode result) {
    const auto found = exchanges_.find(easy);
    if (found == exchanges_.end()) return;
    const std::unique_ptr<Exchange> exchange = std::move(found->second);
    exchanges_.erase(found);
    long status = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_multi_remove_handle(multi_, easy);
    curl_easy_cleanup(easy);
    curl_slist_free_all(exchange->headers);
    if (result != CURLE_OK) {
      Response none;
      none.reason = curl_easy_strerror(result);
      return exchange->done(std::move(none));
    }
    exchange->response.status = static_cast<int>(status);
    exchange->done(std::move(exchange->response));
  }

  /** Fewer bytes than given end the transfer: an endless body is no answer. */
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* context) {
    std::string& body = static_cast<Exchange*>(context)->response.body;
    if (body.size() + size > max_answer_bytes) return 0;
    body.append(data, size);
    return size;
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* context) {
    Response& response = static_cast<Exchange*>(context)->response;
    std::string line(data, size);
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.pop_back();
    const auto colon = line.find(':');
    if (colon == std::string::npos) return size;
    std::string name = line.substr(0, colon);
    for (char& byte : name) byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte;
    const auto from = line.find_first_not_of(' ', colon + 1);
    const std::string value = from == std::string::npos ? std::string() : line.substr(from);
    if (name == "date") response.date = value;
    if (name == "retry-after" && !value.empty() && value.find_first_not_of("0123456789") == std::string::npos) {
      response.retry_after_seconds = std::strtod(value.c_str(), nullptr);
    }
    return size;
  }

  CURLM* multi_;
  std::map<CURL*, std::unique_ptr<Exchange>> exchanges_;
};

}  // namespace detail

/** Sends with libcurl, with its defaults for certificates and proxies. */
inline std::shared_ptr<Transport> curl_transport() { return std::make_shared<detail::CurlTransport>(); }

}  // namespace tickrate
