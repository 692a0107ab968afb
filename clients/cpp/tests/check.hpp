// Checks that name their place and go on, so that one run shows every fault.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tickrate.hpp"

namespace check {

inline int failed = 0;
inline int passed = 0;
inline std::string current;

inline std::string shown(const std::string& value) { return "\"" + value + "\""; }
inline std::string shown(const char* value) { return shown(std::string(value)); }
inline std::string shown(bool value) { return value ? "true" : "false"; }
inline std::string shown(const tickrate::Json& value) { return value.write(); }
template <class T>
std::string shown(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

template <class A, class B>
void same(const A& actual, const B& expected, const std::string& what) {
  if (actual == expected) return;
  ++failed;
  std::printf("  FAILED %s: %s is %s, expected %s\n", current.c_str(), what.c_str(), shown(actual).c_str(), shown(expected).c_str());
}
inline void that(bool holds, const std::string& what) { same(holds, true, what); }

inline std::vector<std::pair<std::string, std::function<void()>>>& tests() {
  static std::vector<std::pair<std::string, std::function<void()>>> all;
  return all;
}
struct Test {
  Test(const char* name, std::function<void()> run) { tests().emplace_back(name, std::move(run)); }
};

inline std::string& folder() {
  static std::string path;
  return path;
}
inline std::string& vectors() {
  static std::string path;
  return path;
}
/** A new folder for one test. */
inline std::string new_folder() {
  const std::string path = folder() + "/" + tickrate::detail::random_hex(8);
  tickrate::detail::make_folders(path);
  return path;
}
inline std::string file(const std::string& name) {
  std::string text;
  that(tickrate::detail::read_file(vectors() + "/" + name, text), "reading " + name);
  return text;
}
inline tickrate::Json json(const std::string& name) {
  bool valid = false;
  const tickrate::Json value = tickrate::Json::parse(file(name), valid);
  that(valid, name + " is JSON");
  return value;
}

/** `tests VECTORS FOLDER`. Prints `N passed, N failed` and ends with 1 if any failed. */
inline int run(int count, char** arguments) {
  if (count != 3) return 2;
  vectors() = arguments[1];
  folder() = arguments[2];
  for (const auto& [name, test] : tests()) {
    const int before = failed;
    current = name;
    test();
    passed += failed == before ? 1 : 0;
  }
  std::printf("%d passed, %d failed\n", passed, static_cast<int>(tests().size()) - passed);
  return failed == 0 ? 0 : 1;
}

}  // namespace check

#define CHECK_JOINED(a, b) a##b
#define CHECK_JOIN(a, b) CHECK_JOINED(a, b)
#define CHECK_TEST(name, function)         \
  static void function();                  \
  static const check::Test CHECK_JOIN(registered_, __LINE__)(name, function); \
  static void function()
#define TEST(name) CHECK_TEST(name, CHECK_JOIN(test_, __LINE__))
