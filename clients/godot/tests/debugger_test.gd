extends "check.gd"
## The sample, run as the editor runs a game, and the dock that shows it.

const Dock := preload("res://addons/tickrate/editor/dock.gd")
const Server := preload("server.gd")

var state := {}
var kept: Variant


func test_the_dock_shows_the_running_game_and_tracks_a_test_event() -> void:
	var server := Server.new(Server.stored)
	var editor := TCPServer.new()
	editor.listen(0, "127.0.0.1")
	var address := "tcp://127.0.0.1:%d" % editor.get_local_port()
	var here := ProjectSettings.globalize_path("res://")
	var game := OS.create_process("godot", ["--headless", "--path", here, "--remote-debug", address, "--", server.url, "tk_pub_x"])
	await until(editor.is_connection_available, "the game connects")
	var connection := PacketPeerStream.new()
	connection.stream_peer = editor.take_connection()
	var dock := Dock.new()
	root.add_child(dock)
	same(dock._track.disabled, true, "without a game, nothing can be tracked")
	await until(func() -> bool: return received(connection, dock) and not state.is_empty(), "the game reports")
	same(dock._values["consent"].text, "granted", "consent")
	same(dock._values["durable"].text, "yes", "durable")
	dock.command_given.connect(func(command: String, data: Array) -> void: connection.put_var(["tickrate:" + command, 1, data]))
	dock._event.text = "[1"
	dock._track.pressed.emit()
	that(dock._result.text.begins_with("The event is not a JSON object"), dock._result.text)
	dock._event.text = '{"level": 3}'
	dock._track.pressed.emit()
	await until(func() -> bool: return received(connection, dock) and kept != null, "the game answers")
	same(kept, true, "tracked")
	dock._send.pressed.emit()
	# The device of the sample cannot sign in here, so its event waits.
	await until(func() -> bool: return received(connection, dock) and dock._values["pending"].text == "1", "the event waits")
	dock.show_state(state.merged({answers = PackedStringArray(["18:00:00  200: stored"]), losses = {torn = 2}}, true))
	same(dock._values["lost"].text, "2 torn", "losses")
	same(dock._answers.item_count, 1, "answers")
	dock.show_no_game()
	that(dock._hint.visible and dock._track.disabled, "no game")
	OS.kill(game)
	dock.free()
	server.close()


## What the editor's part of the addon does with the messages of the game.
func received(connection: PacketPeerStream, dock: Dock) -> bool:
	connection.stream_peer.poll()
	while connection.get_available_packet_count() > 0:
		var message: Variant = connection.get_var()
		if message is Array and message[0] == "tickrate:state":
			state = message[2][0]
			dock.show_state(state)
		elif message is Array and message[0] == "tickrate:tracked":
			kept = message[2][0]
			dock.show_result(message[2][0])
	return true
