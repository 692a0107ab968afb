@tool
extends EditorDebuggerPlugin
## Receives what a running game reports, and sends it what the dock asks for.

## The members of core/debugger_link.gd.
signal changed(state: Dictionary)
signal tracked(is_kept: bool)
signal ended

var _session_id := -1


func _has_capture(prefix: String) -> bool:
	return prefix == "tickrate"


func _capture(message: String, data: Array, session_id: int) -> bool:
	_session_id = session_id
	match message:
		"tickrate:state":
			changed.emit(data[0])
			return true
		"tickrate:tracked":
			tracked.emit(data[0])
			return true
	return false


func _setup_session(session_id: int) -> void:
	get_session(session_id).stopped.connect(_end)


func _end() -> void:
	_session_id = -1
	ended.emit()


func send(command: String, data: Array) -> void:
	if _session_id >= 0:
		get_session(_session_id).send_message("tickrate:" + command, data)
