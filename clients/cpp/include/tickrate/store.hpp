// Everything on the disk: the folder of a game, its runs, their sealed segments, and state.json.
#pragma once
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "losses.hpp"
#include "run.hpp"
#include "segment.hpp"

namespace tickrate::detail {

/** Used by one thread only. */
class Store {
 public:
  Store(std::string folder, const Tuning& tuning, LossCounter& losses) : folder_(std::move(folder)), tuning_(tuning), losses_(losses) {}
  ~Store() { close(); }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /** Makes the folder and a run of its own in it. False with the reason if that is not possible. */
  bool open(std::int64_t wall_ms, Run::Refusal& refusal) {
    if (folder_.empty()) {
      refusal = {FileFault::other, "no folder was given"};
      return false;
    }
    state_ = saved_state();
    losses_.restore(state_["losses"]);
    own_ = Run::begin(folder_, wall_ms, refusal);
    return own_ != nullptr;
  }

  /**
   * Continues with another run, because somebody deleted the former one with state.json, or because the disk has space only
   * now. Returns how many events were lost with the former one, which are counted. `sending` is left to its answer.
   */
  std::uint64_t use_run(std::shared_ptr<Run> run, const std::string& sending) {
    if (run == own_) return 0;
    const std::shared_ptr<Run> former = std::exchange(own_, std::move(run));
    std::uint64_t lost = 0;
    for (std::size_t i = segments_.size(); i-- > 0;) {
      Segment& segment = segments_[i];
      if (!segment.run && write_again(segment)) ++own_->segments;
      if (!segment.run || segment.stem == sending || file_exists(segment.sealed_path())) continue;
      lost += segment.events;
      remove(std::string(segment.stem));
    }
    losses_.add(Loss::storage, lost);
    if (former) {
      former->own = false;
      if (former->segments == 0) remove_run(*former);
    }
    write_state();
    return lost;
  }

  /**
   * Takes over the segments of runs that have ended, also since the last call. Those of a device are this installation's, `device`.
   * Takes over none while the folder is another installation's: they are sent in its session. Needs no own run: on a full disk,
   * space comes from what is sent.
   */
  void adopt(const std::string& device) {
    if (folder_.empty() || is_of_another(saved_state())) return;
    device_ = device;
    for (const std::string& name : sorted_folder(folder_)) {
      const std::string_view text = name;
      if (text.size() != 25 || text[16] != '-' || !SegmentName::is_hex(text.substr(0, 16)) || !SegmentName::is_hex(text.substr(17))) continue;
      auto run = std::make_shared<Run>();
      run->path = path_in(folder_, name);
      // Those of living processes are locked, this one's too.
      if (!run->lock.take(path_in(run->path, "lock"))) continue;
      recover(run);
      if (run->segments == 0) remove_run(*run);
    }
    sort();
  }

  const std::shared_ptr<Run>& own() const { return own_; }

  /** Seals an open segment, and flushes its file to the disk first. */
  void seal(Segment segment) {
    if (segment.file.memory == nullptr) {
      segment.contents.resize(segment.bytes);
    } else if (!file_exists(segment.open_path())) {
      // Somebody deleted the folder. The events are still in the memory of the file.
      segment.contents.assign(segment.file.memory, segment.bytes);
      close_mapped(segment.file, 0, false);
      write_again(segment);
    } else if (close_mapped(segment.file, segment.bytes, true) != FileFault::none || !rename_file(segment.open_path(), segment.sealed_path())) {
      // Left as it is: the next start recovers it, and sends what is good of it.
      left_events_ += segment.events;
      return;
    }
    add(std::move(segment));
  }

  std::vector<Segment>& segments() { return segments_; }
  std::uint64_t bytes() const { return bytes_; }
  /** What waits: also what only the next start can send. */
  std::uint64_t events() const {
    std::uint64_t sum = left_events_;
    for (const Segment& segment : segments_) sum += segment.events;
    return sum;
  }

  /** The file's contents with its checksums; false if it cannot be read any more. */
  bool read(const Segment& segment, std::string& contents) const {
    if (segment.run) return read_file(segment.sealed_path(), contents);
    contents = segment.contents;
    return true;
  }

  void remove(const std::string& stem) {
    const auto found = find(stem);
    if (found == segments_.end()) return;
    if (found->run) {
      remove_file(found->sealed_path());
      if (--found->run->segments == 0 && !found->run->own) remove_run(*found->run);
    }
    bytes_ -= found->bytes;
    segments_.erase(found);
  }

  /** Moves a segment that the server refused to `aside/`, and keeps 1 MiB there. */
  void set_aside(const std::string& stem) {
    const auto found = find(stem);
    if (found == segments_.end()) return;
    if (found->run) keep_aside(found->sealed_path(), stem + ".seal");
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
      if (parent.run && write_file(child.sealed_path(), *half) != FileFault::none) {
        for (const Segment& written : children) remove_file(written.sealed_path());
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
      const bool too_old = segment.clock.base_ms < oldest && segment.clock.base_ms > 1'577'836'800'000;
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
    const std::string aside = path_in(folder_, "aside");
    for (const std::string& name : list_folder(aside)) remove_file(path_in(aside, name));
  }

  /**
   * Whether the player refused, in this process or in another one on the same folder. A file of its own: no process that
   * saves state.json later can overwrite it.
   */
  bool is_refused() const { return !folder_.empty() && file_exists(path_in(folder_, "denied")); }
  void set_refused(bool refused) {
    if (!own_ || refused == is_refused()) return;
    const std::string path = path_in(folder_, "denied");
    if (refused) {
      write_file(path, {});
    } else {
      remove_file(path);
    }
  }

  const Json& state() const { return state_; }
  /** `state.json` lacks something that `remember()` was given. */
  bool is_unsaved() const { return !changed_.empty(); }
  /** Null removes the member. It is saved by the next `write_state()`. */
  void remember(std::string_view member, Json value) {
    set_in(state_, member, std::move(value));
    if (std::find(changed_.begin(), changed_.end(), member) == changed_.end()) changed_.emplace_back(member);
  }
  /** Takes what others have saved, without a device. */
  void reload_state() {
    state_ = saved_state();
    forget_device();
    changed_.clear();
  }
  /**
   * Saves what this process changed. What other processes saved meanwhile stays. After somebody deleted the folder, it may be another
   * installation's: that one's device stays saved, and this process keeps its own in memory.
   */
  bool write_state() {
    if (!own_) return false;
    Json saved = saved_state();
    const bool is_shared = !is_of_another(saved) || state_["consent"].text() == "denied";
    // Deleted or damaged by hand: nobody has saved anything.
    if (!is_installation(saved["installation"].text())) saved = state_;
    for (const std::string& member : changed_) {
      if (is_shared || !is_of_device(member)) set_in(saved, member, state_[member]);
    }
    const Losses counted = losses_.all();
    saved.set("losses", losses_.sums(saved["losses"], counted));
    // By way of the own run: two processes must not write one file.
    if (replace_file(path_in(folder_, "state.json"), saved.write(), path_in(own_->path, "state.tmp")) != FileFault::none) return false;
    losses_.set_saved(counted);
    if (is_shared) state_ = std::move(saved);
    changed_.clear();
    return true;
  }

  /**
   * Makes this process one installation with those that use the folder: with one device account, or with one key of the
   * request for it. `refused` is the device or the key that the server refused. The proposal of one process wins, because
   * no folder can be renamed onto one with a file in it.
   */
  void agree(const std::string& refused = {}) {
    if (is_of_another(saved_state())) {
      forget_device();
      return remember("deviceKey", random_hex(32));
    }
    const std::string first = path_in(folder_, "first");
    for (int attempt = 0; own_ && attempt < 3 && !take_agreed(refused); ++attempt) {
      const std::string& known = state_["installation"].text();
      propose(first, (is_installation(known) ? known : random_hex(8)) + "-" + random_hex(32));
      for (const std::string& name : list_folder(first)) {
        if (name.size() != 41 || !is_installation(name.substr(0, 8))) continue;
        // Read again: whoever removes a proposal has written the state first.
        bool agreed = take_agreed(refused);
        if (!agreed) {
          forget_device();
          remember("installation", name.substr(0, 8));
          remember("deviceKey", name.substr(9));
          agreed = write_state();
        }
        if (agreed && remove_file(path_in(first, name))) remove_folder(first);
        return;
      }
    }
    if (!is_installation(state_["installation"].text())) remember("installation", random_hex(8));
  }
  void forget_device() {
    for (const char* member : {"device", "deviceAccount", "deviceKey"}) remember(member, Json());
  }

  void close() {
    if (own_ && own_->segments == 0) remove_run(*own_);
    for (Segment& segment : segments_) {
      if (segment.run) segment.run->lock.release();
    }
    if (own_) own_->lock.release();
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

  /** Moves a segment of memory into the own run. False if that is not possible: it stays as it is. */
  bool write_again(Segment& segment) {
    segment.run = own_;
    const bool written = replace_file(segment.sealed_path(), segment.contents, segment.sealed_path() + ".tmp") == FileFault::none;
    if (written) {
      segment.contents.clear();
    } else {
      segment.run.reset();
    }
    return written;
  }

  Json saved_state() const {
    std::string text;
    bool valid = false;
    Json saved;
    if (read_file(path_in(folder_, "state.json"), text)) saved = Json::parse(text, valid);
    return valid && saved.is_object() ? saved : Json::object();
  }

  /** The members by which an installation has one account. */
  static bool is_of_device(const std::string& member) { return member == "installation" || member.compare(0, 6, "device") == 0; }
  /** Whether somebody deleted the folder, and another installation made it again. */
  bool is_of_another(const Json& saved) const {
    const std::string& installation = saved["installation"].text();
    const std::string& own = state_["installation"].text();
    return is_installation(own) && is_installation(installation) && installation != own;
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
      set_in(state_, member, saved[member]);
      changed_.erase(std::remove(changed_.begin(), changed_.end(), member), changed_.end());
    }
    return true;
  }

  static void set_in(Json& json, std::string_view member, Json value) {
    if (value.is_null()) {
      json.remove(member);
    } else {
      json.set(member, std::move(value));
    }
  }

  void propose(const std::string& first, const std::string& name) {
    const std::string proposal = path_in(own_->path, "first");
    make_folder(proposal);
    write_file(path_in(proposal, name), {});
    if (rename_file(proposal, first)) return;
    remove_file(path_in(proposal, name));
    remove_folder(proposal);
  }

  static void remove_run(Run& run) {
    // Deleted while it is held, except where the system refuses that: it may be another process's a moment later.
    const std::string lock = path_in(run.path, "lock");
    const bool deleted = remove_file(lock);
    run.lock.release();
    if (!deleted) remove_file(lock);
    remove_folder(run.path);
  }

  void recover(const std::shared_ptr<Run>& run) {
    const std::vector<std::string> files = sorted_folder(run->path);
    std::string kept;
    // From the end: a parent comes before its halves, and what is sealed before what is open.
    for (std::size_t i = files.size(); i-- > 0;) {
      const std::string& file = files[i];
      SegmentName name;
      const bool is_segment = SegmentName::parse(file, name);
      // Half of a split that was not finished, of which no byte was sent; or an open file that was sealed when the game died.
      const bool superseded = is_segment && !kept.empty() && name.stem.compare(0, kept.size(), kept) == 0;
      if (superseded || (!is_segment && file != "lock")) {
        remove_file(path_in(run->path, file));
      } else if (is_segment) {
        kept = name.stem;
        recover_file(run, file, name);
      }
    }
  }

  void recover_file(const std::shared_ptr<Run>& run, const std::string& file, const SegmentName& name) {
    using Outcome = SegmentContents::Outcome;
    const std::string path = path_in(run->path, file);
    std::string text;
    if (!read_file(path, text)) {
      // At least one; only the next start can say.
      if (is_file(path)) ++left_events_;
      run->segments += 1;
      return;
    }
    const SegmentContents contents = SegmentContents::read(text, name.sealed);
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
    segment.clock = {contents.base_ms, -1};
    segment.events = contents.events;
    segment.bytes = contents.good_bytes;
    const bool whole = contents.good_bytes == text.size();
    // A file that was not sealed may not be on the disk yet. On a full disk there is no space for a copy.
    if (!(whole && name.sealed)) {
      const bool cut = cut_file(path, contents.good_bytes) == FileFault::none;
      if (!cut || !(name.sealed || rename_file(path, segment.sealed_path()))) {
        left_events_ += contents.events;
        run->segments += 1;
        return;
      }
    }
    add(std::move(segment));
  }

  void keep_aside(const std::string& path, const std::string& file) {
    constexpr std::uint64_t most = 1024 * 1024;
    const std::string aside = path_in(folder_, "aside");
    if (!make_folder(aside) || !rename_file(path, path_in(aside, file))) {
      remove_file(path);
      return;
    }
    const std::vector<std::string> names = sorted_folder(aside);
    std::uint64_t sum = 0;
    for (std::size_t i = names.size(); i-- > 0;) {
      const std::string kept = path_in(aside, names[i]);
      std::string text;
      if (read_file(kept, text)) sum += text.size();
      if (sum > most) remove_file(kept);
    }
  }

  std::string folder_;
  std::string device_;
  Tuning tuning_;
  LossCounter& losses_;
  std::shared_ptr<Run> own_;
  std::vector<Segment> segments_;
  std::uint64_t bytes_ = 0;
  /** Events in files that this process cannot send. */
  std::uint64_t left_events_ = 0;
  Json state_ = Json::object();
  /** Members of `state_` that are not saved. */
  std::vector<std::string> changed_;
};

}  // namespace tickrate::detail
