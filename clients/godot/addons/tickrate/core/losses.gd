extends RefCounted
## Why events are lost, and how many. Counted by any thread, reported and saved by the one that sends.

const REASONS: PackedStringArray = ["bufferFull", "tooOld", "tooLarge", "diskFull", "storage", "torn", "damaged", "rejected", "refused", "consent", "closed"]

var _mutex := Mutex.new()
var _counts := {}
var _reported := {}
var _saved := {}


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


## The sums of `others`, which other processes may have changed, with what this one counted since its last save.
func sums(others: Dictionary, counted: Dictionary) -> Dictionary:
	var added := {}
	for reason in REASONS:
		var sum := _count_in(others, reason) + int(counted.get(reason, 0)) - int(_saved.get(reason, 0))
		if sum > 0:
			added[reason] = sum
	return added


func set_saved(counted: Dictionary) -> void:
	_saved = counted


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
		add(reason, _count_in(saved, reason))
	_reported = all()
	_saved = _reported


static func _count_in(saved: Dictionary, reason: String) -> int:
	var count: Variant = saved.get(reason)
	return int(count) if (count is float or count is int) and count >= 1 and count < 1e15 else 0
