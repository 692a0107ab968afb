extends "check.gd"
## The test vectors that every SDK passes: clients/conformance/vectors.

const Client := preload("res://addons/tickrate/core/client.gd")
const Clock := preload("res://addons/tickrate/core/clock.gd")
const Crc32 := preload("res://addons/tickrate/core/crc32.gd")
const Files := preload("res://addons/tickrate/core/files.gd")
const Losses := preload("res://addons/tickrate/core/losses.gd")
const SegmentContents := preload("res://addons/tickrate/core/segment_contents.gd")
const SegmentName := preload("res://addons/tickrate/core/segment_name.gd")
const SignIn := preload("res://addons/tickrate/core/sign_in.gd")
const SignInStep := preload("res://addons/tickrate/core/sign_in_step.gd")
const Store := preload("res://addons/tickrate/core/store.gd")
const Verdict := preload("res://addons/tickrate/core/verdict.gd")


func _initialize() -> void:
	Crc32.prepare()
	super()


func test_names_of_segments() -> void:
	for each: Dictionary in vector("segments.json")["names"]:
		var name := SegmentName.new(each["name"])
		same(name.stem != "", each["timeMs"] != null, each["name"])
		if name.stem == "":
			continue
		same(name.time_ms, int(each["timeMs"]), "time")
		same(name.key, each["key"], "key")
		same(name.is_sealed, each["sealed"], "sealed")


func test_contents_of_segments() -> void:
	for each: Dictionary in vector("segments.json")["segments"]:
		var note: String = each["note"]
		var file := FileAccess.get_file_as_bytes(vectors.path_join("segments").path_join(each["file"]))
		var contents := SegmentContents.new()
		contents.read(file, each["file"].ends_with("seal"))
		var lost := JsonText.object_of(each, "lost")
		same(contents.outcome, each["outcome"], note)
		same(contents.torn, int(JsonText.number_of(lost, "torn")), note + ": torn")
		same(contents.damaged, int(JsonText.number_of(lost, "damaged")), note + ": damaged")
		if contents.outcome != "send":
			continue
		var body := SegmentContents.body(file, contents.header_bytes, contents.good_bytes)
		same(body.get_string_from_utf8(), each["body"], note + ": body")
		same(contents.principal, each["principal"], note + ": principal")
		same(contents.base_ms, int(each["base"]), note + ": base")
		same(contents.events, int(each["events"]), note + ": events")
		same(contents.good_bytes, int(each["goodBytes"]), note + ": good bytes")


func test_splits() -> void:
	for each: Dictionary in vector("splits.json")["splits"]:
		if each["children"].size() != 2:
			continue
		var parent: PackedByteArray = each["parent"]["text"].to_utf8_buffer()
		var contents := SegmentContents.new()
		contents.read(parent, true)
		var halves := SegmentContents.split(parent, contents.header_bytes, contents.good_bytes, contents.events)
		for i in 2:
			same(halves[i].get_string_from_utf8(), each["children"][i]["text"], "half %d" % i)


func test_files_of_a_split_that_was_interrupted() -> void:
	var all: Dictionary = vector("splits.json")
	for each: Dictionary in all["recoveries"]:
		var at := new_folder()
		var run := at.path_join("0000000000000000-00000000")
		DirAccess.make_dir_recursive_absolute(run)
		for name: String in each["files"]:
			Files.replace(run.path_join(name), all["splits"][0]["parent"]["text"].to_utf8_buffer())
		var store := Store.new(at, Client.DEFAULT_TUNING, Losses.new())
		same(store.open_folder(1), "", "opens")
		store.adopt("device:00000000")
		var kept := store.segments.map(func(segment: RefCounted) -> String: return segment.stem + ".seal")
		same(kept, each["kept"], each["note"])
		var files := Array(Files.names(run)).filter(func(name: String) -> bool: return name != "lock")
		same(files, each["kept"], each["note"] + ", on the disk")
		store.close()


func test_checksums() -> void:
	for each: Dictionary in vector("events.json")["checksums"]:
		var bytes: PackedByteArray = each["text"].to_utf8_buffer()
		same("%08x" % Crc32.of(bytes, 0, bytes.size()), each["crc32"], each["text"])


func test_lines_of_events() -> void:
	for each: Dictionary in vector("events.json")["lines"]:
		var text := JsonText.of(each["event"])
		same(JSON.parse_string(text), each["event"], "the event read back")
		var line := SegmentContents.line(text)
		same(SegmentContents._line_end(line, 0), line.size(), "a good line")
		# Godot writes 1.0 and 1e-07 where the vector has 1 and 1e-7: the same number in other bytes.
		if not text.contains(".0") and not text.contains("e-"):
			same(line.get_string_from_utf8(), each["line"], "line")


func test_answers() -> void:
	for each: Dictionary in vector("answers.json"):
		var note: String = each["note"]
		var header := JsonText.text_of(JsonText.object_of(each, "headers"), "retry-after")
		var verdict: Verdict = Verdict.of(int(JsonText.number_of(each, "status")), JsonText.text_of(each, "body"), header.to_float() if header.is_valid_int() else -1.0)
		same(verdict.act, each["action"], note)
		same(verdict.rejected, int(JsonText.number_of(JsonText.object_of(each, "lost"), "rejected")), note + ": rejected")
		if each.has("delayMs"):
			same(verdict.delay_ms(0, 0.5, Client.DEFAULT_TUNING), int(each["delayMs"]), note + ": delay")


func test_backoff() -> void:
	for each: Dictionary in vector("backoff.json"):
		same(Verdict.backoff(int(each["attempt"]), each["r"], Client.DEFAULT_TUNING), int(each["delayMs"]), str(each))


func test_clocks() -> void:
	for each: Dictionary in vector("clocks.json"):
		var base := 0
		var base_monotonic := -1
		for call: Dictionary in each["calls"]:
			var wall := int(call["wallMs"])
			var monotonic := int(call["monotonicMs"])
			var is_jump := base_monotonic >= 0 and Clock.jumped(base, base_monotonic, wall, monotonic)
			same(is_jump, call["seals"], each["note"])
			if is_jump or base_monotonic < 0:
				base = wall
				base_monotonic = monotonic
			same(Clock.text(base + monotonic - base_monotonic), call["occurredAt"], each["note"])
		var time := JsonText.object_of(each, "clientTime")
		if not time.is_empty():
			same(base + int(time["monotonicMs"]) - base_monotonic, int(time["value"]), each["note"] + ": X-Client-Time")


func test_transcripts_of_sign_ins() -> void:
	for file in DirAccess.get_files_at(vectors.path_join("sign-in")):
		_play(file)


func _play(file: String) -> void:
	var sign_in := SignIn.new()
	var step: SignInStep
	var number := 0
	for each: Dictionary in vector("sign-in/" + file):
		number += 1
		var where := "%s, step %d" % [file, number]
		if each.has("input"):
			step = sign_in.input(each["input"])
		same(step.body, each["sends"], where + ": body")
		if each.has("call"):
			same(step.call, each["call"], where + ": call")
		var sent := step
		step = sign_in.received(int(each.get("status", 200)), JsonText.object_of(each, "answer"))
		var expected: Dictionary = each["expect"]
		var kind := "ended"
		for pair: Array in [["session", "session"], ["prompt", "prompt"], ["request", "send"], ["retry", "resend"]]:
			if expected.has(pair[0]):
				kind = pair[1]
				break
		same(step.kind, kind, where + ": kind")
		same(step.session.get("id", ""), JsonText.text_of(expected, "session"), where + ": session")
		same(step.account, JsonText.text_of(expected, "account"), where + ": account")
		same(step.device, JsonText.object_of(expected, "device"), where + ": device")
		same(step.recovery_codes, JsonText.array_of(expected, "recoveryCodes"), where + ": recovery codes")
		same(step.prompt, JsonText.text_of(expected, "prompt"), where + ": prompt")
		if kind == "prompt":
			same(step.options, JsonText.object_of(expected, "options"), where + ": options")
		if kind != "resend":
			same(step.error_code, int(JsonText.number_of(JsonText.object_of(expected, "error"), "code")), where + ": error")
		same(step.retry_after_seconds, JsonText.number_of(expected, "retryAfterSeconds"), where + ": retry after")
		if kind == "resend":
			step = sent
