@tool
extends EditorPlugin
## Adds the autoload `Tickrate`, and the dock that shows what the running game has in its buffer.

const Dock := preload("editor/dock.gd")
const GameWatcher := preload("editor/game_watcher.gd")

var _dock: Dock
var _watcher: GameWatcher


func _enable_plugin() -> void:
	_add_autoload()


## Also when the plugin was enabled by a hand-written project.godot, which calls no `_enable_plugin`.
func _add_autoload() -> void:
	if not ProjectSettings.has_setting("autoload/Tickrate"):
		add_autoload_singleton("Tickrate", "res://addons/tickrate/tickrate.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton("Tickrate")


func _enter_tree() -> void:
	_add_autoload()
	_dock = Dock.new()
	_dock.name = "Tickrate"
	_watcher = GameWatcher.new()
	_watcher.changed.connect(_dock.show_state)
	_watcher.ended.connect(_dock.show_no_game)
	_watcher.tracked.connect(_dock.show_result)
	_dock.command_given.connect(_watcher.send)
	add_debugger_plugin(_watcher)
	add_control_to_dock(DOCK_SLOT_RIGHT_BL, _dock)


func _exit_tree() -> void:
	remove_control_from_docks(_dock)
	remove_debugger_plugin(_watcher)
	_dock.queue_free()
