// The few things that the buffer needs of a file system. Nothing here throws.
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#if defined(_WIN32)
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// After windows.h.
#include <ntsecapi.h>
#else
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) || defined(__EMSCRIPTEN__)
#include <sys/random.h>
#endif
#endif

namespace tickrate::detail {

enum class FileFault { none, disk_full, other };

/** More than any file of the buffer has. What is longer was changed by hand. */
inline constexpr std::size_t max_read_bytes = 1024 * 1024;

/** A file of fixed size in memory. What is written here survives the process, whatever ends it. */
struct MappedFile {
  char* memory = nullptr;
  std::size_t size = 0;
#if defined(_WIN32)
  HANDLE file = INVALID_HANDLE_VALUE;
  HANDLE mapping = nullptr;
#else
  int file = -1;
#endif
};

#if defined(_WIN32)

inline std::wstring wide(const std::string& path) {
  const int size = MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), nullptr, 0);
  std::wstring out(static_cast<std::size_t>(size), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, path.data(), static_cast<int>(path.size()), out.data(), size);
  return out;
}
inline std::string narrow(const wchar_t* text) {
  const int size = WideCharToMultiByte(CP_UTF8, 0, text, -1, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text, -1, out.data(), size, nullptr, nullptr);
  out.resize(out.empty() ? 0 : out.size() - 1);
  return out;
}
inline FileFault last_fault() {
  const DWORD code = GetLastError();
  return code == ERROR_DISK_FULL || code == ERROR_HANDLE_DISK_FULL ? FileFault::disk_full : FileFault::other;
}
inline std::string last_reason() { return "error " + std::to_string(GetLastError()); }

inline bool random_bytes(unsigned char* out, std::size_t size) {
  // advapi32's generator; available without another library to link.
  return RtlGenRandom(out, static_cast<ULONG>(size)) != 0;
}

inline FileFault close_mapped(MappedFile& mapped, std::size_t keep, bool flush) {
  FileFault fault = FileFault::none;
  if (mapped.memory != nullptr) {
    if (flush && FlushViewOfFile(mapped.memory, 0) == 0) fault = last_fault();
    UnmapViewOfFile(mapped.memory);
  }
  if (mapped.mapping != nullptr) CloseHandle(mapped.mapping);
  if (mapped.file != INVALID_HANDLE_VALUE) {
    LARGE_INTEGER position;
    position.QuadPart = static_cast<LONGLONG>(keep);
    if (SetFilePointerEx(mapped.file, position, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(mapped.file) == 0) fault = last_fault();
    if (flush && FlushFileBuffers(mapped.file) == 0) fault = last_fault();
    CloseHandle(mapped.file);
  }
  mapped = MappedFile{};
  return fault;
}

/** Begins to write the file to the disk, without waiting for it: its flush takes shorter then. */
inline void start_writing(const MappedFile& mapped) {
  if (mapped.memory != nullptr) FlushViewOfFile(mapped.memory, 0);
}

inline FileFault create_mapped(const std::string& path, std::size_t size, MappedFile& mapped) {
  mapped = MappedFile{};
  mapped.file = CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_DELETE, nullptr,
                            CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (mapped.file == INVALID_HANDLE_VALUE) return last_fault();
  LARGE_INTEGER end;
  end.QuadPart = static_cast<LONGLONG>(size);
  FileFault fault = FileFault::none;
  if (SetFilePointerEx(mapped.file, end, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(mapped.file) == 0) fault = last_fault();
  if (fault == FileFault::none) {
    mapped.mapping = CreateFileMappingW(mapped.file, nullptr, PAGE_READWRITE, 0, static_cast<DWORD>(size), nullptr);
    if (mapped.mapping != nullptr) mapped.memory = static_cast<char*>(MapViewOfFile(mapped.mapping, FILE_MAP_WRITE, 0, 0, size));
    if (mapped.memory == nullptr) fault = last_fault();
  }
  mapped.size = size;
  if (fault != FileFault::none) {
    close_mapped(mapped, 0, false);
    DeleteFileW(wide(path).c_str());
  }
  return fault;
}

inline bool make_folder(const std::string& path) {
  return CreateDirectoryW(wide(path).c_str(), nullptr) != 0 || GetLastError() == ERROR_ALREADY_EXISTS;
}
inline bool remove_folder(const std::string& path) { return RemoveDirectoryW(wide(path).c_str()) != 0; }
inline bool is_file(const std::string& path) {
  const DWORD found = GetFileAttributesW(wide(path).c_str());
  return found != INVALID_FILE_ATTRIBUTES && (found & FILE_ATTRIBUTE_DIRECTORY) == 0;
}
inline bool file_exists(const std::string& path) { return GetFileAttributesW(wide(path).c_str()) != INVALID_FILE_ATTRIBUTES; }
inline bool remove_file(const std::string& path) { return DeleteFileW(wide(path).c_str()) != 0; }
inline bool rename_file(const std::string& from, const std::string& to) {
  return MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0;
}
inline std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  WIN32_FIND_DATAW found;
  const HANDLE search = FindFirstFileW(wide(path + "/*").c_str(), &found);
  if (search == INVALID_HANDLE_VALUE) return names;
  do {
    const std::string name = narrow(found.cFileName);
    if (name != "." && name != "..") names.push_back(name);
  } while (FindNextFileW(search, &found) != 0);
  FindClose(search);
  return names;
}

/** An open file that no other process can open: the lock of a run. */
class FolderLock {
 public:
  bool take(const std::string& path) {
    file_ = CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    return file_ != INVALID_HANDLE_VALUE;
  }
  void release() {
    if (file_ != INVALID_HANDLE_VALUE) CloseHandle(file_);
    file_ = INVALID_HANDLE_VALUE;
  }

 private:
  HANDLE file_ = INVALID_HANDLE_VALUE;
};

inline bool read_file(const std::string& path, std::string& contents) {
  const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  contents.clear();
  char block[16 * 1024];
  DWORD size = 0;
  bool good = true;
  while (contents.size() < max_read_bytes && (good = ReadFile(file, block, sizeof block, &size, nullptr) != 0) && size > 0) contents.append(block, size);
  CloseHandle(file);
  return good;
}

inline FileFault write_file(const std::string& path, std::string_view contents) {
  const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_fault();
  DWORD written = 0;
  FileFault fault = FileFault::none;
  if (WriteFile(file, contents.data(), static_cast<DWORD>(contents.size()), &written, nullptr) == 0 || written != contents.size() ||
      FlushFileBuffers(file) == 0) {
    fault = last_fault();
  }
  CloseHandle(file);
  return fault;
}

/** Cuts the end of a file off, and flushes the rest to the disk. Needs no space. */
inline FileFault cut_file(const std::string& path, std::size_t size) {
  const HANDLE file = CreateFileW(wide(path).c_str(), GENERIC_WRITE, 0, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return last_fault();
  LARGE_INTEGER end;
  end.QuadPart = static_cast<LONGLONG>(size);
  const bool cut = SetFilePointerEx(file, end, nullptr, FILE_BEGIN) != 0 && SetEndOfFile(file) != 0 && FlushFileBuffers(file) != 0;
  const FileFault fault = cut ? FileFault::none : last_fault();
  CloseHandle(file);
  return fault;
}

#else

inline FileFault fault_of(int code) {
#if defined(EDQUOT)
  if (code == EDQUOT) return FileFault::disk_full;
#endif
  return code == ENOSPC ? FileFault::disk_full : FileFault::other;
}
inline FileFault last_fault() { return fault_of(errno); }
inline std::string last_reason() { return std::strerror(errno); }

inline bool random_bytes(unsigned char* out, std::size_t size) {
#if defined(__linux__) || defined(__EMSCRIPTEN__)
  return getentropy(out, size) == 0;
#else
  arc4random_buf(out, size);
  return true;
#endif
}

/** Reserves blocks, so that a full disk is seen here and not as a signal at a later write into the memory. */
inline int reserve(int file, std::size_t size) {
#if defined(__APPLE__)
  fstore_t wanted = {F_ALLOCATEALL, F_PEOFPOSMODE, 0, static_cast<off_t>(size), 0};
  if (fcntl(file, F_PREALLOCATE, &wanted) == -1) return errno;
  return ftruncate(file, static_cast<off_t>(size)) == 0 ? 0 : errno;
#else
  return posix_fallocate(file, 0, static_cast<off_t>(size));
#endif
}

inline FileFault close_mapped(MappedFile& mapped, std::size_t keep, bool flush) {
  FileFault fault = FileFault::none;
  if (mapped.memory != nullptr) {
#if !defined(__linux__)
    // On Linux, fsync() writes what was changed in the memory too. To flush twice takes twice as long.
    if (flush && msync(mapped.memory, mapped.size, MS_SYNC) != 0) fault = fault_of(errno);
#endif
    munmap(mapped.memory, mapped.size);
  }
  if (mapped.file != -1) {
    if (ftruncate(mapped.file, static_cast<off_t>(keep)) != 0) fault = fault_of(errno);
    if (flush && fsync(mapped.file) != 0) fault = fault_of(errno);
    ::close(mapped.file);
  }
  mapped = MappedFile{};
  return fault;
}

/** Begins to write the file to the disk, without waiting for it: its flush takes shorter then. */
inline void start_writing(const MappedFile& mapped) {
  if (mapped.memory == nullptr) return;
#if defined(__linux__) && !defined(__ANDROID__)
  sync_file_range(mapped.file, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  msync(mapped.memory, mapped.size, MS_ASYNC);
#endif
}

inline FileFault create_mapped(const std::string& path, std::size_t size, MappedFile& mapped) {
  mapped = MappedFile{};
  mapped.file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (mapped.file == -1) return fault_of(errno);
  mapped.size = size;
  int code = reserve(mapped.file, size);
  if (code == 0) {
    int flags = MAP_SHARED;
#if defined(MAP_POPULATE)
    flags |= MAP_POPULATE;
#endif
    void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, mapped.file, 0);
    if (memory == MAP_FAILED) {
      code = errno;
    } else {
      mapped.memory = static_cast<char*>(memory);
    }
  }
  if (code == 0) return FileFault::none;
  close_mapped(mapped, 0, false);
  ::unlink(path.c_str());
  errno = code;
  return fault_of(code);
}

inline bool make_folder(const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST; }
inline bool remove_folder(const std::string& path) { return ::rmdir(path.c_str()) == 0; }
inline bool is_file(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode);
}
inline bool file_exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }
inline bool remove_file(const std::string& path) { return ::unlink(path.c_str()) == 0; }
inline bool rename_file(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()) == 0; }
inline std::vector<std::string> list_folder(const std::string& path) {
  std::vector<std::string> names;
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  ::closedir(folder);
  return names;
}

/** The lock of a run. The system releases it when the process ends, however it ends. */
class FolderLock {
 public:
  bool take(const std::string& path) {
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ == -1) return false;
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return true;
    release();
    return false;
  }
  void release() {
    if (file_ != -1) ::close(file_);
    file_ = -1;
  }

 private:
  int file_ = -1;
};

inline bool read_file(const std::string& path, std::string& contents) {
  // A pipe in place of a file would hold the game.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file == -1) return false;
  contents.clear();
  char block[16 * 1024];
  ssize_t size = 0;
  while (contents.size() < max_read_bytes && (size = ::read(file, block, sizeof block)) > 0) contents.append(block, static_cast<std::size_t>(size));
  ::close(file);
  return size >= 0;
}

inline FileFault write_file(const std::string& path, std::string_view contents) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file == -1) return fault_of(errno);
  FileFault fault = FileFault::none;
  while (!contents.empty() && fault == FileFault::none) {
    const ssize_t written = ::write(file, contents.data(), contents.size());
    if (written < 0) {
      fault = fault_of(errno);
    } else {
      contents.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  if (fault == FileFault::none && ::fsync(file) != 0) fault = fault_of(errno);
  ::close(file);
  return fault;
}

/** Cuts the end of a file off, and flushes the rest to the disk. Needs no space. */
inline FileFault cut_file(const std::string& path, std::size_t size) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file == -1) return fault_of(errno);
  const bool cut = ::ftruncate(file, static_cast<off_t>(size)) == 0 && ::fsync(file) == 0;
  const FileFault fault = cut ? FileFault::none : fault_of(errno);
  ::close(file);
  return fault;
}

#endif

inline std::string path_in(const std::string& folder, std::string_view name) {
  std::string path;
  path.reserve(folder.size() + name.size() + 1);
  return path.append(folder).append(1, '/').append(name);
}

/** The names in a folder, in their order. By a heap: the other sorts of the library are more code. */
inline std::vector<std::string> sorted_folder(const std::string& path) {
  std::vector<std::string> names = list_folder(path);
  std::make_heap(names.begin(), names.end());
  std::sort_heap(names.begin(), names.end());
  return names;
}

/** Replaces a file as a whole, by way of `next`: a reader sees the old or the new contents. */
inline FileFault replace_file(const std::string& path, std::string_view contents, const std::string& next) {
  const FileFault fault = write_file(next, contents);
  if (fault == FileFault::none && rename_file(next, path)) return FileFault::none;
  remove_file(next);
  return fault == FileFault::none ? FileFault::other : fault;
}

/** Makes a folder and those above it. */
inline bool make_folders(const std::string& path) {
  if (make_folder(path)) return true;
  const auto slash = path.find_last_of("/\\");
  return slash != std::string::npos && slash > 0 && make_folders(path.substr(0, slash)) && make_folder(path);
}

/** Secure random hex digits, at most 64; empty if the system has none to give. */
inline std::string random_hex(std::size_t digits) {
  std::string out(digits, '0');
  unsigned char bytes[32] = {};
  if (!random_bytes(bytes, (digits + 1) / 2)) return {};
  for (std::size_t i = 0; i < digits; ++i) out[i] = "0123456789abcdef"[(i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2]) & 0xF];
  return out;
}

/** From 0 to below 1. */
inline double random_fraction() {
  unsigned char bytes[4] = {};
  random_bytes(bytes, sizeof bytes);
  const std::uint32_t value = static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
                              static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
  return value / 4294967296.0;
}

}  // namespace tickrate::detail
