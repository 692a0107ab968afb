extends RefCounted
## A segment: one that still grows, or a sealed one that waits to be sent. Without a run, it is in memory only.

const Files := preload("files.gd")
const Run := preload("run.gd")

const _YEAR_2020_MS := 1577836800000

var run: Run
var stem := ""
var key := ""
var principal := ""
var base_ms := 0
var base_monotonic_ms := 0
## Recorded by this start: its age and its X-Client-Time go by the monotonic clock.
var is_of_this_start := false
var events := 0
var header_bytes := 0
var bytes := 0
var memory := PackedByteArray()
## Of one that grows.
var file: FileAccess
## A write failed: only the first `bytes` of the file count.
var is_broken := false


func open_path() -> String:
	return run.path.path_join(stem + ".open")


func sealed_path() -> String:
	return run.path.path_join(stem + ".seal")


## Null if the file cannot be read any more.
func read() -> Variant:
	var contents: Variant = memory if run == null else Files.read(sealed_path())
	return contents if contents != null and contents.size() >= bytes else null


func age_ms(wall: int, monotonic: int) -> int:
	if is_of_this_start:
		return monotonic - base_monotonic_ms
	return 0 if base_ms < _YEAR_2020_MS else wall - base_ms
