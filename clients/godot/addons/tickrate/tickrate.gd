extends Node
## Game events that are stored exactly once, and player sessions, on a server of your own.
##
## The autoload `Tickrate`. Call [method open] once, then [method track]. No call fails, and none waits, except
## [method flush] and [method close].

const Client := preload("core/client.gd")
const DebuggerLink := preload("core/debugger_link.gd")
const SignInStep := preload("core/sign_in_step.gd")

## Events are lost, and cannot be had back. The README lists the reasons.
signal lost(reason: String, count: int)
## The signed-in account's session has ended and needs the player's credentials: call [method sign_in].
signal sign_in_needed

var _client: Client
## To the dock of the editor; null in a game of players.
var _link: DebuggerLink


func _init() -> void:
	# A player may sign in while the game is paused.
	process_mode = PROCESS_MODE_ALWAYS


## Opens the SDK. [code]options[/code]:
## [code]url[/code]: the gateway's address. [code]key[/code]: a public key of the project (tk_pub_…).
## [code]consent[/code]: "unknown" (the default), "granted" or "denied".
## [code]folder[/code]: where events wait; by default a folder in user:// for each key and its successors.
## [code]principal[/code]: "device" (the default) or "key". [code]sessions_url[/code]: if it is not found by itself.
## [code]traceparent[/code]: a Callable that returns the traceparent (W3C Trace Context) to send with a request of events, or "".
## It is called on the thread of the SDK.
## [code]debug[/code]: true to print mistakes with what to do; by default in debug builds.
func open(options: Dictionary) -> void:
	close(0)
	var key := str(options.get("key", ""))
	var debug: Variant = options.get("debug", OS.is_debug_build())
	_client = Client.new({
		url = str(options.get("url", "")).rstrip("/"),
		key = key,
		folder = str(options.get("folder", "user://tickrate/" + key.left(12).sha256_text().left(8))),
		sessions_url = str(options.get("sessions_url", "")).rstrip("/"),
		consent = str(options.get("consent", "unknown")),
		principal = str(options.get("principal", "device")),
		traceparent = options.get("traceparent", func() -> String: return ""),
		threads = OS.has_feature("threads"),
		debug = debug if debug is Callable else (_print if debug else Callable()),
		tuning = Client.DEFAULT_TUNING.merged(options.get("tuning", {}), true),
	})
	_client.lost = lost.emit
	_client.sign_in_needed = sign_in_needed.emit
	if EngineDebugger.is_active():
		if _link == null:
			_link = DebuggerLink.new()
		_link.client = _client


## Records an event of a generated class: [code]Tickrate.track(LevelUp.new(7).character("ranger"))[/code].
## True: it will be stored exactly once. False: it was not kept; [method losses] says why.
func track(event: RefCounted) -> bool:
	return _client != null and _client.track(event)


## Records an event without a generated class. Version 0 is the newest of the type.
func track_event(type: String, event: Dictionary, version := 0) -> bool:
	return _client != null and _client.track_event(type, event, version)


## What the player allows: "granted" or "denied". "denied" deletes the buffer and this installation's device.
func set_consent(state: String) -> void:
	if _client != null:
		_client.set_consent(state)


func consent() -> String:
	return "unknown" if _client == null else _client.consent


## Signs a player in: [code]await Tickrate.sign_in({steamTicket = ticket})[/code]. The step has a prompt to draw and to
## [method answer], an account, or an error. With [code]link_device[/code], this installation's account becomes the
## player's, if neither belongs to somebody else.
func sign_in(input: Dictionary, link_device := false) -> SignInStep:
	var waiting := Waiting.new()
	if _client != null:
		_client.sign_in(input, link_device, waiting.take)
	return await _taken(waiting)


## Answers the prompt of the last step.
func answer(input: Dictionary) -> SignInStep:
	var waiting := Waiting.new()
	if _client != null:
		_client.answer(input, waiting.take)
	return await _taken(waiting)


## Goes back to the device's own account.
func sign_out() -> void:
	if _client != null:
		_client.sign_out()


## Seals and sends, without waiting. The autoload does so when the game loses the focus or is paused.
func background() -> void:
	if _client != null:
		_client.background()


## Seals and sends, also what other processes left that have ended. True only if nothing of this installation waits any more.
## Waits at most so long: do not call it in a frame.
func flush(timeout_ms := 1500) -> bool:
	return _client != null and _client.flush(timeout_ms)


## Seals, tries to send for so long, and ends. The rest is sent at the next start.
func close(timeout_ms := 1500) -> void:
	if _client != null:
		_client.close(timeout_ms)


## Events that were lost since the folder was first used, by reason.
func losses() -> Dictionary:
	return {} if _client == null else _client.losses()


## Events that are recorded and not yet stored by the server.
func pending() -> int:
	return 0 if _client == null else _client.pending()


## False: the folder cannot be used. Up to 200 events are kept in memory; on a full disk none, and `track` returns false.
func is_durable() -> bool:
	return _client != null and _client.is_durable()


## The last answers to events and what followed, for tools.
func answers() -> PackedStringArray:
	return PackedStringArray() if _client == null else _client.answers()


## The key of the player's session, for other calls to the server; empty without one. It is secret.
func session_key() -> String:
	return "" if _client == null else _client.session_key()


func _process(_delta: float) -> void:
	# A callback may call open(), which replaces the client while it runs.
	var client := _client
	if client != null:
		client.pump()
		if _link != null:
			_link.step()


func _notification(what: int) -> void:
	match what:
		NOTIFICATION_APPLICATION_PAUSED, NOTIFICATION_APPLICATION_FOCUS_OUT, NOTIFICATION_WM_CLOSE_REQUEST, NOTIFICATION_WM_GO_BACK_REQUEST:
			background()
		NOTIFICATION_EXIT_TREE:
			close(0)


func _taken(waiting: Waiting) -> SignInStep:
	if _client == null:
		return SignInStep.new("ended", "open() was not called")
	if waiting.step == null:
		await waiting.answered
	return waiting.step


func _print(text: String) -> void:
	push_warning("tickrate: " + text)


class Waiting:
	extends RefCounted
	signal answered
	var step: SignInStep

	func take(next: SignInStep) -> void:
		step = next
		answered.emit()
