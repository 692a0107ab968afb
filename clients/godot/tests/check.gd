extends SceneTree
## Runs every method `test_…` of a script that extends this, and prints "N passed, M failed".
## godot --headless --path clients/godot --script tests/NAME.gd -- VECTORS FOLDER

const JsonText := preload("res://addons/tickrate/core/json_text.gd")

var vectors := ""
var folder := ""
var _folders := 0
var _passed := 0
var _failed := 0
var _faults := 0


func _initialize() -> void:
	vectors = OS.get_cmdline_user_args()[0]
	folder = OS.get_cmdline_user_args()[1]
	for method in get_script().get_script_method_list():
		if not method.name.begins_with("test_"):
			continue
		_faults = 0
		await call(method.name)
		if _faults == 0:
			_passed += 1
		else:
			_failed += 1
			print("FAIL %s" % method.name)
	print("%d passed, %d failed" % [_passed, _failed])
	quit(0 if _failed == 0 else 1)


func vector(file: String) -> Variant:
	return JSON.parse_string(FileAccess.get_file_as_string(vectors.path_join(file)))


func new_folder() -> String:
	_folders += 1
	var path := folder.path_join("%s-%d" % [get_script().resource_path.get_file(), _folders])
	DirAccess.make_dir_recursive_absolute(path)
	return path


func same(found: Variant, expected: Variant, what: String) -> void:
	that(typeof(found) == typeof(expected) and found == expected, "%s: %s instead of %s" % [what, found, expected])


func that(holds: bool, what: String) -> void:
	if holds:
		return
	_faults += 1
	print("     ", what)


func until(holds: Callable, what: String) -> void:
	var end := Time.get_ticks_msec() + 60_000
	while not holds.call() and Time.get_ticks_msec() < end:
		OS.delay_msec(1)
		await process_frame
	that(holds.call(), what)
