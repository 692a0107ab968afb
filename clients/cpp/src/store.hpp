// Everything on the disk: the folder of a game, its runs, their sealed segments, and state.json.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "losses.hpp"
#include "segment.hpp"

namespace tickrate::detail {

/** A folder of segments that this process holds the lock of: its own run, or one that it adopted. */
struct Run {
  std::string path;
  FolderLock lock;
  std::size_t segments = 0;
  bool own = false;
};

/** A sealed segment that waits to be sent. Without a run, its contents are in memory only. */
struct Segment {
  std::shared_ptr<Run> run;
  std::string stem;
  std::string key;
  std::string principal;
  std::int64_t base_ms = 0;
  std::uint32_t events = 0;
  std::size_t bytes = 0;
  std::string contents;
  /** The monotonic clock at `base_ms`, of segments of this start; -1 of adopted ones. */
  std::int64_t monotonic_ms = -1;

  std::string path() const { return run->path + "/" + stem + ".seal"; }
};

/** Used by one thread only. */
class Store {
 public:
  Store(std::string folder, const Tuning& tuning, LossCounter& losses) : folder_(std::move(folder)), tuning_(tuning), losses_(losses) {}
  ~Store() { close(); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /** Makes the folder and a run of its own in it. False with the reason if that is not possible. */
  bool open(std::int64_t wall_ms, std::string& reason) {
    if (folder_.empty()) {
      reason = "no folder was given";
      return false;
    }
    state_ = saved_state();
    losses_.restore(state_["losses"]);
    // Another start may adopt, and then delete, a run that is not locked yet.
    for (int attempt = 0; attempt < 3 && !own_; ++attempt) begin_run(wall_ms, reason);
    return own_ != nullptr;
  }

  /** Takes over the segments of runs that have ended. Those of a device are this installation's, `device`. */
  void adopt(const std::string& device) {
    if (!own_) return;
    device_ = device;
    for (const std::string& name : list_folder(folder_)) {
      if (name.size() != 25 || name[16] != '-' || folder_ + "/" + name == own_->path) continue;
      if (!SegmentName::is_hex(name.substr(0, 16)) || !SegmentName::is_hex(name.substr(17))) continue;
      auto run = std::make_shared<Run>();
      run->path = folder_ + "/" + name;
      if (!run->lock.take(run->path + "/lock")) continue;
      recover(run);
      if (run->segments == 0) remove_run(*run);
    }
    sort();
  }

  const std::string* own_path() const { return own_ ? &own_->path : nullptr; }

  /** Seals an open segment of the own run, and flushes it to the disk first. */
  void seal(MappedFile& file, const std::string& stem, std::size_t used, Segment segment) {
    const std::string path = own_->path + "/" + stem;
    if (segment.events == 0) {
      close_mapped(file, 0, false);
      remove_file(path + ".open");
      return;
    }
    const FileFault fault = close_mapped(file, used, true);
    if (fault != FileFault::none || !rename_file(path + ".open", path + ".seal")) {
      // Left as it is: the next start recovers it, and sends what is good of it.
      return;
    }
    segment.run = own_;
    segment.bytes = used;
    add(std::move(segment));
  }

  /** Takes a segment that is in memory only, because there is no folder. */
  void keep(Segment segment) {
    segment.bytes = segment.contents.size();
    add(std::move(segment));
  }

  std::vector<Segment>& segments() { return segments_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t events() const {
    std::uint64_t sum = 0;
    for (const Segment& segment : segments_) sum += segment.events;
    return sum;
  }

  /** The file's contents with its checksums; false if it cannot be read any more. */
  bool read(const Segment& segment, std::string& contents) const {
    if (segment.run) return read_file(segment.path(), contents);
    contents = segment.contents;
    return true;
  }

  void remove(const std::string& stem) {
    const auto found = find(stem);
    if (found == segments_.end()) return;
    if (found->run) {
      remove_file(found->path());
      if (--found->run->segments == 0 && !found->run->own) remove_run(*found->run);
    }
    bytes_ -= found->bytes;
    segments_.erase(found);
  }

  /** Moves a segment that the server refused to `aside/`, and keeps 1 MiB there. */
  void set_aside(const std::string& stem) {
    const auto found = find(stem);
    if (found == segments_.end()) return;
    if (found->run) keep_aside(found->path(), stem + ".seal");
    remove(stem);
  }

  /** Replaces a segment by its halves. False if they could not be written: the segment stays as it was. */
  bool split(const std::string& stem) {
    const auto found = find(stem);
    std::string contents;
    if (found == segments_.end() || !read(*found, contents)) return false;
    const Segment parent = *found;
    const auto [first, second] = split_segment(contents);
    std::vector<Segment> children;
    for (const std::string* half : {&first, &second}) {
      Segment child = parent;
      child.stem += children.empty() ? ".0" : ".1";
      child.key = child.stem.substr(17);
      child.events = children.empty() ? (parent.events + 1) / 2 : parent.events / 2;
      child.bytes = half->size();
      child.contents = parent.run ? std::string() : *half;
      children.push_back(child);
      if (parent.run && write_file(child.path(), *half) != FileFault::none) {
        for (const Segment& written : children) remove_file(written.path());
        return false;
      }
    }
    if (parent.run) parent.run->segments += 2;
    remove(stem);
    for (Segment& child : children) {
      bytes_ += child.bytes;
      segments_.push_back(std::move(child));
    }
    sort();
    return true;
  }

  /** Deletes the oldest segments beyond the bounds, except the one that is being sent, and counts their events. */
  void enforce_bounds(std::int64_t wall_ms, const std::string& sending, std::uint64_t unsealed_bytes) {
    const std::int64_t oldest = wall_ms - tuning_.max_age_ms;
    for (std::size_t i = 0; i < segments_.size();) {
      const Segment& segment = segments_[i];
      // A base before 2020 is that of a clock that was never set: its age is unknown.
      const bool too_old = segment.base_ms < oldest && segment.base_ms > 1'577'836'800'000;
      const bool too_much = bytes_ + unsealed_bytes > tuning_.buffer_bytes;
      if (segment.stem == sending || (!too_old && !too_much)) {
        ++i;
        continue;
      }
      losses_.add(too_old ? Loss::too_old : Loss::buffer_full, segment.events);
      remove(std::string(segment.stem));
    }
  }

  /** Deletes every segment, without counting: the player said no. */
  void clear() {
    while (!segments_.empty()) remove(std::string(segments_.front().stem));
    for (const std::string& name : list_folder(folder_ + "/aside")) remove_file(folder_ + "/aside/" + name);
  }

  /**
   * Whether the player refused, in this process or in another one on the same folder. A file of its own: no process that
   * saves state.json later can overwrite it.
   */
  bool is_refused() const { return own_ && file_exists(folder_ + "/denied"); }
  void set_refused(bool refused) {
    if (!own_ || refused == is_refused()) return;
    const std::string path = folder_ + "/denied";
    if (refused) {
      write_file(path, {});
    } else {
      remove_file(path);
    }
  }

  Json& state() { return state_; }
  bool write_state() {
    state_.set("losses", losses_.write());
    // By way of the own run: two processes must not write one file.
    return own_ && replace_file(folder_ + "/state.json", state_.write(), own_->path + "/state.tmp") == FileFault::none;
  }

  /**
   * Makes this process one installation with those that use the folder: with one device account, or with one key of the
   * request for it. `refused` is the device or the key that the server refused. The proposal of one process wins, because
   * no folder can be renamed onto one with a file in it.
   */
  void agree(const std::string& refused = {}) {
    const std::string first = folder_ + "/first";
    for (int attempt = 0; own_ && attempt < 3 && !take_agreed(refused); ++attempt) {
      const std::string& known = state_["installation"].text();
      propose(first, (is_installation(known) ? known : random_hex(8)) + "-" + random_hex(32));
      for (const std::string& name : list_folder(first)) {
        if (name.size() != 41 || !is_installation(name.substr(0, 8))) continue;
        // Read again: whoever removes a proposal has written the state first.
        bool agreed = take_agreed(refused);
        if (!agreed) {
          forget_device();
          state_.set("installation", name.substr(0, 8));
          state_.set("deviceKey", name.substr(9));
          agreed = write_state();
        }
        if (agreed && remove_file(first + "/" + name)) remove_folder(first);
        return;
      }
    }
    if (!is_installation(state_["installation"].text())) state_.set("installation", random_hex(8));
  }
  void forget_device() {
    for (const char* member : {"device", "deviceAccount", "deviceKey"}) state_.remove(member);
  }

  void close() {
    if (!own_) return;
    if (own_->segments == 0) remove_run(*own_);
    for (Segment& segment : segments_) {
      if (segment.run) segment.run->lock.release();
    }
    own_->lock.release();
    own_.reset();
    segments_.clear();
    bytes_ = 0;
  }

 private:
  std::vector<Segment>::iterator find(const std::string& stem) {
    return std::find_if(segments_.begin(), segments_.end(), [&](const Segment& segment) { return segment.stem == stem; });
  }

  void add(Segment segment) {
    if (segment.run) ++segment.run->segments;
    bytes_ += segment.bytes;
    segments_.push_back(std::move(segment));
  }

  /** By a heap: the merges of `std::stable_sort` are 11 KB of code. Stems are unique. */
  void sort() {
    const auto earlier = [](const Segment& a, const Segment& b) { return a.stem < b.stem; };
    if (std::is_sorted(segments_.begin(), segments_.end(), earlier)) return;
    std::make_heap(segments_.begin(), segments_.end(), earlier);
    std::sort_heap(segments_.begin(), segments_.end(), earlier);
  }

  void begin_run(std::int64_t wall_ms, std::string& reason) {
    const std::string random = random_hex(8);
    auto run = std::make_shared<Run>();
    run->own = true;
    run->path = folder_ + "/" + SegmentName::make_stem(wall_ms, 0, random);
    const std::string lock = run->path + "/lock";
    if (!random.empty() && make_folders(folder_) && make_folder(run->path) && run->lock.take(lock) && file_exists(lock)) {
      own_ = std::move(run);
    } else {
      reason = last_reason();
      run->lock.release();
    }
  }

  Json saved_state() const {
    std::string text;
    bool valid = false;
    Json saved;
    if (read_file(folder_ + "/state.json", text)) saved = Json::parse(text, valid);
    return valid && saved.is_object() ? saved : Json::object();
  }

  static bool is_installation(const std::string& text) { return text.size() == 8 && SegmentName::is_hex(text); }

  /** Takes over the device, or the key for it, that another process has saved. */
  bool take_agreed(const std::string& refused) {
    const Json saved = saved_state();
    const std::string& device = saved["device"]["deviceId"].text();
    const std::string& key = saved["deviceKey"].text();
    const bool agreed = (!device.empty() && device != refused) || (!key.empty() && key != refused);
    if (!agreed || !is_installation(saved["installation"].text())) return false;
    for (const char* member : {"installation", "device", "deviceAccount", "deviceKey"}) {
      state_.remove(member);
      if (!saved[member].is_null()) state_.set(member, saved[member]);
    }
    return true;
  }

  void propose(const std::string& first, const std::string& name) {
    const std::string proposal = own_->path + "/first";
    make_folder(proposal);
    write_file(proposal + "/" + name, {});
    if (rename_file(proposal, first)) return;
    remove_file(proposal + "/" + name);
    remove_folder(proposal);
  }

  static void remove_run(Run& run) {
    // Deleted while it is held, except where the system refuses that: it may be another process's a moment later.
    const bool deleted = remove_file(run.path + "/lock");
    run.lock.release();
    if (!deleted) remove_file(run.path + "/lock");
    remove_folder(run.path);
  }

  void recover(const std::shared_ptr<Run>& run) {
    std::vector<std::pair<SegmentName, std::string>> found;
    for (const std::string& file : list_folder(run->path)) {
      SegmentName name;
      if (SegmentName::parse(file, name)) {
        found.emplace_back(name, file);
      } else if (file != "lock") {
        remove_file(run->path + "/" + file);
      }
    }
    // A parent before its halves, and what is sealed before what is open.
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
      return a.first.stem != b.first.stem ? a.first.stem < b.first.stem : a.first.sealed > b.first.sealed;
    });
    std::vector<std::string> kept;
    for (const auto& [name, file] : found) {
      // Half of a split that was not finished, of which no byte was sent; or an open file that was sealed when the game died.
      const bool superseded = std::any_of(kept.begin(), kept.end(), [&stem = name.stem](const std::string& earlier) {
        return stem.compare(0, earlier.size(), earlier) == 0;
      });
      if (superseded) {
        remove_file(run->path + "/" + file);
      } else {
        kept.push_back(name.stem);
        recover_file(run, file, name);
      }
    }
  }

  void recover_file(const std::shared_ptr<Run>& run, const std::string& file, const SegmentName& name) {
    using Outcome = SegmentContents::Outcome;
    const std::string path = run->path + "/" + file;
    std::string text;
    if (!read_file(path, text)) return;
    const SegmentContents contents = SegmentReader::read(text, name.sealed);
    losses_.add(Loss::torn, contents.torn);
    losses_.add(Loss::damaged, contents.damaged);
    if (contents.outcome == Outcome::remove) remove_file(path);
    if (contents.outcome == Outcome::aside) keep_aside(path, file);
    if (contents.outcome == Outcome::leave) run->segments += 1;
    if (contents.outcome != Outcome::send) return;
    if (name.sealed && contents.principal.compare(0, 7, "device:") == 0 && contents.principal != device_) {
      // It may be stored for the account of a former state.json: sent for another one, its events would be there twice.
      losses_.add(Loss::damaged, contents.events);
      return keep_aside(path, file);
    }
    Segment segment;
    segment.run = run;
    segment.stem = name.stem;
    segment.key = name.key;
    const bool is_of_device = contents.principal.compare(0, 7, "device:") == 0;
    segment.principal = is_of_device ? device_ : contents.principal;
    segment.base_ms = contents.base_ms;
    segment.events = contents.events;
    segment.bytes = contents.good_bytes;
    const bool whole = contents.good_bytes == text.size();
    // A file that was not sealed may not be on the disk yet: it is written again, flushed, and renamed into place.
    if (!(whole && name.sealed)) {
      text.resize(contents.good_bytes);
      if (replace_file(segment.path(), text, segment.path() + ".tmp") != FileFault::none) {
        run->segments += 1;
        return;
      }
      if (!name.sealed) remove_file(path);
    }
    add(std::move(segment));
  }

  void keep_aside(const std::string& path, const std::string& file) {
    constexpr std::uint64_t most = 1024 * 1024;
    const std::string aside = folder_ + "/aside";
    if (!make_folder(aside) || !rename_file(path, aside + "/" + file)) {
      remove_file(path);
      return;
    }
    std::vector<std::string> names = list_folder(aside);
    std::sort(names.rbegin(), names.rend());
    std::uint64_t sum = 0;
    for (const std::string& name : names) {
      std::string text;
      if (read_file(aside + "/" + name, text)) sum += text.size();
      if (sum > most) remove_file(aside + "/" + name);
    }
  }

  std::string folder_;
  std::string device_;
  Tuning tuning_;
  LossCounter& losses_;
  std::shared_ptr<Run> own_;
  std::vector<Segment> segments_;
  std::uint64_t bytes_ = 0;
  Json state_ = Json::object();
};

}  // namespace tickrate::detail
