extends RefCounted
## The side of the game: writes events into the open segment.
## no segment → (the first event) → open → (full, aged, another principal, a clock that jumped) → finished.
## `track` may be called from several threads. The thread that seals takes finished segments.

const Clock := preload("clock.gd")
const Crc32 := preload("crc32.gd")
const Files := preload("files.gd")
const JsonText := preload("json_text.gd")
const Losses := preload("losses.gd")
const Run := preload("run.gd")
const Segment := preload("segment.gd")
const SegmentContents := preload("segment_contents.gd")
const SegmentName := preload("segment_name.gd")

const _MAX_IN_MEMORY := 200
const _RETRY_MS := 1000

var _mutex := Mutex.new()
var _folder: String
var _tuning: Dictionary
var _losses: Losses
## Null: no folder, so at most 200 events are kept in memory; none on a full disk, until it has space for a run.
var _run: Run
var _principal := ""
var _consent := "unknown"
var _is_closed := false
var _open: Segment
var _spare: Segment
var _finished: Array[Segment] = []
var _in_memory := 0
var _number := 0
var _last_time_ms := 0
var _next_attempt_ms := 0
var _storage_loss := "storage"
## The beginning of the last event's line, for what, and its checksum so far.
var _type := ""
var _version := -1
var _beginning := ""
var _second := -1
var _beginning_size := 0
var _beginning_crc := 0


func _init(folder: String, tuning: Dictionary, losses: Losses) -> void:
	_folder = folder
	_tuning = tuning
	_losses = losses


func use_run(run: Run) -> void:
	_mutex.lock()
	_finish()
	_run = run
	_mutex.unlock()


## Another one than before after somebody deleted the folder.
func current_run() -> Run:
	_mutex.lock()
	var current := _run
	_mutex.unlock()
	return current


## Begins another run if somebody deleted this one, or if there is none. Ends the segment: a file without a name does not survive
## the process.
func keep_run(wall: int) -> void:
	_mutex.lock()
	if _consent == "granted" and not _is_closed and _renew_run(wall):
		_finish()
	_mutex.unlock()


func has_finished() -> bool:
	_mutex.lock()
	var has := _consent == "granted" and not _finished.is_empty()
	_mutex.unlock()
	return has


func _renew_run(wall: int) -> bool:
	if _run != null and not _run.is_deleted():
		return false
	var next := Run.new()
	if next.begin(_folder, wall) != "":
		return false
	_discard(_spare)
	_spare = null
	_run = next
	return true


## Another process took this run over. `track` may have noticed too, and begun another, which stays.
func leave_run(taken: Run) -> void:
	_mutex.lock()
	if _run == taken:
		_leave()
	_mutex.unlock()


## The other process sends what is in the run: its files are left to it.
func _leave() -> void:
	if _open != null and _open.events > 0:
		_finished.append(_open)
	for segment in _finished:
		if segment.file != null:
			segment.file.close()
	if _spare != null:
		_spare.file.close()
	_finished = _finished.filter(func(segment: Segment) -> bool: return segment.run == null)
	_open = null
	_spare = null
	_run = null


func is_durable() -> bool:
	return _run != null


func set_principal(next: String) -> void:
	_mutex.lock()
	if next != _principal:
		_finish()
		_principal = next
	_mutex.unlock()


func set_consent(next: String) -> void:
	_mutex.lock()
	_consent = next
	_mutex.unlock()


func close() -> void:
	_mutex.lock()
	_is_closed = true
	_finish()
	_discard(_spare)
	_spare = null
	_mutex.unlock()


## `event` is one JSON object. Version 0 is the newest of the type.
func track(type: String, version: int, event: String, wall: int, monotonic: int) -> bool:
	_mutex.lock()
	var is_kept := false
	if _is_closed:
		_losses.add("closed")
	elif _consent != "denied":
		is_kept = _keep(type, version, event, wall, monotonic)
	_mutex.unlock()
	return is_kept


func _keep(type: String, version: int, event: String, wall: int, monotonic: int) -> bool:
	if _open == null or _is_full() or Clock.jumped(_open.base_ms, _open.base_monotonic_ms, wall, monotonic):
		if not _renew(wall, monotonic):
			return _count_loss(_storage_loss)
	elif _run != null and _run.is_in_doubt(monotonic) and not _is_still_ours(wall, monotonic):
		return _count_loss(_storage_loss)
	var at := _open.base_ms + monotonic - _open.base_monotonic_ms
	if version != _version or at / 1000 != _second or type != _type or at < 0:
		_begin_line(type, version, at)
	var json := ("%s%03dZ\",\"event\":%s}\n" % [_beginning, posmod(at, 1000), event]).to_utf8_buffer()
	var checksum := Crc32.proceed(_beginning_crc, json, _beginning_size, json.size() - 1) ^ Crc32.START
	var line := ("%08x " % checksum).to_ascii_buffer()
	line.append_array(json)
	var size := line.size()
	if size > SegmentContents.MAX_EVENT_BYTES + SegmentContents.LINE_OVERHEAD:
		return _count_loss("tooLarge")
	if _open.bytes + size > SegmentContents.MAX_BYTES and not _renew(wall, monotonic):
		return _count_loss(_storage_loss)
	if _open.file == null:
		if _in_memory >= _MAX_IN_MEMORY:
			return _count_loss("consent" if _consent == "unknown" else _storage_loss)
		_in_memory += 1
	if not _append(line, size):
		return _count_loss(_storage_loss)
	_open.events += 1
	return true


func _count_loss(reason: String) -> bool:
	_losses.add(reason)
	return false


func _is_full() -> bool:
	return _open.is_broken or _open.bytes >= _tuning.sealBytes or _open.events >= _tuning.sealEvents


## Lines of one type within one second begin alike, up to the point before the milliseconds.
func _begin_line(type: String, version: int, at: int) -> void:
	_type = type
	_version = version
	_second = at / 1000
	var number := "" if version <= 0 else '"eventTypeVersion":%d,' % version
	_beginning = '{"eventType":%s,%s"occurredAt":"%s' % [JsonText.of(type), number, Clock.text(at).left(20)]
	var bytes := _beginning.to_utf8_buffer()
	_beginning_size = bytes.size()
	_beginning_crc = Crc32.proceed(Crc32.START, bytes, 0, _beginning_size)


func _append(bytes: PackedByteArray, size: int) -> bool:
	var file := _open.file
	if file == null:
		_open.memory.append_array(bytes)
	else:
		file.store_buffer(bytes)
		file.flush()
		# A failed write is not reported: the position stays behind.
		if file.get_position() != _open.bytes + size:
			_open.is_broken = true
			_note_fault()
			return false
	_open.bytes += size
	return true


func _note_fault() -> void:
	_storage_loss = "diskFull" if Files.is_disk_full(_folder) else "storage"


## After a long pause, another process may have taken the run over.
func _is_still_ours(wall: int, monotonic: int) -> bool:
	if _run.is_held():
		return true
	if not _renew_run(wall):
		_leave()
	return _renew(wall, monotonic)


## Ends the open segment if it has events and is old enough, or always.
func finish_if(always: bool, monotonic: int) -> void:
	_mutex.lock()
	if _consent == "granted" and _open != null and _open.events > 0:
		if always or monotonic - _open.base_monotonic_ms >= int(_tuning.sealAfterMs):
			_finish()
	_mutex.unlock()


## The segments that wait to be sealed. Their events are counted by the caller from the same moment on.
func take_finished(counted: Callable) -> Array[Segment]:
	var taken: Array[Segment] = []
	_mutex.lock()
	if _consent == "granted" and not _finished.is_empty():
		taken = _finished
		_finished = []
		for segment in taken:
			counted.call(segment.events)
	_mutex.unlock()
	return taken


## Makes the next segment's file beforehand, so that the game does not wait for it.
func prepare(wall: int) -> void:
	_mutex.lock()
	var next: Segment = null
	if _spare == null and _run != null and not _is_closed and _consent == "granted":
		next = _named(wall)
	_mutex.unlock()
	if next == null or not _create(next):
		return
	_mutex.lock()
	if _spare == null and not _is_closed and _consent == "granted" and next.run == _run:
		_spare = next
	else:
		_discard(next)
	_mutex.unlock()


## Consent was given: events of memory move to the folder, as far as it has room.
func move_to_folder(wall: int) -> void:
	_mutex.lock()
	_finish()
	_renew_run(wall)
	for segment in _finished:
		if _run == null or segment.file != null:
			continue
		var named := _named(wall)
		if not _create(named):
			continue
		named.file.store_buffer(segment.memory)
		named.file.flush()
		if named.file.get_position() != segment.bytes:
			_discard(named)
			continue
		segment.run = _run
		segment.file = named.file
		segment.stem = named.stem
		segment.key = named.key
		segment.memory = PackedByteArray()
		_in_memory -= segment.events
	_mutex.unlock()


## Forgets everything that is not sealed.
func clear() -> void:
	_mutex.lock()
	for segment in _finished:
		_discard(segment)
	_finished.clear()
	_discard(_spare)
	_spare = null
	_drop_open()
	_in_memory = 0
	_mutex.unlock()


func count_sent_from_memory(events: int) -> void:
	_mutex.lock()
	_in_memory = maxi(0, _in_memory - events)
	_mutex.unlock()


## Events and bytes that are not sealed.
func unsealed() -> Vector2i:
	_mutex.lock()
	var sum := Vector2i.ZERO if _open == null else Vector2i(_open.events, _open.bytes)
	for segment in _finished:
		sum += Vector2i(segment.events, segment.bytes)
	_mutex.unlock()
	return sum


func _named(wall: int) -> Segment:
	_last_time_ms = maxi(_last_time_ms, maxi(0, wall))
	var named := Segment.new()
	named.run = _run
	named.key = Files.random_hex(32)
	named.stem = SegmentName.make_stem(_last_time_ms, _number, named.key)
	_number += 1
	return named


func _create(segment: Segment) -> bool:
	segment.file = Files.create(segment.open_path())
	return segment.file != null


func _finish() -> void:
	if _open == null:
		return
	if _open.events > 0:
		_finished.append(_open)
		_open = null
	else:
		_drop_open()


func _drop_open() -> void:
	_discard(_open)
	_open = null


func _renew(wall: int, monotonic: int) -> bool:
	_finish()
	# On a full disk the game does not ask the file system again for each event.
	if _spare == null and monotonic < _next_attempt_ms:
		return false
	_storage_loss = "storage"
	_open = _spare if _spare != null else _begin(wall)
	_spare = null
	if _open != null:
		_open.principal = _principal
		_open.base_ms = wall
		_open.base_monotonic_ms = monotonic
		_open.is_of_this_start = true
		var header := SegmentContents.header(_principal, wall)
		_open.header_bytes = header.size()
		if _append(header, header.size()):
			return true
		_drop_open()
	_next_attempt_ms = monotonic + _RETRY_MS
	return false


func _begin(wall: int) -> Segment:
	if _run == null and _consent == "granted" and not _renew_run(wall) and Files.is_disk_full(_folder):
		_storage_loss = "diskFull"
		return null
	var begun := _named(wall)
	if _run == null or _consent != "granted":
		begun.run = null
		return begun
	if _create(begun):
		return begun
	if _renew_run(wall):
		begun.run = _run
		if _create(begun):
			return begun
	_note_fault()
	return null


func _discard(segment: Segment) -> void:
	if segment == null or segment.file == null:
		return
	segment.file.close()
	Files.delete(segment.open_path())
