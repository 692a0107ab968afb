// HTTPS with what Windows brings: link with winhttp.lib.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tickrate.hpp"

// After windows.h, which tickrate.hpp includes.
#include <winhttp.h>

namespace tickrate {
namespace detail {

/** Each request has a thread of its own, which there are at most two of at a time. */
class WinHttpTransport final : public Transport {
 public:
  WinHttpTransport() {
    session_ = WinHttpOpen(L"Tickrate", WINHTTP_ACCESS_TYPE_DEFAULT_PROXY, WINHTTP_NO_PROXY_NAME, WINHTTP_NO_PROXY_BYPASS, 0);
  }
  ~WinHttpTransport() override {
    // Closing the session ends the requests that still wait.
    if (session_ != nullptr) WinHttpCloseHandle(session_);
    for (Exchange& exchange : exchanges_) exchange.thread.join();
  }

  void start(Request request, std::function<void(Response)> done) override {
    Exchange exchange;
    exchange.over = std::make_shared<std::atomic<bool>>(false);
    exchange.thread = std::thread([session = session_, over = exchange.over, request = std::move(request), done = std::move(done)] {
      done(send(session, request));
      over->store(true);
    });
    exchanges_.push_back(std::move(exchange));
  }

  void work(std::int64_t) override {
    for (auto exchange = exchanges_.begin(); exchange != exchanges_.end();) {
      if (!exchange->over->load()) {
        ++exchange;
        continue;
      }
      exchange->thread.join();
      exchange = exchanges_.erase(exchange);
    }
  }

 private:
  struct Exchange {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> over;
  };
  /** Closes a handle at the end of its scope. */
  struct Handle {
    HINTERNET handle;
    ~Handle() {
      if (handle != nullptr) WinHttpCloseHandle(handle);
    }
  };

  static Response send(HINTERNET session, const Request& request) {
    std::wstring url = wide(request.url);
    URL_COMPONENTS parts{};
    parts.dwStructSize = sizeof parts;
    wchar_t host[256] = {}, path[2048] = {};
    parts.lpszHostName = host;
    parts.dwHostNameLength = 255;
    parts.lpszUrlPath = path;
    parts.dwUrlPathLength = 2047;
    if (session == nullptr || WinHttpCrackUrl(url.c_str(), 0, 0, &parts) == 0) return no_answer();
    const Handle connection{WinHttpConnect(session, host, parts.nPort, 0)};
    if (connection.handle == nullptr) return no_answer();
    const DWORD flags = parts.nScheme == INTERNET_SCHEME_HTTPS ? WINHTTP_FLAG_SECURE : 0;
    const Handle call{WinHttpOpenRequest(connection.handle, wide(request.method).c_str(), path, nullptr, WINHTTP_NO_REFERER,
                                         WINHTTP_DEFAULT_ACCEPT_TYPES, flags)};
    if (call.handle == nullptr) return no_answer();
    DWORD never = WINHTTP_OPTION_REDIRECT_POLICY_NEVER;
    WinHttpSetOption(call.handle, WINHTTP_OPTION_REDIRECT_POLICY, &never, sizeof never);
    const int timeout = static_cast<int>(request.timeout_ms);
    WinHttpSetTimeouts(call.handle, timeout, timeout, timeout, timeout);
    std::wstring headers;
    for (const auto& [name, value] : request.headers) headers += wide(name + ": " + value) + L"\r\n";
    const auto size = static_cast<DWORD>(request.body.size());
    if (WinHttpSendRequest(call.handle, headers.c_str(), static_cast<DWORD>(headers.size()),
                           request.body.empty() ? WINHTTP_NO_REQUEST_DATA : const_cast<char*>(request.body.data()), size, size, 0) == 0 ||
        WinHttpReceiveResponse(call.handle, nullptr) == 0) {
      return no_answer();
    }
    return receive(call.handle, system_monotonic_ms() + request.timeout_ms);
  }

  static Response no_answer() {
    Response none;
    none.reason = last_reason();
    return none;
  }

  static Response receive(HINTERNET call, std::int64_t until_ms) {
    Response response;
    DWORD status = 0, size = sizeof status;
    WinHttpQueryHeaders(call, WINHTTP_QUERY_STATUS_CODE | WINHTTP_QUERY_FLAG_NUMBER, WINHTTP_HEADER_NAME_BY_INDEX, &status, &size,
                        WINHTTP_NO_HEADER_INDEX);
    char block[8 * 1024];
    for (DWORD read = 0;; response.body.append(block, read)) {
      if (WinHttpReadData(call, block, sizeof block, &read) == 0) return {};
      if (read == 0) break;
      if (response.body.size() + read > max_answer_bytes || system_monotonic_ms() > until_ms) return {};
    }
    response.status = static_cast<int>(status);
    response.date = header(call, WINHTTP_QUERY_DATE);
    const std::string retry = header(call, WINHTTP_QUERY_RETRY_AFTER);
    if (!retry.empty() && retry.find_first_not_of("0123456789") == std::string::npos) {
      response.retry_after_seconds = std::strtod(retry.c_str(), nullptr);
    }
    return response;
  }

  static std::string header(HINTERNET call, DWORD which) {
    wchar_t text[256] = {};
    DWORD size = sizeof text;
    if (WinHttpQueryHeaders(call, which, WINHTTP_HEADER_NAME_BY_INDEX, text, &size, WINHTTP_NO_HEADER_INDEX) == 0) return {};
    return narrow(text);
  }

  HINTERNET session_;
  std::vector<Exchange> exchanges_;
};

}  // namespace detail

/** Sends with WinHTTP, with the certificates and the proxy of Windows. */
inline std::shared_ptr<Transport> winhttp_transport() { return std::make_shared<detail::WinHttpTransport>(); }

}  // namespace tickrate
