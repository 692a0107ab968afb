extends RefCounted
## Records events in a folder and sends them. Any thread may call it; the callbacks run in `pump`.
## open → track … → close

const Clock := preload("clock.gd")
const Courier := preload("courier.gd")
const Crc32 := preload("crc32.gd")
const Explainer := preload("explainer.gd")
const Files := preload("files.gd")
const JsonText := preload("json_text.gd")
const Losses := preload("losses.gd")
const Recorder := preload("recorder.gd")
const Store := preload("store.gd")

const DEFAULT_TUNING := {
	sealAfterMs = 30_000,
	sealBytes = 64 * 1024,
	sealEvents = 500,
	bufferBytes = 8 * 1024 * 1024,
	backoffFromMs = 1000,
	backoffToMs = 300_000,
	maxAgeMs = 28 * 24 * 3_600_000,
}
const _BUSY_MS := 4
const _IDLE_MS := 25
const _CHECK_MS := 1000
const _SAVE_AGAIN_MS := 1000
const _MAX_CALLBACKS := 1000

var clock := Clock.new()
## Called with a reason and a number for each loss that cannot be undone.
var lost := Callable()
## Called when a signed-in account's session has ended and needs the player's credentials.
var sign_in_needed := Callable()
var consent := "unknown"
var _options: Dictionary
var _losses := Losses.new()
var _recorder: Recorder
var _store: Store
var _courier: Courier
var _explain: Explainer
var _thread: Thread
var _mutex := Mutex.new()
var _posted: Array[Callable] = []
var _callbacks: Array[Callable] = []
## Events between the recorder and the store.
var _sealing := 0
var _is_adopted := false
## At the start of this one.
var _was_refused := false
var _next_check_ms := 0
## `state.json` lacks something that is known here.
var _is_unsaved := false
var _next_save_ms := 0
## Losses that were explained: somebody deleted the folder.
var _deleted := 0
## Something is sent: the player agreed, and the server refused no key.
var _is_sending := false
var _adoptions_asked := 0
var _adoptions_done := 0
var _is_ending := false
var _is_closed := false


## `options` has all members: url, key, folder, sessions_url, consent, principal, threads, debug (a Callable), tuning.
## `clock_offset_ms` moves the wall clock, for tests.
func _init(options: Dictionary, clock_offset_ms := 0) -> void:
	clock.offset_ms = clock_offset_ms
	_options = options
	Crc32.prepare()
	_recorder = Recorder.new(options.folder, options.tuning, _losses)
	_store = Store.new(options.folder, options.tuning, _losses)
	_explain = Explainer.new(_debug if options.debug.is_valid() else Callable())
	_courier = Courier.new(options, _recorder, _store, _losses, _explain)
	_courier.sign_in_needed = _need_sign_in
	_open_folder()
	if options.threads:
		_thread = Thread.new()
		if _thread.start(_run) != OK:
			_thread = null


## `event` is an object of a generated class.
func track(event: Object) -> bool:
	if event == null or not event.has_method(&"to_event"):
		_losses.add("rejected")
		return false
	var type: Variant = event.get(&"event_type")
	var data: Variant = event.call(&"to_event")
	var version: Variant = event.get(&"event_type_version")
	return track_event(type if type is String else "", data if data is Dictionary else {}, version if version is int else 0)


func track_event(type: String, event: Dictionary, version := 0) -> bool:
	var text := JsonText.of(event)
	if text == "" or type == "":
		_losses.add("rejected")
		_explain.say("json " + type, "An event of type '%s' cannot be written as JSON: use texts, finite numbers, bools, arrays and dictionaries." % type)
		return false
	return _recorder.track(type, version, text, clock.wall_ms(), Time.get_ticks_msec())


## What the platform reports when the game goes to the background: seals and sends, without waiting.
func background() -> void:
	_recorder.finish_if(true, Time.get_ticks_msec())


## Seals and sends, also what other processes left that have ended. True only if nothing of this installation waits any more,
## except in processes that live. False at once if nothing is sent now. Waits at most so long: do not call it in a frame.
func flush(timeout_ms := 1500) -> bool:
	var until := Time.get_ticks_msec() + timeout_ms
	return (_is_closed or _settle(until)) and _drain(until)


## Waits until the thread has done what was asked before, and adopted runs unless this is the end.
func _settle(until: int) -> bool:
	_mutex.lock()
	_adoptions_asked += 1
	var adoption := _adoptions_asked
	_mutex.unlock()
	_post(_adopt_more)
	while _adoptions_done < adoption:
		if _is_ending or Time.get_ticks_msec() >= until:
			return false
		step_without_thread()
		OS.delay_msec(1)
	return true


func _adopt_more() -> void:
	if not _is_closed and consent != "denied":
		_store.adopt(_courier.device_principal())
	_is_sending = consent == "granted" and not _courier.is_stopped()
	_adoptions_done += 1


## Seals, and sends what this process holds.
func _drain(until: int) -> bool:
	background()
	while true:
		if pending() == 0 and _is_adopted:
			return true
		if not _is_sending or Time.get_ticks_msec() >= until:
			return false
		step_without_thread()
		OS.delay_msec(1)
	return false


func close(timeout_ms := 1500) -> void:
	if _is_closed:
		return
	_is_closed = true
	_recorder.close()
	var until := Time.get_ticks_msec() + timeout_ms
	if timeout_ms > 0 and _settle(until):
		_drain(until)
	_is_ending = true
	if _thread != null:
		_thread.wait_to_finish()
	else:
		_end()


func set_consent(next: String) -> void:
	if next == "granted" or next == "denied":
		_post(_apply_consent.bind(next))
	else:
		_explain_consent(next)


func sign_in(input: Dictionary, link_device: bool, answered: Callable) -> void:
	_post(func() -> void: _courier.sign_in(input, link_device, _calling(answered)))


func answer(input: Dictionary, answered: Callable) -> void:
	_post(func() -> void: _courier.answer(input, _calling(answered)))


func sign_out() -> void:
	_post(_courier.sign_out)


## Events lost since the folder was first used, by reason.
func losses() -> Dictionary:
	return _losses.all()


## Events that are recorded and not yet stored by the server. One that moves on meanwhile counts twice, and never not at all.
func pending() -> int:
	return _recorder.unsealed().x + _sealing + _store.events


func is_durable() -> bool:
	return _recorder.is_durable()


## Whether the events of earlier starts were found.
func is_adopted() -> bool:
	return _is_adopted


func answers() -> PackedStringArray:
	return _courier.answers


func session_key() -> String:
	return _courier.session_key


## Runs the callbacks that wait. Call it each frame; it does not wait.
func pump() -> void:
	step_without_thread()
	_mutex.lock()
	var waiting := _callbacks
	_callbacks = []
	_mutex.unlock()
	for callback in waiting:
		callback.call()


func step_without_thread() -> void:
	if _thread == null and not _is_ending:
		_work()


func _open_folder() -> void:
	var wall := clock.wall_ms()
	var reason := _store.open_folder(wall)
	if reason == "":
		_recorder.use_run(_store.own)
	elif not Files.is_disk_full(_options.folder):
		# A full disk is explained with the first event that it loses.
		_explain.say("folder", "Cannot write the folder '%s': %s. Up to 200 events are kept in memory." % [ProjectSettings.globalize_path(_options.folder), reason])
	if not (_options.url.begins_with("http://") or _options.url.begins_with("https://")):
		_explain.say("url", "The option `url` is '%s': it must be the gateway's address, with http:// or https://." % _options.url)
	_courier.open()
	var remembered := JsonText.text_of(_store.state, "consent")
	var first: String = _options.consent
	if not first in ["unknown", "granted", "denied"]:
		_explain_consent(first)
		first = "unknown"
	_was_refused = _store.is_refused() or remembered == "denied"
	if first == "unknown" and _was_refused:
		first = "denied"
	elif first == "unknown" and remembered == "granted":
		first = remembered
	if first == "unknown":
		_explain.say("consent", "The consent is unknown: nothing is sent, and up to 200 events are kept in memory, until the game calls `set_consent` or sets the option `consent`.")
	if first == "denied":
		_post(_apply_consent.bind(first))
	else:
		_apply_consent(first)


func _explain_consent(given: String) -> void:
	_explain.say("consent " + given, "'%s' is no consent: use \"granted\" or \"denied\"." % given)


func _apply_consent(next: String) -> void:
	if next != "unknown":
		_store.set_refused(next == "denied")
	_switch_consent(next)
	# Again: on a full disk there is room for it only now.
	if next == "denied":
		_store.set_refused(true)
	if JsonText.text_of(_store.state, "consent") != next:
		_store.remember("consent", next)
		_store.write_state()
	consent = next


func _switch_consent(next: String) -> void:
	var before := consent
	_recorder.set_consent(next)
	if next == "denied":
		_recorder.clear()
		_courier.forget_requests()
		_store.clear()
		_courier.forget_device()
	if next == "granted":
		_courier.agree_on_device()
	if next == "granted" and before == "unknown":
		_recorder.move_to_folder(clock.wall_ms())


func _run() -> void:
	while not _is_ending:
		_work()
		OS.delay_msec(_BUSY_MS if _courier.is_busy() else _IDLE_MS)
	_end()


func _work() -> void:
	if not _is_adopted:
		_adopt()
	_run_posted()
	var monotonic := Time.get_ticks_msec()
	var wall := clock.wall_ms()
	_keep_run(wall, monotonic)
	_check_refusal(monotonic)
	var taken := _store.keep_locks(monotonic)
	if taken != null:
		_recorder.leave_run(taken)
	_recorder.finish_if(false, monotonic)
	_seal_finished()
	_store.enforce_bounds(wall, monotonic, _courier.sending, _recorder.unsealed().y)
	_recorder.prepare(wall)
	_courier.step(wall, monotonic, consent == "granted")
	_is_sending = consent == "granted" and not _courier.is_stopped()
	_report_losses()


func _adopt() -> void:
	_store.adopt(_courier.device_principal())
	# A process that learned of the refusal too late may have left them.
	if _was_refused:
		_store.clear()
	_is_adopted = true


## Switches to a refusal in another process on the same folder.
func _check_refusal(monotonic: int) -> void:
	if monotonic < _next_check_ms:
		return
	_next_check_ms = monotonic + _CHECK_MS
	if consent == "denied" or not _store.is_refused():
		return
	_switch_consent("denied")
	# Whoever refused has saved it, and what this process would save is older.
	_store.reload_state()
	consent = "denied"


## Continues in another run if somebody deleted the folder, or if this process has none. Looks once a second, and before anything is sealed.
func _keep_run(wall: int, monotonic: int) -> void:
	if monotonic < _next_check_ms and not _recorder.has_finished():
		return
	_recorder.keep_run(wall)
	var lost := _store.use_run(_recorder.current_run(), _courier.sending)
	_deleted += lost
	if lost > 0:
		_explain.say("deleted", "Somebody deleted the folder '%s' while the game runs, and %d events with it. Leave the folder alone." % [ProjectSettings.globalize_path(_options.folder), lost])


func _end() -> void:
	_seal_finished()
	_courier.forget_requests()
	_report_losses()
	_store.close()


func _seal_finished() -> void:
	for segment in _recorder.take_finished(func(events: int) -> void: _sealing += events):
		_store.seal(segment)
		_sealing -= segment.events


func _report_losses() -> void:
	var news := _losses.take_news()
	for reason: String in news:
		_call(lost.bind(reason, news[reason]))
		if reason == "diskFull" or (reason == "storage" and news[reason] > _deleted):
			_explain.say("lost", "Events are lost (%s): the folder '%s' cannot be used, and `track` returns false. Check the free space and the folder." % [reason, ProjectSettings.globalize_path(_options.folder)])
	_deleted = 0
	_is_unsaved = _is_unsaved or _store.is_unsaved() or not news.is_empty()
	# On a full disk, again in a second, and at the end.
	var monotonic := Time.get_ticks_msec()
	if _is_unsaved and (monotonic >= _next_save_ms or _is_ending):
		_is_unsaved = not _store.write_state()
		_next_save_ms = monotonic + _SAVE_AGAIN_MS if _is_unsaved else 0


func _post(task: Callable) -> void:
	_mutex.lock()
	_posted.append(task)
	_mutex.unlock()


func _run_posted() -> void:
	_mutex.lock()
	var tasks := _posted
	_posted = []
	_mutex.unlock()
	for task in tasks:
		task.call()


func _calling(answered: Callable) -> Callable:
	return func(step: RefCounted) -> void: _call(answered.bind(step))


# Not lambdas, which would hold this client.
func _debug(text: String) -> void:
	_call(_options.debug.bind(text))


func _need_sign_in() -> void:
	_call(sign_in_needed)


## The game is called in `pump`.
func _call(callback: Callable) -> void:
	_mutex.lock()
	if callback.is_valid() and _callbacks.size() < _MAX_CALLBACKS:
		_callbacks.append(callback)
	_mutex.unlock()
