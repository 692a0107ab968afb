// The folder of one start, with its lock, and the segments in it.
#pragma once
#include <memory>
#include <string>

#include "clock.hpp"
#include "files.hpp"
#include "segment.hpp"

namespace tickrate::detail {

/** A folder of segments that this process holds the lock of: its own run, or one that it adopted. */
struct Run {
  std::string path;
  FolderLock lock;
  std::size_t segments = 0;
  bool own = false;

  /** Why there is no run. */
  struct Refusal {
    FileFault fault = FileFault::none;
    std::string reason;
  };

  /** Makes the folder and a run in it. Null with the reason if that is not possible. */
  static std::shared_ptr<Run> begin(const std::string& folder, std::int64_t wall_ms, Refusal& refusal) {
    // Another start may adopt, and then delete, a run that is not locked yet.
    for (int attempt = 0; attempt < 3; ++attempt) {
      const std::string random = random_hex(8);
      auto run = std::make_shared<Run>();
      run->own = true;
      run->path = path_in(folder, SegmentName::make_stem(wall_ms, 0, random));
      if (!random.empty() && make_folders(folder) && make_folder(run->path) && run->lock.take(run->lock_path()) && !run->is_deleted()) return run;
      refusal = {last_fault(), last_reason()};
      run->lock.release();
      // Only where there was no space for its lock: a folder that another start has adopted is not empty, or gone.
      remove_folder(run->path);
    }
    return nullptr;
  }

  std::string lock_path() const { return path_in(path, "lock"); }
  /** By somebody who cleans up: no other process may delete the lock while it is held. */
  bool is_deleted() const { return !file_exists(lock_path()); }
};

/** A segment: one that grows in a mapped file of a run, or a sealed one that waits to be sent. Without a run, it is in memory only. */
struct Segment {
  std::shared_ptr<Run> run;
  std::string stem;
  std::string key;
  std::string principal;
  /** When it began. Of an adopted one, the monotonic clock is -1. */
  ClockBase clock;
  std::uint32_t events = 0;
  std::size_t bytes = 0;
  /** Without a run. Of one that grows, more than `bytes`. */
  std::string contents;
  /** Of one that grows. */
  MappedFile file;
  /** When its file was begun to be written to the disk. */
  std::int64_t writing_ms = -1;

  char* data() { return file.memory != nullptr ? file.memory : contents.data(); }
  std::size_t size() const { return file.memory != nullptr ? file.size : contents.size(); }
  bool valid() const { return !stem.empty(); }
  std::string open_path() const { return path_in(run->path, stem) + ".open"; }
  std::string sealed_path() const { return path_in(run->path, stem) + ".seal"; }
};

}  // namespace tickrate::detail
