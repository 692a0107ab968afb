extends RefCounted
## A folder of segments, and its lock: Godot has no locks of the system, so the file says who holds it and is touched.

const Files := preload("files.gd")
const SegmentName := preload("segment_name.gd")

const _CHECK_MS := 30_000
const _FREE_AFTER_SECONDS := 60

var path := ""
var segments := 0
var is_own := false
var _text := ""
var _touched_ms := 0
var _is_deleted := false


## Makes the folder and a run of this process in it. The reason if that is not possible, otherwise empty.
func begin(folder: String, wall: int) -> String:
	# Under another name until it has a lock: another start adopts, and then deletes, a run without one.
	var named := folder.path_join(SegmentName.make_stem(wall, 0, Files.random_hex(8)))
	is_own = true
	path = named + ".new"
	var reason := Files.make_folder(path)
	if reason != OK:
		return error_string(reason)
	if take() and DirAccess.rename_absolute(path, named) == OK:
		path = named
		return ""
	release(true)
	return "its lock cannot be written"


## Whether somebody deleted the folder. Another process takes a run over only if this one did not touch it for a minute, and
## leaves state.json then. One that starts after the folder was deleted makes a state.json too.
func is_deleted() -> bool:
	if not _is_deleted and not FileAccess.file_exists(_lock()):
		var is_touched := Time.get_ticks_msec() - _touched_ms < _FREE_AFTER_SECONDS * 1000
		_is_deleted = is_touched or not FileAccess.file_exists(path.get_base_dir().path_join("state.json"))
	return _is_deleted


func _lock() -> String:
	return path.path_join("lock")


## False if the lock cannot be written.
func take() -> bool:
	_text = "%d %s %s" % [OS.get_process_id(), _host(), Files.random_hex(16)]
	if _write() and is_held():
		return true
	_text = ""
	return false


func is_held() -> bool:
	var now: Variant = Files.read(_lock())
	return now != null and now.get_string_from_utf8() == _text


## Whether the lock must be read again before an append: this process did not run for a while.
func is_in_doubt(monotonic: int) -> bool:
	return monotonic - _touched_ms > _CHECK_MS


## False if another process took the run over. A run that was adopted without a lock has none to touch.
func keep_touched() -> bool:
	if _text == "":
		return true
	if not is_held():
		return false
	_write()
	return true


## Deletes the lock. With `and_folder`, also what a start that ended may have left, and the folder.
func release(and_folder: bool) -> void:
	if _text != "" and not is_held():
		return
	if and_folder:
		for name in Files.names(path):
			if name.ends_with(".new"):
				Files.delete(path.path_join(name))
	Files.delete(_lock())
	if and_folder and Files.names(path).is_empty():
		# Refused, as it should be, if somebody else needs it.
		DirAccess.remove_absolute(path)


func _write() -> bool:
	_touched_ms = Time.get_ticks_msec()
	return Files.replace(_lock(), _text.to_utf8_buffer())


## Whether nobody holds it.
func is_free() -> bool:
	var held: Variant = Files.read(_lock())
	if held == null:
		return not FileAccess.file_exists(_lock())
	var parts: PackedStringArray = held.get_string_from_utf8().split(" ")
	if parts.size() == 3 and parts[1] == _host() and OS.get_name() == "Linux" and not DirAccess.dir_exists_absolute("/proc/" + parts[0]):
		return true
	return absf(Time.get_unix_time_from_system() - FileAccess.get_modified_time(_lock())) > _FREE_AFTER_SECONDS


## Names this start of this machine where it is known, so that a process id means something.
static func _host() -> String:
	var host := OS.get_name()
	for name: String in ["hostname", "random/boot_id"] if host == "Linux" else []:
		var file := FileAccess.open("/proc/sys/kernel/" + name, FileAccess.READ)
		host += "" if file == null else "-" + file.get_line()
	return host
