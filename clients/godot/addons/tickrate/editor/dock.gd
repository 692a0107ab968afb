@tool
extends VBoxContainer
## What the running game has in its buffer, what the server answered last, and an event to try.

## "track" with an event type and JSON, or "send".
signal command_given(command: String, data: Array)

const _NO_GAME := "No game is running. Run the project: a scene that calls Tickrate.open() shows up here."
const _ROWS: Dictionary = {
	pending = "Events in the buffer",
	consent = "Consent",
	durable = "Survives a crash",
	lost = "Lost",
}
const _ANSWERS_HEIGHT := 96
const _EVENT_HEIGHT := 64
const _GAP := 12

var _hint := Label.new()
var _values := {}
var _answers := ItemList.new()
var _type := LineEdit.new()
var _event := TextEdit.new()
var _track := Button.new()
var _send := Button.new()
var _result := Label.new()


func _init() -> void:
	_hint.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	add_child(_hint)
	add_child(_make_table())
	_add_heading("Last answers")
	_answers.custom_minimum_size.y = _ANSWERS_HEIGHT
	_answers.size_flags_vertical = SIZE_EXPAND_FILL
	add_child(_answers)
	_add_heading("Test event")
	_type.placeholder_text = "Event type"
	_type.text = "level_up"
	add_child(_type)
	_event.text = '{"level": 7}'
	_event.custom_minimum_size.y = _EVENT_HEIGHT
	add_child(_event)
	add_child(_make_buttons())
	_result.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
	add_child(_result)
	show_no_game()


func show_no_game() -> void:
	_show(_NO_GAME, {})


func show_state(state: Dictionary) -> void:
	var lost: PackedStringArray = []
	for reason: String in state.losses:
		lost.append("%d %s" % [state.losses[reason], reason])
	_show("", {
		pending = str(state.pending),
		consent = state.consent,
		durable = "yes" if state.durable else "no: the folder cannot be written",
		lost = "nothing" if lost.is_empty() else ", ".join(lost),
	})
	if _answers.item_count == state.answers.size() and (_answers.item_count == 0 or _answers.get_item_text(0) == state.answers[-1]):
		return
	_answers.clear()
	for i in range(state.answers.size() - 1, -1, -1):
		_answers.add_item(state.answers[i], null, false)


func show_result(is_kept: bool) -> void:
	_result.text = "Tracked." if is_kept else "Refused: see what was lost, and the output."


func _show(hint: String, values: Dictionary) -> void:
	_hint.text = hint
	_hint.visible = hint != ""
	for row: String in _values:
		_values[row].text = values.get(row, "–")
	_track.disabled = values.is_empty()
	_send.disabled = values.is_empty()
	if values.is_empty():
		_answers.clear()
		_result.text = ""


func _make_table() -> GridContainer:
	var table := GridContainer.new()
	table.columns = 2
	table.add_theme_constant_override(&"h_separation", _GAP)
	for row: String in _ROWS:
		var name_label := Label.new()
		name_label.text = _ROWS[row]
		name_label.modulate.a = 0.7
		table.add_child(name_label)
		var value := Label.new()
		value.size_flags_horizontal = SIZE_EXPAND_FILL
		value.autowrap_mode = TextServer.AUTOWRAP_WORD_SMART
		table.add_child(value)
		_values[row] = value
	return table


func _make_buttons() -> HBoxContainer:
	var buttons := HBoxContainer.new()
	_track.text = "Track this event"
	_track.pressed.connect(_give_event)
	buttons.add_child(_track)
	_send.text = "Send now"
	_send.tooltip_text = "Seals the open segment and sends it, without waiting for 30 seconds."
	_send.pressed.connect(func() -> void: command_given.emit("send", []))
	buttons.add_child(_send)
	return buttons


func _add_heading(text: String) -> void:
	add_child(HSeparator.new())
	var heading := Label.new()
	heading.text = text
	add_child(heading)


func _give_event() -> void:
	var json := JSON.new()
	if json.parse(_event.text) == OK and json.data is Dictionary:
		_result.text = ""
		command_given.emit("track", [_type.text, json.data])
	else:
		_result.text = "The event is not a JSON object: %s" % json.get_error_message()
