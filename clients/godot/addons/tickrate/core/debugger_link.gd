extends RefCounted
## Reports to the dock of the editor that runs this game, and does what the dock asks for.

const Client := preload("client.gd")

const _EVERY_MS := 500

var client: Client
var _next_ms := 0


func _init() -> void:
	if EngineDebugger.has_capture(&"tickrate"):
		EngineDebugger.unregister_message_capture(&"tickrate")
	EngineDebugger.register_message_capture(&"tickrate", _receive)


func step() -> void:
	if Time.get_ticks_msec() < _next_ms:
		return
	_next_ms = Time.get_ticks_msec() + _EVERY_MS
	EngineDebugger.send_message("tickrate:state", [{
		pending = client.pending(),
		consent = client.consent,
		durable = client.is_durable(),
		losses = client.losses(),
		answers = client.answers(),
	}])


func _receive(message: String, data: Array) -> bool:
	match message:
		"track":
			EngineDebugger.send_message("tickrate:tracked", [client.track_event(data[0], data[1])])
		"send":
			client.background()
		_:
			return false
	_next_ms = 0
	return true
