extends SceneTree
## The driver for clients/conformance: commands as lines of JSON on stdin, answers on stdout.
## godot --headless --path clients/godot --script driver/driver.gd -- VECTORS/events.json

const Client := preload("res://addons/tickrate/core/client.gd")
const JsonText := preload("res://addons/tickrate/core/json_text.gd")
const LevelUp := preload("res://sample/events/LevelUp.gd")
const SignInStep := preload("res://addons/tickrate/core/sign_in_step.gd")

var client: Client
var run := ""
var texts: Array = []
var offset_ms := 0
var step: SignInStep


func _initialize() -> void:
	var file := FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0])
	texts = JSON.parse_string(file)["texts"]
	while true:
		var line := OS.read_string_from_stdin(65536)
		if line == "":
			break
		var command := JsonText.parse_object(line)
		var answer := _do(command)
		answer["id"] = int(command["id"])
		print(JSON.stringify(answer))
	# As a killed game ends: nothing is closed.
	OS.kill(OS.get_process_id())


func _do(command: Dictionary) -> Dictionary:
	var what: String = command["do"]
	if client == null and not what in ["open", "clock"]:
		return _failed("open first")
	match what:
		"open":
			_open(command)
		"track":
			_track(int(command["from"]), int(command["count"]), int(command.get("padding", 0)))
		"flush":
			return {ok = true, sent = client.flush(int(command.get("timeoutMs", 1500)))}
		"pending":
			return {ok = true, events = client.pending()}
		"losses":
			return {ok = true, losses = client.losses()}
		"consent":
			client.set_consent(command["state"])
			_until(func() -> bool: return client.consent == command["state"])
		"signIn", "answer":
			return _sign_in(what, command["input"])
		"signOut":
			client.sign_out()
			OS.delay_msec(100)
		"clock":
			offset_ms = int(command["offsetMs"])
			if client != null:
				client.clock.offset_ms = offset_ms
		"background":
			client.background()
		"frames":
			return _frames(int(command["count"]), int(command["perFrame"]))
		"close":
			client.close(int(command.get("timeoutMs", 1500)))
		_:
			return _failed("unknown command " + what)
	return {ok = true}


func _failed(error: String) -> Dictionary:
	return {ok = false, error = error}


func _until(holds: Callable) -> void:
	var until := Time.get_ticks_msec() + 30_000
	while not holds.call() and Time.get_ticks_msec() < until:
		client.pump()
		OS.delay_msec(1)


func _open(command: Dictionary) -> void:
	run = command["run"]
	client = Client.new({
		url = command["url"],
		key = command["key"],
		folder = command["folder"],
		sessions_url = "",
		consent = command.get("consent", "granted"),
		principal = command.get("principal", "device"),
		traceparent = func() -> String: return "",
		threads = true,
		debug = func(text: String) -> void: printerr(text),
		tuning = Client.DEFAULT_TUNING.merged(command.get("tuning", {}), true),
	}, offset_ms)
	_until(client.is_adopted)


func _track(from: int, count: int, padding: int) -> void:
	for n in range(from, from + count):
		var event := {
			run = run,
			n = n,
			text = texts[n % texts.size()] + "x".repeat(padding),
			ratio = n / 4.0,
			big = 9007199254740000 + n % 900,
			flag = n % 2 == 0,
			list = [n % 3, n % 5],
		}
		var is_kept := client.track_event("conformance", event, 1)
		print('{"%s":%d}' % ["tracked" if is_kept else "refused", n])
		client.pump()


func _sign_in(what: String, input: Dictionary) -> Dictionary:
	step = null
	var answered := func(next: SignInStep) -> void: step = next
	if what == "signIn":
		client.sign_in(input, false, answered)
	else:
		client.answer(input, answered)
	_until(func() -> bool: return step != null)
	if step == null:
		return _failed("no answer")
	match step.kind:
		"session":
			return {ok = true, account = step.account}
		"prompt":
			var shown := {ok = true, prompt = step.prompt, options = step.options}
			if step.error_code != 0:
				shown["error"] = {code = step.error_code, message = step.error_message}
			return shown
	return _failed("%d %s" % [step.error_code, step.error_message])


func _frames(count: int, per_frame: int) -> Dictionary:
	var times := PackedInt64Array()
	var frame_times := PackedInt64Array()
	for frame in count:
		var began := Time.get_ticks_usec()
		for i in per_frame:
			var from := Time.get_ticks_usec()
			client.track(LevelUp.new(frame).character("ranger"))
			times.append(Time.get_ticks_usec() - from)
		client.pump()
		frame_times.append(Time.get_ticks_usec() - began)
		OS.delay_msec(2)
	times.sort()
	frame_times.sort()
	return {
		ok = true,
		p50us = times[times.size() / 2],
		p99us = times[times.size() * 99 / 100],
		frameP50us = frame_times[count / 2],
		frameP99us = frame_times[count * 99 / 100],
		allocated = null,
	}
