extends RefCounted
## The side of the network: sessions, one request at a time, and what follows from each answer. One thread uses it.

const Explainer := preload("explainer.gd")
const Files := preload("files.gd")
const HttpCall := preload("http_call.gd")
const JsonText := preload("json_text.gd")
const Losses := preload("losses.gd")
const Recorder := preload("recorder.gd")
const Segment := preload("segment.gd")
const SegmentContents := preload("segment_contents.gd")
const Sessions := preload("sessions.gd")
const SignIn := preload("sign_in.gd")
const SignInFlow := preload("sign_in_flow.gd")
const SignInStep := preload("sign_in_step.gd")
const Store := preload("store.gd")
const Verdict := preload("verdict.gd")

const SDK := "godot/0.1.0"
const _REQUEST_MS := 30_000
const _FIND_MS := 10_000
const _MAX_SHRINKING := 100
const _MIN_GZIP_BYTES := 256
const _KEPT_ANSWERS := 20

var sending: Segment
## The last answers to events and what followed, the newest last. Replaced, never changed, so that any thread may read it.
var answers := PackedStringArray()
## Called without arguments when only the game can sign an account in again.
var sign_in_needed := Callable()
var session_key := ""
var _options: Dictionary
var _recorder: Recorder
var _store: Store
var _losses: Losses
var _explain: Explainer
var _sessions := Sessions.new()
var _sign_in: SignInFlow
var _principal := ""
var _events_url := ""
var _sessions_url := ""
var _finding: HttpCall
var _is_found := false
var _find_attempt := 0
var _find_again_ms := 0
## False while nobody has ever said where sessions are: a guessed address must not sign in.
var _is_sessions_url_known := false
var _in_flight: HttpCall
## What takes the answer to the request in flight.
var _receive := Callable()
## Of the request in flight, unpacked.
var _body := PackedByteArray()
var _is_stopped := false
var _attempt := 0
var _not_before_ms := 0
var _wall := 0
var _monotonic := 0


func _init(options: Dictionary, recorder: Recorder, store: Store, losses: Losses, explain: Explainer) -> void:
	_options = options
	_recorder = recorder
	_store = store
	_losses = losses
	_explain = explain
	_sign_in = SignInFlow.new(options.tuning, _start_sign_in, _accept, _doubt_sessions_url)


## Reads what earlier starts remembered.
func open() -> void:
	_store.agree()
	_read_device()
	if JsonText.text_of(JsonText.object_of(_store.state, "addresses"), "of") != _options.url:
		_forget_addresses()
	_sessions_url = _options.sessions_url
	_is_sessions_url_known = _sessions_url != ""
	sign_out()


func device_principal() -> String:
	return _sessions.device_principal


func is_busy() -> bool:
	return _in_flight != null or _finding != null or _sign_in.is_busy()


func step(wall: int, monotonic: int, is_granted: bool) -> void:
	_wall = wall
	_monotonic = monotonic
	if not is_granted:
		return
	_find_addresses()
	if _is_sessions_url_known:
		_sign_in.step(monotonic)
	if _in_flight != null:
		_in_flight.step()
		if not _in_flight.is_done:
			return
		var done := _in_flight
		_in_flight = null
		_receive.call(done)
	if _is_stopped or monotonic < _not_before_ms:
		return
	_renew_sessions()
	if _in_flight == null:
		_send_oldest()
	var live := _sessions.of(_principal)
	session_key = "" if live == null else live.key


## Ends a request in progress, and ignores its answer.
func forget_requests() -> void:
	for running: HttpCall in [_in_flight, _finding]:
		if running != null:
			running.abort()
	_in_flight = null
	_finding = null
	sending = null
	_sign_in.cancel()


func forget_device() -> void:
	_store.forget_device()
	session_key = ""
	_sessions.clear()


## Before the first request: another process on the folder may have a device by now.
func agree_on_device() -> void:
	if not _store.state.has("device") and not _store.state.has("deviceKey"):
		_store.agree()
		_read_device()


func _read_device() -> void:
	var former := _sessions.device_principal
	_sessions.device_principal = "device:" + JsonText.text_of(_store.state, "installation")
	if _principal == former:
		sign_out()


func sign_in(input: Dictionary, link_device: bool, answered: Callable) -> void:
	var given := input.duplicate(true)
	var device := JsonText.object_of(_store.state, "device")
	if link_device and not device.is_empty():
		given["device"] = device
	_sign_in.begin(given, answered)


func answer(input: Dictionary, answered: Callable) -> void:
	_sign_in.proceed(input, answered)


## Back to the device's account. Events of the other account still go under its session.
func sign_out() -> void:
	_set_principal("key" if _options.principal == "key" else _sessions.device_principal)


func _set_principal(next: String) -> void:
	_principal = next
	_recorder.set_principal(next)


func _find_addresses() -> void:
	if _is_found or (_finding == null and _monotonic < _find_again_ms):
		return
	if _finding == null:
		_finding = HttpCall.new()
		_finding.start(HTTPClient.METHOD_GET, _options.url + "/.well-known/tickrate", PackedStringArray(), PackedByteArray(), _FIND_MS)
	_finding.step()
	if not _finding.is_done:
		return
	var verdict: Verdict = Verdict.of(_finding.status, _finding.text)
	var is_described := _finding.status == 200 and JsonText.is_integer(verdict.body.get("protocol"))
	_is_found = is_described or (Verdict.is_final(_finding.status) and verdict.code != 0)
	if is_described:
		var found := {of = _options.url, events = JsonText.text_of(verdict.body, "events"), sessions = JsonText.text_of(verdict.body, "sessions")}
		if found != JsonText.object_of(_store.state, "addresses"):
			_store.remember("addresses", found)
	elif _is_found:
		_forget_addresses()
	else:
		_explain.unreachable(_options.url, _finding)
		_find_again_ms = _monotonic + Verdict.backoff(_find_attempt, Files.random_fraction(), _options.tuning)
		_find_attempt += 1
	if _is_found or _store.state.get("addresses") is Dictionary:
		var known := JsonText.object_of(_store.state, "addresses")
		_is_sessions_url_known = true
		_events_url = JsonText.text_of(known, "events").rstrip("/")
		if _options.sessions_url == "":
			_sessions_url = JsonText.text_of(known, "sessions").rstrip("/")
	_explain.compare_clocks(_finding.server_seconds, _wall)
	_finding = null


func _forget_addresses() -> void:
	if _store.state.has("addresses"):
		_store.remember("addresses", null)


func _renew_sessions() -> void:
	var old := _sessions.to_renew(_monotonic)
	if old != null:
		old.renew_at_ms = _monotonic + 60_000
		_start(_session_call("POST /2018-03-24/session", old.key, ""), _renewed.bind(old.key))
		return
	if _sessions.of(device_principal()) != null:
		return
	var is_waiting := _principal == device_principal()
	for segment in _store.segments:
		is_waiting = is_waiting or segment.principal == device_principal()
	if is_waiting:
		_sign_device_in()


func _renewed(call: HttpCall, key: String) -> void:
	var verdict: Verdict = Verdict.of(call.status, call.text)
	if verdict.act == "signIn" or verdict.act == "stop":
		_drop_session(key)
	var live := _sessions.with_key(key)
	if live == null or call.status != 200 or not JsonText.is_integer(verdict.body.get("expiry")):
		return
	var server_ms := _wall if call.server_seconds == 0 else call.server_seconds * 1000
	live.renew_at_ms = _monotonic + maxi(30_000, int(verdict.body["expiry"]) * 1000 - server_ms) * 8 / 10


func _sign_device_in() -> void:
	if not _is_sessions_url_known:
		return
	var known := JsonText.object_of(_store.state, "device")
	var is_known := JsonText.text_of(known, "deviceId") != ""
	var body := {tokens = {deviceTokens = [known if is_known else {deviceId = "new"}]}}
	# The key of "new" outlives the process: a lost answer must not make a second account.
	var key := Files.random_hex(32) if is_known else JsonText.text_of(_store.state, "deviceKey")
	if key == "":
		key = Files.random_hex(32)
		_store.remember("deviceKey", key)
		_store.write_state()
	_start(_session_call(SignIn.AUTHENTICATE, _options.key, JsonText.of(body), key), _device_signed_in)


func _device_signed_in(call: HttpCall) -> void:
	var parsed: Variant = JsonText.parse(call.text)
	var step_of: SignInStep = SignIn.new().received(call.status if parsed is Dictionary else 0, parsed if parsed is Dictionary else {})
	var verdict: Verdict = Verdict.of(call.status, call.text, call.retry_after)
	if step_of.kind == "session":
		if step_of.device.get("deviceId") is String:
			_store.remember("device", step_of.device)
		_store.remember("deviceAccount", step_of.account)
		_store.remember("deviceKey", null)
		_store.write_state()
		_sessions.keep(step_of.session, true, _monotonic)
	elif call.status == 404:
		_doubt_sessions_url()
		_delay(Verdict.new())
	elif step_of.kind == "resend" or (verdict.code == 0 and step_of.kind != "prompt"):
		_explain.unreachable(_sessions_address(), call)
		# What a proxy answered is like no answer.
		_delay(verdict if step_of.kind == "resend" else Verdict.new())
	elif verdict.code == 4002 or verdict.code == 4003:
		# The server does not know this device any more: its events go on under a new account.
		_explain.say("device", "The server no longer accepts this installation's device token; it signs in as a new device.")
		var refused := JsonText.text_of(JsonText.object_of(_store.state, "device"), "deviceId")
		if refused == "":
			refused = JsonText.text_of(_store.state, "deviceKey")
		_store.forget_device()
		_store.agree(refused)
		_read_device()
		_delay(Verdict.new())
	else:
		_stop(verdict, "sign this installation in")


func _send_oldest() -> void:
	for segment in _store.segments:
		var live := _sessions.of(segment.principal)
		if segment.principal == "key" or live != null:
			_send(segment, _options.key if segment.principal == "key" else live.key)
			return


func _send(segment: Segment, key: String) -> void:
	var contents: Variant = segment.read()
	if contents == null:
		_losses.add("storage", segment.events)
		_store.remove(segment)
		return
	var body := SegmentContents.body(contents, segment.header_bytes, segment.bytes)
	_body = body
	var client_ms := segment.base_ms + _monotonic - segment.base_monotonic_ms if segment.is_of_this_start else _wall
	var headers := _headers(key, "application/x-ndjson")
	headers.append("Idempotency-Key: " + segment.key)
	headers.append("X-Client-Time: %d" % client_ms)
	var traceparent := str(_options.traceparent.call())
	if traceparent.length() == 55:
		headers.append("traceparent: " + traceparent)
	if body.size() >= _MIN_GZIP_BYTES:
		var packed := body.compress(FileAccess.COMPRESSION_GZIP)
		if packed.size() < body.size() and packed.size() * _MAX_SHRINKING > body.size():
			headers.append("Content-Encoding: gzip")
			body = packed
	sending = segment
	var call := HttpCall.new()
	call.start(HTTPClient.METHOD_PUT, _gateway() + "/v1/event/multiInsert", headers, body, _REQUEST_MS)
	_start(call, _handle_answer.bind(segment, key))


func _gateway() -> String:
	return _options.url if _events_url == "" else _events_url


func _sessions_address() -> String:
	return _options.url if _sessions_url == "" else _sessions_url


func is_stopped() -> bool:
	return _is_stopped


func _handle_answer(call: HttpCall, segment: Segment, key: String) -> void:
	sending = null
	var verdict: Verdict = Verdict.of(call.status, call.text, call.retry_after)
	var status := "no answer" if call.status == 0 else str(call.status)
	answers = answers.slice(-_KEPT_ANSWERS + 1) + PackedStringArray(["%s  %s%s: %s" % [
		Time.get_time_string_from_system(), status, "" if verdict.code == 0 else " (%d)" % verdict.code, Verdict.WORDS[verdict.act]
	]])
	_explain.compare_clocks(call.server_seconds, _wall)
	match verdict.act:
		"delete":
			_attempt = 0
			_losses.add("rejected", verdict.rejected)
			_explain.stored(verdict.body, _body)
			_finish(segment)
		"split":
			if segment.events == 1:
				_losses.add("rejected")
				_explain.say("413", "An event is larger than the server accepts; it was dropped.")
				_finish(segment)
			elif not _store.split(segment):
				_delay(Verdict.new())
		"setAside":
			_losses.add("refused", segment.events)
			_explain.refused(call.status, verdict)
			_count_from_memory(segment)
			_store.set_aside(segment)
		"signIn":
			# With a delay, so that a server that ends every session is not asked without a pause.
			_drop_session(key)
			_delay(Verdict.new())
		"stop":
			_stop(verdict, "send events")
		"retry":
			if call.status == 413:
				_explain.say("proxy", "A proxy in front of the gateway refuses the size of a request: let it accept at least 1 MiB (nginx: client_max_body_size). Until then these events wait.")
			else:
				_explain.unreachable(_gateway(), call)
			_delay(verdict)
		_:
			_delay(verdict)


func _finish(segment: Segment) -> void:
	_count_from_memory(segment)
	_store.remove(segment)


func _count_from_memory(segment: Segment) -> void:
	if segment.run == null:
		_recorder.count_sent_from_memory(segment.events)


func _drop_session(key: String) -> void:
	if _sessions.drop(key) and sign_in_needed.is_valid():
		sign_in_needed.call()


func _delay(verdict: Verdict) -> void:
	_not_before_ms = _monotonic + verdict.delay_ms(_attempt, Files.random_fraction(), _options.tuning)
	if verdict.act == "retry":
		_attempt += 1


func _stop(verdict: Verdict, what: String) -> void:
	_is_stopped = true
	_explain.stopped(verdict, what, _options.key)


func _doubt_sessions_url() -> void:
	_is_found = false
	_explain.say("sessions", "%s has no sign-in (404): check the option `url`. If sessions have another address, set `sessions_url`, or SESSIONS_URL on the server." % _sessions_address())


func _start_sign_in(step_of: SignInStep, key: String) -> HttpCall:
	return _session_call(step_of.call, _options.key, JsonText.of(step_of.body), key)


## The player is signed in: what is recorded from now on is the account's.
func _accept(session: Dictionary) -> void:
	var account := JsonText.text_of(session, "accountId")
	var is_of_device := account == JsonText.text_of(_store.state, "deviceAccount")
	_sessions.keep(session, is_of_device, _monotonic)
	_set_principal(device_principal() if is_of_device else "account:" + account)
	_is_stopped = false


func _headers(key: String, type: String) -> PackedStringArray:
	return ["X-API-Key: " + key, "X-Tickrate-SDK: " + SDK, "Content-Type: " + type, "Accept: application/json"]


## `call` is a method and a path.
func _session_call(call: String, key: String, body: String, idempotency_key := "") -> HttpCall:
	var parts := call.split(" ")
	var headers := _headers(key, "application/json")
	if idempotency_key != "":
		headers.append("Idempotency-Key: " + idempotency_key)
	var request := HttpCall.new()
	var method := HTTPClient.METHOD_PUT if parts[0] == "PUT" else HTTPClient.METHOD_POST
	request.start(method, _sessions_address() + parts[1], headers, body.to_utf8_buffer(), _REQUEST_MS)
	return request


func _start(call: HttpCall, receive: Callable) -> void:
	_in_flight = call
	_receive = receive
