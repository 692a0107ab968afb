// Plain HTTP over a socket, without a library: for development against `npm start`, and for tests. Not for players:
// keys and events travel unencrypted. Use curl_transport.hpp or winhttp_transport.hpp in a release.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "tickrate.hpp"

#if defined(_WIN32)
#include <winsock2.h>
// After winsock2.h.
#include <ws2tcpip.h>
#else
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace tickrate {
namespace detail {

#if defined(_WIN32)
using Socket = SOCKET;
inline constexpr Socket no_socket = INVALID_SOCKET;
inline void close_socket(Socket socket) { closesocket(socket); }
inline bool would_block() { return WSAGetLastError() == WSAEWOULDBLOCK; }
inline void no_waiting(Socket socket) {
  u_long on = 1;
  ioctlsocket(socket, FIONBIO, &on);
}
inline int wait_for(Socket socket, short events, int wait_ms) {
  WSAPOLLFD entry{socket, events, 0};
  return WSAPoll(&entry, 1, wait_ms);
}
inline constexpr int send_flags = 0;
#else
using Socket = int;
inline constexpr Socket no_socket = -1;
inline void close_socket(Socket socket) { ::close(socket); }
inline bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINPROGRESS; }
inline void no_waiting(Socket socket) { fcntl(socket, F_SETFL, fcntl(socket, F_GETFL, 0) | O_NONBLOCK); }
inline int wait_for(Socket socket, short events, int wait_ms) {
  pollfd entry{socket, events, 0};
  return ::poll(&entry, 1, wait_ms);
}
#if defined(MSG_NOSIGNAL)
inline constexpr int send_flags = MSG_NOSIGNAL;
#else
inline constexpr int send_flags = 0;
#endif
#endif

/** One request on one connection, which is closed afterwards. */
class PlainExchange {
 public:
  PlainExchange(Request request, std::function<void(Response)> done) : request_(std::move(request)), done_(std::move(done)) {
    until_ms_ = system_monotonic_ms() + request_.timeout_ms;
    failed_ = !connect();
  }
  ~PlainExchange() {
    if (socket_ != no_socket) close_socket(socket_);
  }

  /** True when it is over. */
  bool work(int wait_ms) {
    if (failed_) return fail("the address cannot be found");
    if (system_monotonic_ms() >= until_ms_) return fail("timeout");
    wait_for(socket_, sent_ < out_.size() ? POLLOUT : POLLIN, wait_ms);
    while (sent_ < out_.size()) {
      const auto size = ::send(socket_, out_.data() + sent_, static_cast<int>(std::min<std::size_t>(out_.size() - sent_, 1 << 20)), send_flags);
      if (size < 0) return would_block() || not_connected_yet() ? false : fail(last_reason());
      sent_ += static_cast<std::size_t>(size);
    }
    char block[16 * 1024];
    for (;;) {
      const auto size = ::recv(socket_, block, sizeof block, 0);
      if (size < 0) return would_block() ? false : fail(last_reason());
      if (size == 0) return finish(parse(true));
      in_.append(block, static_cast<std::size_t>(size));
      const Response response = parse(false);
      if (response.status != 0) return finish(response);
      if (in_.size() > max_answer_bytes + 16 * 1024) return finish(Response{});
    }
  }

 private:
  bool connect() {
    constexpr std::string_view scheme = "http://";
    if (request_.url.compare(0, scheme.size(), scheme) != 0) return false;
    const auto slash = request_.url.find('/', scheme.size());
    const std::string authority = request_.url.substr(scheme.size(), slash == std::string::npos ? slash : slash - scheme.size());
    const std::string path = slash == std::string::npos ? "/" : request_.url.substr(slash);
    const auto colon = authority.rfind(':');
    const bool has_port = colon != std::string::npos && authority.find(']', colon) == std::string::npos;
    std::string host = has_port ? authority.substr(0, colon) : authority;
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (getaddrinfo(host.c_str(), has_port ? authority.c_str() + colon + 1 : "80", &wanted, &found) != 0) return false;
    socket_ = ::socket(found->ai_family, found->ai_socktype, found->ai_protocol);
    if (socket_ != no_socket) {
      no_waiting(socket_);
      ::connect(socket_, found->ai_addr, static_cast<socklen_t>(found->ai_addrlen));
    }
    freeaddrinfo(found);
    out_ = request_.method + " " + path + " HTTP/1.1\r\nHost: " + authority + "\r\nConnection: close\r\n";
    for (const auto& [name, value] : request_.headers) out_ += name + ": " + value + "\r\n";
    out_ += "Content-Length: " + std::to_string(request_.body.size()) + "\r\n\r\n" + request_.body;
    return socket_ != no_socket;
  }

  bool not_connected_yet() const {
#if defined(_WIN32)
    return WSAGetLastError() == WSAENOTCONN;
#else
    return errno == ENOTCONN;
#endif
  }

  /** Status 0 while the answer is not complete. */
  Response parse(bool ended) const {
    Response response;
    const auto end = in_.find("\r\n\r\n");
    if (end == std::string::npos || in_.compare(0, 9, "HTTP/1.1 ") != 0) return response;
    const int status = std::atoi(in_.c_str() + 9);
    const std::string head = in_.substr(0, end + 2);
    std::string body = in_.substr(end + 4);
    const std::string length = header(head, "content-length");
    if (header(head, "transfer-encoding") == "chunked") {
      if (!unchunk(body)) return response;
    } else if (!length.empty()) {
      const auto size = static_cast<std::size_t>(std::strtoull(length.c_str(), nullptr, 10));
      if (size > max_answer_bytes || body.size() < size) return response;
      body.resize(size);
    } else if (!ended) {
      return response;
    }
    if (body.size() > max_answer_bytes) return response;
    response.status = status;
    response.body = std::move(body);
    const std::string retry = header(head, "retry-after");
    if (!retry.empty() && retry.find_first_not_of("0123456789") == std::string::npos) response.retry_after_seconds = std::strtod(retry.c_str(), nullptr);
    response.date = header(head, "date");
    return response;
  }

  static std::string header(const std::string& head, std::string_view name) {
    std::size_t at = head.find("\r\n") + 2;
    while (at < head.size()) {
      const auto end = head.find("\r\n", at);
      const auto colon = head.find(':', at);
      if (colon < end && colon - at == name.size() && std::equal(name.begin(), name.end(), head.begin() + static_cast<std::ptrdiff_t>(at), [](char a, char b) {
            return a == (b >= 'A' && b <= 'Z' ? static_cast<char>(b + 32) : b);
          })) {
        const auto from = head.find_first_not_of(' ', colon + 1);
        return head.substr(from, end - from);
      }
      at = end + 2;
    }
    return {};
  }

  static bool unchunk(std::string& body) {
    std::string whole;
    std::size_t at = 0;
    for (;;) {
      const auto end = body.find("\r\n", at);
      if (end == std::string::npos) return false;
      const auto size = static_cast<std::size_t>(std::strtoull(body.c_str() + at, nullptr, 16));
      if (size > max_answer_bytes || body.size() < end + 2 + size + 2) return false;
      if (size == 0) break;
      whole.append(body, end + 2, size);
      at = end + 2 + size + 2;
    }
    body = std::move(whole);
    return true;
  }

  bool fail(std::string reason) {
    Response none;
    none.reason = std::move(reason);
    return finish(std::move(none));
  }
  bool finish(Response response) {
    done_(std::move(response));
    return true;
  }

  Request request_;
  std::function<void(Response)> done_;
  Socket socket_ = no_socket;
  std::int64_t until_ms_ = 0;
  bool failed_ = false;
  std::string out_;
  std::size_t sent_ = 0;
  std::string in_;
};

class PlainHttpTransport final : public Transport {
 public:
  PlainHttpTransport() {
#if defined(_WIN32)
    WSADATA data;
    WSAStartup(MAKEWORD(2, 2), &data);
#endif
  }
  void start(Request request, std::function<void(Response)> done) override {
    exchanges_.push_back(std::make_unique<PlainExchange>(std::move(request), std::move(done)));
  }
  void work(std::int64_t wait_ms) override {
    const int each = exchanges_.empty() ? 0 : static_cast<int>(wait_ms) / static_cast<int>(exchanges_.size());
    for (auto exchange = exchanges_.begin(); exchange != exchanges_.end();) {
      exchange = (*exchange)->work(each) ? exchanges_.erase(exchange) : std::next(exchange);
    }
  }

 private:
  std::list<std::unique_ptr<PlainExchange>> exchanges_;
};

}  // namespace detail

/** Sends over plain HTTP. An https address gets no answer. */
inline std::shared_ptr<Transport> plain_http_transport() { return std::make_shared<detail::PlainHttpTransport>(); }

}  // namespace tickrate
