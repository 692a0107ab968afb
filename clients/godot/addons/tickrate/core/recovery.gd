extends RefCounted
## Takes over the files of a run that has ended.

const Files := preload("files.gd")
const Losses := preload("losses.gd")
const Run := preload("run.gd")
const Segment := preload("segment.gd")
const SegmentContents := preload("segment_contents.gd")
const SegmentName := preload("segment_name.gd")

## Untyped: a store uses this script.
var _store: RefCounted
var _losses: Losses
var _device_principal: String


func _init(store: RefCounted, losses: Losses, device_principal: String) -> void:
	_store = store
	_losses = losses
	_device_principal = device_principal


func recover(run: Run) -> void:
	var kept: PackedStringArray = []
	for name in _sorted(run):
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
func _sorted(run: Run) -> Array[SegmentName]:
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
			_store.leave(run, 1)
		return
	var contents := SegmentContents.new()
	contents.read(file, name.is_sealed)
	_losses.add("torn", contents.torn)
	_losses.add("damaged", contents.damaged)
	match contents.outcome:
		"delete":
			Files.delete(path)
		"aside":
			_store.keep_aside(path)
		"leave":
			run.segments += 1
		"send":
			_take(run, path, name, contents, file)


func _take(run: Run, path: String, name: SegmentName, contents: SegmentContents, file: PackedByteArray) -> void:
	var is_of_former := contents.principal.begins_with("device:") and contents.principal != _device_principal
	if is_of_former and name.is_sealed:
		# Perhaps it was stored for the former installation's account.
		_losses.add("damaged", contents.events)
		_store.keep_aside(path)
		return
	var segment := Segment.new()
	segment.run = run
	segment.stem = name.stem
	segment.key = name.key
	segment.time_ms = name.time_ms
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
			_store.leave(run, contents.events)
			return
		if not name.is_sealed:
			Files.delete(path)
	elif not name.is_sealed and DirAccess.rename_absolute(path, segment.sealed_path()) != OK:
		_store.leave(run, contents.events)
		return
	_store.add(segment)
