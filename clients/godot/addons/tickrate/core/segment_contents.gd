extends RefCounted
## The format of a segment, and what recovery makes of a file.

const Crc32 := preload("crc32.gd")
const JsonText := preload("json_text.gd")

const LINE_OVERHEAD := 10
const MAX_BYTES := 256 * 1024
const MAX_EVENT_BYTES := 64 * 1024
const _LINE_FEED := 10

## "send", "aside", "leave" or "delete".
var outcome := "delete"
var principal := ""
var base_ms := 0
var header_bytes := 0
var good_bytes := 0
var events := 0
var torn := 0
var damaged := 0


## `json` has no line feed.
static func line(json: String) -> PackedByteArray:
	var bytes := (json + "\n").to_utf8_buffer()
	var whole := ("%08x " % Crc32.of(bytes, 0, bytes.size() - 1)).to_ascii_buffer()
	whole.append_array(bytes)
	return whole


static func header(for_principal: String, at_ms: int) -> PackedByteArray:
	return line('{"tickrate":1,"principal":%s,"base":%d}' % [JsonText.of(for_principal), at_ms])


## The event lines without their checksums: the body of the request.
static func body(file: PackedByteArray, from: int, to: int) -> PackedByteArray:
	var stripped := PackedByteArray()
	while from < to:
		var end := file.find(_LINE_FEED, from) + 1
		stripped.append_array(file.slice(from + 9, end))
		from = end
	return stripped


## The contents of KEY.0 and KEY.1 of a segment that is too large for the server.
static func split(file: PackedByteArray, header_end: int, good_end: int, count: int) -> Array[PackedByteArray]:
	var middle := header_end
	for i in (count + 1) / 2:
		middle = file.find(_LINE_FEED, middle) + 1
	var second := file.slice(0, header_end)
	second.append_array(file.slice(middle, good_end))
	return [file.slice(0, middle), second]


## Reads lines up to the first bad one.
func read(file: PackedByteArray, is_sealed: bool) -> void:
	var end := _line_end(file, 0)
	if end < 0:
		_without_header(file, is_sealed)
		return
	var first := JsonText.parse_object(file.slice(9, end - 1).get_string_from_utf8())
	var version: Variant = first.get("tickrate")
	if JsonText.is_integer(version) and version > 1:
		outcome = "leave"
		return
	var is_good: bool = JsonText.is_integer(version) and version == 1 and first.get("principal") is String and JsonText.is_integer(first.get("base"))
	if not is_good:
		_set_aside(file)
		return
	principal = first["principal"]
	base_ms = int(first["base"])
	header_bytes = end
	good_bytes = end
	_read_events(file, is_sealed)


func _read_events(file: PackedByteArray, is_sealed: bool) -> void:
	while true:
		var end := _line_end(file, good_bytes)
		if end < 0 or not JsonText.parse(file.slice(good_bytes + 9, end - 1).get_string_from_utf8()) is Dictionary:
			break
		good_bytes = end
		events += 1
	_count_rest(file, is_sealed)
	outcome = "send" if events > 0 else "delete"


func _without_header(file: PackedByteArray, is_sealed: bool) -> void:
	if file.find(_LINE_FEED) >= 0:
		_set_aside(file)
	else:
		_count_rest(file, is_sealed)


func _count_rest(file: PackedByteArray, is_sealed: bool) -> void:
	# A sealed file ends with its last event, and has one.
	if is_sealed and (good_bytes < file.size() or events == 0):
		damaged = maxi(1, _count_lines(file, good_bytes))
	elif not is_sealed and not _is_only_zeros(file, good_bytes):
		torn = 1


func _set_aside(file: PackedByteArray) -> void:
	outcome = "aside"
	damaged = _count_lines(file, 0)


## The end of a good line, or -1.
static func _line_end(file: PackedByteArray, from: int) -> int:
	var feed := file.find(_LINE_FEED, from) if from < file.size() else -1
	if feed - from < 10 or file[from + 8] != 32:
		return -1
	var checksum := "%08x" % Crc32.of(file, from + 9, feed)
	return feed + 1 if file.slice(from, from + 8) == checksum.to_ascii_buffer() else -1


static func _is_only_zeros(file: PackedByteArray, from: int) -> bool:
	return file.slice(from).count(0) == file.size() - from


static func _count_lines(file: PackedByteArray, from: int) -> int:
	var end := file.size()
	while end > from and file[end - 1] == 0:
		end -= 1
	if end <= from:
		return 0
	return file.slice(from, end).count(_LINE_FEED) + (0 if file[end - 1] == _LINE_FEED else 1)
