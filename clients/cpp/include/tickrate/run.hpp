// The folder of one start, with its lock.
#pragma once
#include <memory>
#include <string>

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

}  // namespace tickrate::detail
