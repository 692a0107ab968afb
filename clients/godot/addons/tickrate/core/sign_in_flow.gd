extends RefCounted
## Plays the reducer of a sign-in against the server: one request at a time, the same key for the same body.

const Files := preload("files.gd")
const HttpCall := preload("http_call.gd")
const JsonText := preload("json_text.gd")
const SignIn := preload("sign_in.gd")
const Step := preload("sign_in_step.gd")
const Verdict := preload("verdict.gd")

var _tuning: Dictionary
## Starts a request: called with a step and its Idempotency-Key.
var _start: Callable
## Called with a session.
var _accept: Callable
## Called when the address has no sign-in.
var _missed: Callable
var _reducer := SignIn.new()
var _answered := Callable()
var _sent: Step
var _key := ""
var _call: HttpCall
var _attempt := 0
## When a request is sent again; below 0 if none waits.
var _due_ms := -1


func _init(tuning: Dictionary, start: Callable, accept: Callable, missed: Callable) -> void:
	_tuning = tuning
	_start = start
	_accept = accept
	_missed = missed


func is_busy() -> bool:
	return _call != null


func begin(input: Dictionary, answered: Callable) -> void:
	_reducer = SignIn.new()
	proceed(input, answered)


func proceed(input: Dictionary, answered: Callable) -> void:
	_end(Step.new("ended", "replaced"))
	_answered = answered
	_apply(_reducer.input(input))


func cancel() -> void:
	_end(Step.new("ended", "cancelled"))


func step(monotonic: int) -> void:
	if _call != null:
		_call.step()
		if not _call.is_done:
			return
		var done := _call
		_call = null
		var answer: Variant = JsonText.parse(done.text)
		# A verified address is answered with `true`.
		if answer is bool and answer and _reducer.is_verifying():
			answer = {}
		# A 404 is a wrong address, and no refusal.
		if done.status == 404:
			_missed.call()
			answer = null
		_apply(_reducer.received(done.status, answer) if answer is Dictionary else _reducer.received(0, {}))
	elif _due_ms >= 0 and monotonic >= _due_ms:
		_due_ms = -1
		_call = _start.call(_sent, _key)


func _apply(next: Step) -> void:
	match next.kind:
		"send":
			_sent = next
			_key = Files.random_hex(32)
			_attempt = 0
			_due_ms = 0
		"resend":
			var asked_ms := int(Verdict.bounded(next.retry_after_seconds) * 1000.0)
			_due_ms = Time.get_ticks_msec() + asked_ms + Verdict.backoff(_attempt, Files.random_fraction(), _tuning)
			_attempt += 1
		_:
			if next.kind == "session":
				_accept.call(next.session)
			_end(next)


func _end(last: Step) -> void:
	var answered := _answered
	_answered = Callable()
	_sent = null
	_due_ms = -1
	if _call != null:
		_call.abort()
		_call = null
	if answered.is_valid():
		answered.call(last)
