extends RefCounted
## Everything on the disk: the folder of a game, its runs, their sealed segments, and state.json.
## `open_folder` is called once, before the thread starts. After it, only the thread uses a store.

const Files := preload("files.gd")
const JsonText := preload("json_text.gd")
const Losses := preload("losses.gd")
const Run := preload("run.gd")
const Segment := preload("segment.gd")
const SegmentContents := preload("segment_contents.gd")
const SegmentName := preload("segment_name.gd")

const _AGE_CHECK_MS := 1000
const _TOUCH_MS := 10_000
const _MAX_ASIDE := 1024 * 1024

var state := {}
var segments: Array[Segment] = []
var own: Run
## Events of sealed segments. Any thread may read it.
var events := 0
var _bytes := 0
var _next_touch_ms := 0
var _next_age_check_ms := 0
var _folder: String
var _tuning: Dictionary
var _losses: Losses
var _device_principal := ""
## Paths of runs that this process took over.
var _adopted := {}
## Members of `state` that are not saved.
var _changed := {}


func _init(folder: String, tuning: Dictionary, losses: Losses) -> void:
	_folder = folder
	_tuning = tuning
	_losses = losses


## Makes the folder and a run of its own in it. The reason if that is not possible, otherwise empty.
func open_folder(wall: int) -> String:
	state = _saved_state()
	_losses.restore(JsonText.object_of(state, "losses"))
	var run := Run.new()
	var reason := run.begin(_folder, wall)
	if reason == "":
		own = run
	return reason


## Continues with another run, because somebody deleted the former one with state.json, or because there was none. Returns how many events were lost with it,
## which are counted. `sending` is left to its answer.
func use_run(run: Run, sending: Segment) -> int:
	if run == own or run == null:
		return 0
	own = run
	var lost := 0
	for segment: Segment in segments.duplicate():
		if segment.run == null and _write_again(segment):
			own.segments += 1
		if segment.run == null or segment == sending or FileAccess.file_exists(segment.sealed_path()):
			continue
		lost += segment.events
		remove(segment)
	_losses.add("storage", lost)
	write_state()
	return lost


## Moves a segment of memory into the own run. False if that is not possible: it stays as it is.
func _write_again(segment: Segment) -> bool:
	segment.run = own
	if own != null and Files.replace(segment.sealed_path(), segment.memory):
		segment.memory = PackedByteArray()
		return true
	segment.run = null
	return false


## Takes over the segments of runs that have ended, also since the last call. None while the folder is another installation's:
## they are sent in its session.
func adopt(device_principal: String) -> void:
	if _is_of_another(_saved_state()):
		return
	_device_principal = device_principal
	for name in Files.names(_folder, true):
		if name.length() != 25 or not (Files.is_hex(name.left(16), 16) and name[16] == "-" and Files.is_hex(name.right(8), 8)):
			continue
		var run := Run.new()
		run.path = _folder.path_join(name)
		if (own != null and run.path == own.path) or _adopted.has(run.path) or not run.is_free():
			continue
		_adopted[run.path] = true
		# On a full disk it is sent without a lock, which is harmless: its keys are.
		run.take()
		_recover(run)
		if run.segments == 0:
			run.release(true)
	_sort()


func _recover(run: Run) -> void:
	var kept: PackedStringArray = []
	for name in _segments_in(run):
		var path := run.path.path_join(name.stem + (".seal" if name.is_sealed else ".open"))
		var is_done := false
		for earlier in kept:
			is_done = is_done or name.stem.begins_with(earlier)
		# Half of a split that was not finished, of which no byte was sent; or an open file that was sealed when the game died.
		if is_done:
			Files.delete(path)
			continue
		kept.append(name.stem)
		_recover_file(run, path, name)


## A parent before its halves, and what is sealed before what is open.
static func _segments_in(run: Run) -> Array[SegmentName]:
	var found: Array[SegmentName] = []
	for file in Files.names(run.path):
		var name := SegmentName.new(file)
		if name.stem != "":
			found.append(name)
	found.sort_custom(func(a: SegmentName, b: SegmentName) -> bool: return a.stem < b.stem if a.stem != b.stem else a.is_sealed and not b.is_sealed)
	return found


func _recover_file(run: Run, path: String, name: SegmentName) -> void:
	var file: Variant = Files.read(path)
	if file == null:
		# At least one; only the next start can say. A link to nothing has none.
		if FileAccess.file_exists(path):
			_leave(run, 1)
		return
	var contents := SegmentContents.new()
	contents.read(file, name.is_sealed)
	_losses.add("torn", contents.torn)
	_losses.add("damaged", contents.damaged)
	match contents.outcome:
		"delete":
			Files.delete(path)
		"aside":
			_keep_aside(path)
		"leave":
			run.segments += 1
		"send":
			_take(run, path, name, contents, file)


func _take(run: Run, path: String, name: SegmentName, contents: SegmentContents, file: PackedByteArray) -> void:
	var is_of_former := contents.principal.begins_with("device:") and contents.principal != _device_principal
	if is_of_former and name.is_sealed:
		# Perhaps it was stored for the former installation's account.
		_losses.add("damaged", contents.events)
		_keep_aside(path)
		return
	var segment := Segment.new()
	segment.run = run
	segment.stem = name.stem
	segment.key = name.key
	segment.base_ms = name.time_ms
	segment.events = contents.events
	segment.principal = _device_principal if is_of_former else contents.principal
	segment.header_bytes = contents.header_bytes
	var good := file.slice(0, contents.good_bytes)
	if is_of_former:
		var header := SegmentContents.header(_device_principal, contents.base_ms)
		segment.header_bytes = header.size()
		good = header + file.slice(contents.header_bytes, contents.good_bytes)
	segment.bytes = good.size()
	if is_of_former or (good.size() != file.size() and not Files.cut(path, good.size())):
		if not Files.replace(segment.sealed_path(), good):
			_leave(run, contents.events)
			return
		if not name.is_sealed:
			Files.delete(path)
	elif not name.is_sealed and DirAccess.rename_absolute(path, segment.sealed_path()) != OK:
		_leave(run, contents.events)
		return
	_add(segment)


## Shows that this process still holds its runs. What another holds is left to it. The own run if another process took it over,
## because this one did not run for a minute; otherwise null.
func keep_locks(monotonic: int) -> Run:
	if monotonic < _next_touch_ms:
		return null
	_next_touch_ms = monotonic + _TOUCH_MS
	var taken: Run = null
	var runs := {own: true}
	for segment in segments:
		runs[segment.run] = true
	for run: Run in runs:
		if run == null or run.is_deleted() or run.keep_touched():
			continue
		for segment: Segment in segments.filter(func(each: Segment) -> bool: return each.run == run):
			_forget(segment)
		if run == own:
			taken = own
			own = null
	return taken


## Seals a segment: closes its file, then renames it. Godot cannot flush a file to the disk.
func seal(segment: Segment) -> void:
	if segment.file != null and not FileAccess.file_exists(segment.open_path()) and not _take_deleted(segment):
		_losses.add("storage", segment.events)
		return
	if segment.file != null:
		if segment.is_broken and segment.file.has_method(&"resize"):
			segment.file.call(&"resize", segment.bytes)
		segment.file.close()
		segment.file = null
		# Otherwise it stays as it is: the next start recovers it.
		if DirAccess.rename_absolute(segment.open_path(), segment.sealed_path()) != OK:
			_leave(segment.run, segment.events)
			return
	_add(segment)


## Somebody deleted the folder, or another process took the run over. In the first case, the events are read back from the open
## file. False in the second.
func _take_deleted(segment: Segment) -> bool:
	segment.file.seek(0)
	segment.memory = segment.file.get_buffer(segment.bytes)
	segment.file.close()
	segment.file = null
	if not segment.run.is_deleted() or segment.memory.size() != segment.bytes:
		return false
	_write_again(segment)
	return true


## Events in a file that only the next start can send.
func _leave(run: Run, left: int) -> void:
	run.segments += 1
	events += left


func _add(segment: Segment) -> void:
	if segment.run != null:
		segment.run.segments += 1
	_bytes += segment.bytes
	events += segment.events
	segments.append(segment)


func remove(segment: Segment) -> void:
	if not _forget(segment) or segment.run == null:
		return
	Files.delete(segment.sealed_path())
	segment.run.segments -= 1
	if segment.run.segments == 0 and not segment.run.is_own:
		segment.run.release(true)


func _forget(segment: Segment) -> bool:
	var at := segments.find(segment)
	if at < 0:
		return false
	segments.remove_at(at)
	_bytes -= segment.bytes
	events -= segment.events
	return true


## Moves a segment that the server refused to aside/, and keeps 1 MiB there.
func set_aside(segment: Segment) -> void:
	if segment.run != null:
		_keep_aside(segment.sealed_path())
	remove(segment)


func _keep_aside(path: String) -> void:
	var aside := _folder.path_join("aside")
	Files.make_folder(aside)
	if DirAccess.rename_absolute(path, aside.path_join(path.get_file())) != OK:
		Files.delete(path)
	var names := Files.names(aside)
	names.reverse()
	var sum := 0
	for name in names:
		var file := FileAccess.open(aside.path_join(name), FileAccess.READ)
		sum += 0 if file == null else file.get_length()
		if sum > _MAX_ASIDE:
			Files.delete(aside.path_join(name))


## Replaces a segment by its halves. False if they could not be written: the segment stays as it was.
func split(parent: Segment) -> bool:
	var contents: Variant = parent.read()
	if contents == null:
		return false
	var halves := SegmentContents.split(contents, parent.header_bytes, parent.bytes, parent.events)
	var children: Array[Segment] = []
	for i in 2:
		var child := Segment.new()
		for member: StringName in [&"run", &"principal", &"base_ms", &"base_monotonic_ms", &"is_of_this_start", &"header_bytes"]:
			child.set(member, parent.get(member))
		child.stem = "%s.%d" % [parent.stem, i]
		child.key = "%s.%d" % [parent.key, i]
		child.events = (parent.events + 1 - i) / 2
		child.bytes = halves[i].size()
		children.append(child)
		if child.run == null:
			child.memory = halves[i]
		elif not Files.replace(child.sealed_path(), halves[i]):
			Files.delete(children[0].sealed_path())
			return false
	# The children count before the parent goes, so that the folder of the run stays.
	_add(children[0])
	_add(children[1])
	remove(parent)
	_sort()
	return true


## Deletes the oldest segments beyond the bounds, except the one that is being sent, and counts their events.
func enforce_bounds(wall: int, monotonic: int, sending: Segment, unsealed_bytes: int) -> void:
	if _bytes + unsealed_bytes <= int(_tuning.bufferBytes) and monotonic < _next_age_check_ms:
		return
	_next_age_check_ms = monotonic + _AGE_CHECK_MS
	for segment: Segment in segments.duplicate():
		var is_too_old: bool = segment.age_ms(wall, monotonic) > int(_tuning.maxAgeMs)
		if segment == sending or (not is_too_old and _bytes + unsealed_bytes <= int(_tuning.bufferBytes)):
			continue
		_losses.add("tooOld" if is_too_old else "bufferFull", segment.events)
		remove(segment)


## Deletes every segment, without counting: the player said no.
func clear() -> void:
	while not segments.is_empty():
		remove(segments[-1])
	for name in Files.names(_folder.path_join("aside")):
		Files.delete(_folder.path_join("aside").path_join(name))


## Whether the player refused, in this process or in another one on the same folder. A file of its own: no process that
## saves state.json later can overwrite it.
func is_refused() -> bool:
	return FileAccess.file_exists(_refusal_path())


func set_refused(refused: bool) -> void:
	if refused == is_refused():
		return
	if refused:
		Files.replace(_refusal_path(), PackedByteArray())
	else:
		Files.delete(_refusal_path())


## Null removes the member. It is saved by the next `write_state`.
func remember(member: String, value: Variant) -> void:
	_set_in(state, member, value)
	_changed[member] = true


## Takes what others have saved, without a device.
func reload_state() -> void:
	state = _saved_state()
	forget_device()
	_changed.clear()


## `state` lacks something on the disk that `remember` was given.
func is_unsaved() -> bool:
	return not _changed.is_empty()


## Saves what this process changed. What other processes saved meanwhile stays. After somebody deleted the folder, it may be
## another installation's: that one's device stays saved, and this process keeps its own in memory.
func write_state() -> bool:
	if own == null:
		return false
	var saved := _saved_state()
	var is_shared := not _is_of_another(saved) or JsonText.text_of(state, "consent") == "denied"
	# Deleted or damaged by hand: nobody has saved anything.
	if not Files.is_hex(JsonText.text_of(saved, "installation"), 8):
		saved = state.duplicate()
	for member: String in _changed:
		if is_shared or not _is_of_device(member):
			_set_in(saved, member, state.get(member))
	var counted := _losses.all()
	saved["losses"] = _losses.sums(JsonText.object_of(saved, "losses"), counted)
	# By way of the own run: two processes must not write one file.
	if not Files.replace(_state_path(), JsonText.of(saved).to_utf8_buffer(), own.path.path_join("state.new")):
		return false
	_losses.set_saved(counted)
	if is_shared:
		state = saved
	_changed.clear()
	return true


## The members by which an installation has one account.
static func _is_of_device(member: String) -> bool:
	return member == "installation" or member.begins_with("device")


## Whether somebody deleted the folder, and another installation made it again.
func _is_of_another(saved: Dictionary) -> bool:
	var installation := JsonText.text_of(saved, "installation")
	var known := JsonText.text_of(state, "installation")
	return Files.is_hex(known, 8) and Files.is_hex(installation, 8) and installation != known


static func _set_in(saved: Dictionary, member: String, value: Variant) -> void:
	if value == null:
		saved.erase(member)
	else:
		saved[member] = value


## Makes this process one installation with those that use the folder: with one device account, or with one key of the
## request for it. `refused` is the device or the key that the server refused. The proposal of one process wins, because
## no folder can be renamed onto one with a file in it.
func agree(refused := "") -> void:
	if _is_of_another(_saved_state()):
		forget_device()
		remember("deviceKey", Files.random_hex(32))
		return
	var first := _folder.path_join("first")
	for attempt in 3:
		if own == null or _take_agreed(refused):
			break
		var known := JsonText.text_of(state, "installation")
		_propose(first, "%s-%s" % [known if Files.is_hex(known, 8) else Files.random_hex(8), Files.random_hex(32)])
		for name in Files.names(first):
			if name.length() != 41 or not Files.is_hex(name.left(8), 8):
				continue
			# Read again: whoever removes a proposal has written the state first.
			var is_agreed := _take_agreed(refused)
			if not is_agreed:
				forget_device()
				remember("installation", name.left(8))
				remember("deviceKey", name.substr(9))
				is_agreed = write_state()
			if is_agreed and FileAccess.file_exists(first.path_join(name)):
				Files.delete(first.path_join(name))
				DirAccess.remove_absolute(first)
			return
	if not Files.is_hex(JsonText.text_of(state, "installation"), 8):
		remember("installation", Files.random_hex(8))


func forget_device() -> void:
	for member: String in ["device", "deviceAccount", "deviceKey"]:
		remember(member, null)


func _saved_state() -> Dictionary:
	var saved: Variant = Files.read(_state_path())
	return {} if saved == null else JsonText.parse_object(saved.get_string_from_utf8())


## Takes over the device, or the key for it, that another process has saved.
func _take_agreed(refused: String) -> bool:
	var saved := _saved_state()
	var device := JsonText.text_of(JsonText.object_of(saved, "device"), "deviceId")
	var key := JsonText.text_of(saved, "deviceKey")
	var is_agreed := (device != "" and device != refused) or (key != "" and key != refused)
	if not is_agreed or not Files.is_hex(JsonText.text_of(saved, "installation"), 8):
		return false
	for member: String in ["installation", "device", "deviceAccount", "deviceKey"]:
		_set_in(state, member, saved.get(member))
		_changed.erase(member)
	return true


func _propose(first: String, name: String) -> void:
	var proposal := own.path.path_join("first")
	Files.make_folder(proposal)
	Files.replace(proposal.path_join(name), PackedByteArray())
	if DirAccess.rename_absolute(proposal, first) != OK:
		Files.delete(proposal.path_join(name))
		DirAccess.remove_absolute(proposal)


func close() -> void:
	for segment in segments:
		if segment.run != null and not segment.run.is_own:
			segment.run.release(false)
	if own != null:
		own.release(own.segments == 0)
	own = null


func _refusal_path() -> String:
	return _folder.path_join("denied")


func _state_path() -> String:
	return _folder.path_join("state.json")


func _sort() -> void:
	segments.sort_custom(func(a: Segment, b: Segment) -> bool: return a.stem < b.stem)
