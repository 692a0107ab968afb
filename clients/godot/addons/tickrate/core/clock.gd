extends RefCounted
## The two clocks, and the time of an event between them.

const JUMP_MS := 2000
const _EARLIEST_MS := -62135596800000
const _LATEST_MS := 253402300799999

## Moves the wall clock, for tests.
var offset_ms := 0


func wall_ms() -> int:
	return int(Time.get_unix_time_from_system() * 1000.0) + offset_ms


## 2025-11-22T11:00:01.250Z. Times outside the years 1 to 9999 become their limits.
static func text(ms: int) -> String:
	var bounded := clampi(ms, _EARLIEST_MS, _LATEST_MS)
	var rest := posmod(bounded, 1000)
	return "%s.%03dZ" % [Time.get_datetime_string_from_unix_time((bounded - rest) / 1000), rest]


static func jumped(base_ms: int, base_monotonic_ms: int, wall: int, monotonic: int) -> bool:
	return absi(wall - base_ms - (monotonic - base_monotonic_ms)) > JUMP_MS
