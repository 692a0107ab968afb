extends RefCounted
## Why events are lost, and how many. Counted by any thread, reported and saved by the one that sends.

const REASONS: PackedStringArray = ["bufferFull", "tooOld", "tooLarge", "diskFull", "storage", "torn", "damaged", "rejected", "refused", "consent", "closed"]

var _mutex := Mutex.new()
var _counts := {}
var _reported := {}


func add(reason: String, count := 1) -> void:
	if count <= 0:
		return
	_mutex.lock()
	_counts[reason] = int(_counts.get(reason, 0)) + count
	_mutex.unlock()


func all() -> Dictionary:
	_mutex.lock()
	var counts := _counts.duplicate()
	_mutex.unlock()
	return counts


## What came since the last call, by reason.
func take_news() -> Dictionary:
	var counts := all()
	var news := {}
	for reason: String in counts:
		var count: int = counts[reason] - int(_reported.get(reason, 0))
		if count > 0:
			news[reason] = count
	_reported = counts
	return news


## Adds the counts of an earlier start, which are not news.
func restore(saved: Dictionary) -> void:
	for reason in REASONS:
		var count: Variant = saved.get(reason)
		if (count is float or count is int) and count >= 1 and count < 1e15:
			add(reason, int(count))
	_reported = all()
