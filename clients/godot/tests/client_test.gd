extends "check.gd"
## The client against a server that answers as no server should.

const Client := preload("res://addons/tickrate/core/client.gd")
const Files := preload("res://addons/tickrate/core/files.gd")
const Server := preload("server.gd")
const SignInStep := preload("res://addons/tickrate/core/sign_in_step.gd")

const SESSION := '"authenticatedSession":{"id":"s","accountId":"u-1","apiKey":"tk_ses_1","start":1763809200,"expiry":1763812800}'
const TRACEPARENT := "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

var said := ""
var step: SignInStep


func at(server: Server, in_folder: String, more := {}) -> Client:
	said = ""
	var tuning := Client.DEFAULT_TUNING.merged({sealAfterMs = 10, backoffFromMs = 5, backoffToMs = 20}, true)
	return Client.new({
		url = server.url,
		key = "tk_pub_x",
		folder = in_folder,
		sessions_url = "",
		consent = "granted",
		principal = "key",
		traceparent = func() -> String: return TRACEPARENT,
		threads = true,
		debug = func(text: String) -> void: said += text,
		tuning = tuning,
	}.merged(more, true))


func track(client: Client, n: int) -> bool:
	return client.track_event("level_up", {level = n}, 1)


func end(client: Client, server: Server) -> void:
	client.close(0)
	client.pump()
	server.close()


func until_told(client: Client, holds: Callable, what: String) -> void:
	var limit := Time.get_ticks_msec() + 30_000
	while not holds.call() and Time.get_ticks_msec() < limit:
		client.pump()
		OS.delay_msec(1)
	that(holds.call(), what)


func test_an_event_is_sent_with_its_key_and_its_time() -> void:
	var server := Server.new(Server.stored)
	var client := at(server, new_folder())
	that(track(client, 7), "tracked")
	that(client.flush(60_000), "sent")
	var sent := server.events()[0]
	that(sent.body.begins_with('{"eventType":"level_up","eventTypeVersion":1,"occurredAt":"'), sent.body)
	that(sent.body.ends_with('"event":{"level":7}}\n'), sent.body)
	same(sent.headers["idempotency-key"].length(), 32, "the key")
	same(sent.headers["x-tickrate-sdk"], "godot/0.1.0", "the name")
	same(sent.headers["x-api-key"], "tk_pub_x", "the API key")
	that(sent.headers["x-client-time"].to_int() > 1_700_000_000_000, "the time")
	same(sent.headers["traceparent"], TRACEPARENT, "the trace")
	end(client, server)


func test_a_generated_event_is_sent_as_declared() -> void:
	var level_reached: GDScript = load(folder.path_join("LevelReached.gd"))
	var server := Server.new(Server.stored)
	var client := at(server, new_folder())
	that(client.track(level_reached.new(7).character("ranger").items(["bow", null]).class2("x")), "tracked")
	that(client.flush(60_000), "sent")
	var sent: Dictionary = server.received()[0]
	same(sent["event"], {"level": 7.0, "character": "ranger", "items": ["bow", null], "class": "x"}, "the event")
	same(sent["eventType"], "level_reached", "the type")
	same(sent["eventTypeVersion"], 3.0, "the version")
	end(client, server)


func test_hostile_answers_lose_nothing_and_send_the_same_bytes_again() -> void:
	var answers := [
		null,
		"nonsense\r\n\r\n",
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
		Server.json(200, "<!doctype html><title>Sign in to the hotel</title>"),
		Server.json(200, "[1,2"),
		Server.json(200, "[".repeat(50_000)),
		Server.json(200, '{"accepted":1,"padding":"%s"}' % "x".repeat(1024 * 1024)),
		"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"accepted\":1}",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{\"accepted\"",
		Server.json(500, '{"accepted":1}'),
		Server.json(307, "", "Location: http://127.0.0.1:9/elsewhere\r\n"),
		Server.json(429, "{}", "Retry-After: later\r\n"),
		Server.json(500, "", "Date: a, b c d e f\r\nDate: Sun, 99 Nov 2026 99:99:99 GMT\r\n"),
		Server.json(200, '{"accepted":{},"rejected":3,"notices":{}}'),
		Server.json(503, '{"code":6001,"data":{"retryAfterSeconds":-5}}'),
	]
	var count := answers.size()
	var server := Server.new(func(request: Dictionary) -> Variant:
		if not request.path.begins_with("/v1/"):
			return Server.json(404, "{}")
		return answers.pop_front() if not answers.is_empty() else Server.stored(request))
	var client := at(server, new_folder())
	track(client, 1)
	that(client.flush(60_000), "sent at last")
	var sent := server.events()
	that(sent.size() > count, "%d requests" % sent.size())
	for one in sent:
		same(one.body, sent[0].body, "the body")
		same(one.headers["idempotency-key"], sent[0].headers["idempotency-key"], "the key")
	same(client.losses(), {}, "losses")
	end(client, server)


func test_a_server_that_says_nothing_does_not_delay_the_end() -> void:
	var server := Server.new(func(_request: Dictionary) -> String: return "")
	var client := at(server, new_folder())
	track(client, 1)
	await until(func() -> bool: return not server.events().is_empty() or not server.requests.is_empty(), "asked")
	client.close(50)
	that(not track(client, 2), "refused after the end")
	same(client.losses(), {closed = 1}, "closed")
	client.close()
	server.close()


func test_events_of_a_start_that_died_are_sent_by_the_next() -> void:
	var at_folder := new_folder()
	var dead := Server.new(func(_request: Dictionary) -> Variant: return null)
	var first := at(dead, at_folder)
	for n in 30:
		track(first, n)
	end(first, dead)
	for run in Files.names(at_folder, true):
		for name in Files.names(at_folder.path_join(run)):
			var path := at_folder.path_join(run).path_join(name)
			var line := '00000000 {"eventType":"x"}\n'.to_utf8_buffer()
			Files.replace(path, FileAccess.get_file_as_bytes(path) + line)
	var server := Server.new(Server.stored)
	var second := at(server, at_folder)
	that(second.flush(60_000), "sent")
	same(server.received().size(), 30, "events")
	that(second.losses().get("damaged", 0) > 0, "the line of somebody else counts as damaged")
	await until(func() -> bool: return Files.names(at_folder, true).size() == 1, "the folder of the dead start goes")
	end(second, server)


func test_a_state_json_of_somebody_else_does_no_harm() -> void:
	for text: String in ["", "[]", '{"consent":7,"installation":{},"losses":[1],"device":"x","addresses":3}', "{".repeat(100_000)]:
		var at_folder := new_folder()
		Files.replace(at_folder.path_join("state.json"), text.to_utf8_buffer())
		var server := Server.new(Server.stored)
		var client := at(server, at_folder)
		that(track(client, 1) and client.flush(60_000), "sent")
		end(client, server)


func test_a_folder_that_cannot_be_written_keeps_200_events() -> void:
	var file := new_folder().path_join("a-file")
	Files.replace(file, "x".to_utf8_buffer())
	var server := Server.new(func(_request: Dictionary) -> Variant: return null)
	var client := at(server, file)
	var kept := 0
	for n in 250:
		kept += 1 if track(client, n) else 0
	same(kept, 200, "kept")
	that(not client.is_durable(), "durable")
	same(client.losses(), {storage = 50}, "losses")
	client.pump()
	that(said.contains(file), said)
	end(client, server)


func test_a_folder_that_somebody_deletes_is_made_again() -> void:
	_delete_folder(false)


func test_a_folder_that_another_process_made_again_costs_no_event() -> void:
	_delete_folder(true)


func _delete_folder(is_made_by_another: bool) -> void:
	var server := Server.new(Server.stored)
	var at_folder := new_folder()
	var client := at(server, at_folder, {tuning = Client.DEFAULT_TUNING.merged({sealAfterMs = 600_000}, true)})
	that(track(client, 0), "tracked")
	until_told(client, client.is_adopted, "started")
	var made := new_folder()
	if is_made_by_another:
		var another := at(server, made)
		until_told(another, another.is_adopted, "another started")
		another.close(0)
		that(FileAccess.file_exists(made.path_join("state.json")), "state.json of another")
	DirAccess.rename_absolute(at_folder, at_folder + ".deleted")
	if is_made_by_another:
		DirAccess.rename_absolute(made, at_folder)
	OS.execute("rm", ["-rf", ProjectSettings.globalize_path(at_folder + ".deleted")])
	for n in range(1, 700):
		that(track(client, n), "tracked")
	that(client.flush(60_000), "flushed")
	same(server.received().size(), 700, "events")
	same(client.losses(), {}, "losses")
	that(FileAccess.file_exists(at_folder.path_join("state.json")), "state.json")
	end(client, server)


func test_a_full_disk_loses_only_what_it_refused() -> void:
	# Of a file system of 1 MiB, if the test was given one.
	if OS.get_cmdline_user_args().size() < 3:
		return
	var small := OS.get_cmdline_user_args()[2]
	var dead := Server.new(func(_request: Dictionary) -> Variant: return null)
	var client := at(dead, small)
	var kept := {}
	for n in 20_000:
		if track(client, n):
			kept[n] = true
	that(kept.size() > 100 and kept.size() < 20_000, "%d kept" % kept.size())
	same(client.losses().get("diskFull", 0), 20_000 - kept.size(), "diskFull")
	until_told(client, func() -> bool: return said.contains("free space"), "explained")
	that(said.contains(small), said)
	end(client, dead)
	var server := Server.new(Server.stored)
	var next := at(server, small)
	that(next.flush(60_000), "sent")
	var found := {}
	for event: Dictionary in server.received():
		that(not found.has(int(event["event"]["level"])), "once")
		found[int(event["event"]["level"])] = true
	for n: int in kept:
		that(found.has(n), "%d was kept and lost" % n)
	end(next, server)


func test_consent_memory_then_the_folder_then_nothing() -> void:
	var at_folder := new_folder()
	var server := Server.new(Server.stored)
	var client := at(server, at_folder, {consent = "unknown"})
	for n in 250:
		same(track(client, n), n < 200, "event %d" % n)
	same(client.losses(), {consent = 50}, "losses")
	that(not client.flush(50) and server.requests.is_empty(), "nothing is sent")
	client.set_consent("granted")
	await until(func() -> bool: return client.consent == "granted", "granted")
	that(client.flush(60_000), "sent")
	same(server.received().size(), 200, "events")
	client.set_consent("denied")
	await until(func() -> bool: return client.consent == "denied", "denied")
	that(not track(client, 1), "refused")
	same(client.pending(), 0, "pending")
	client.close(0)
	var again := at(server, at_folder, {consent = "unknown"})
	await until(func() -> bool: return again.consent == "denied", "remembered")
	end(again, server)


func test_a_refusal_in_one_process_holds_in_another_one_on_the_same_folder() -> void:
	var at_folder := new_folder()
	var server := Server.new(Server.stored)
	var tuning := Client.DEFAULT_TUNING.merged({sealAfterMs = 600_000}, true)
	var first := at(server, at_folder, {tuning = tuning})
	var second := at(server, at_folder, {tuning = tuning})
	that(track(second, 1), "tracked before the refusal")
	first.set_consent("denied")
	that(not second.track_event("level_up", {text = "x".repeat(70_000)}, 1), "a loss, which the second process saves")
	await until(func() -> bool: return second.consent == "denied", "the second process follows")
	that(not track(second, 2), "refused")
	same(second.pending(), 0, "pending")
	first.close(0)
	second.close(0)
	var third := at(server, at_folder, {consent = "unknown"})
	await until(func() -> bool: return third.consent == "denied", "remembered")
	third.set_consent("granted")
	await until(func() -> bool: return third.consent == "granted", "the player chose again")
	third.close(0)
	var last := at(server, at_folder, {consent = "unknown"})
	await until(func() -> bool: return last.consent == "granted", "the last choice")
	that(server.events().is_empty(), "no event is sent")
	end(last, server)


func test_a_start_after_a_refusal_deletes_what_other_processes_left() -> void:
	var at_folder := new_folder()
	var server := Server.new(Server.stored)
	var left := at(server, at_folder, {tuning = Client.DEFAULT_TUNING.merged({sealAfterMs = 600_000}, true)})
	that(track(left, 1), "tracked")
	left.close(0)
	var run := at_folder.path_join(Files.names(at_folder, true)[0])
	var aside := new_folder().path_join("run")
	same(DirAccess.rename_absolute(run, aside), OK, "moved away")
	var refused := at(server, at_folder)
	refused.set_consent("denied")
	await until(func() -> bool: return refused.consent == "denied", "denied")
	refused.close(0)
	# As if another process, which did not learn of the refusal, had written it and died.
	same(DirAccess.rename_absolute(aside, run), OK, "moved back")
	var next := at(server, at_folder)
	that(next.flush(60_000), "nothing to send")
	same(next.consent, "granted", "the option of the game")
	that(server.events().is_empty(), "no event is sent")
	end(next, server)


func test_events_that_cannot_be_written_are_counted() -> void:
	var server := Server.new(Server.stored)
	var client := at(server, new_folder())
	var endless := {}
	endless["again"] = endless
	for event: Dictionary in [{a = NAN}, {a = [INF]}, {a = Vector2.ONE}, {a = client}, endless]:
		that(not client.track_event("a", event), "no JSON")
	endless.clear()
	that(not client.track_event("", {}), "no type")
	that(not client.track(null), "no event")
	that(not client.track(server), "no event of ours")
	same(client.losses().get("rejected"), 8, "rejected")
	that(not client.track_event("a", {text = "x".repeat(70_000)}), "too large")
	same(client.losses().get("tooLarge"), 1, "tooLarge")
	that(client.track_event('quo"ted', {text = "\u0001\u000b\\v\u2028", name = &"name", packed = PackedFloat64Array([0.5])}), "odd, but good")
	that(client.flush(30_000), "the next are good")
	same(server.received()[0]["event"], {text = "\u0001\u000b\\v\u2028", name = "name", packed = [0.5]}, "as tracked")
	end(client, server)


func test_calls_from_many_threads_keep_every_event() -> void:
	var server := Server.new(Server.stored)
	var client := at(server, new_folder())
	var threads: Array[Thread] = []
	for t in 4:
		var thread := Thread.new()
		thread.start(func() -> void:
			for n in range(t * 500, t * 500 + 500):
				track(client, n))
		threads.append(thread)
	for thread in threads:
		thread.wait_to_finish()
	that(client.flush(60_000), "sent")
	var seen := {}
	for event: Dictionary in server.received():
		that(not seen.has(event["event"]["level"]), "once")
		seen[event["event"]["level"]] = true
	same(seen.size(), 2000, "events")
	end(client, server)


func test_a_refused_key_stops_the_sending_and_keeps_the_events() -> void:
	var server := Server.new(func(_request: Dictionary) -> String: return Server.json(401, '{"code":2001,"message":"unknown key","data":{}}'))
	var client := at(server, new_folder())
	track(client, 1)
	until_told(client, func() -> bool: return said.contains("`key`"), "says what to do: " + said)
	that(not client.flush(100), "not sent")
	same(server.events().size(), 1, "requests")
	same(client.pending(), 1, "pending")
	end(client, server)


func test_developers_are_told_once_what_is_wrong() -> void:
	var server := Server.new(func(request: Dictionary) -> String:
		if not request.path.begins_with("/v1/"):
			return Server.json(404, "{}", "Date: Sun, 22 Nov 2015 17:28:52 GMT\r\n")
		return Server.json(200, '{"accepted":0,"rejected":[{"index":0,"errors":[{"location":"/0/eventType","message":"unknown event type level_up"}]}],"notices":[{"notice":"occurredClamped","count":3}]}'))
	var client := at(server, new_folder())
	for round in 2:
		track(client, round)
		that(client.flush(30_000), "answered")
	until_told(client, func() -> bool: return said.contains("clock") and said.contains("older than 30 days"), "clock and notice: " + said)
	same(said.count("tickrate event-types declare"), 1, said)
	that(said.contains("level_up, version 1"), said)
	same(client.losses(), {rejected = 2}, "losses")
	end(client, server)


func test_a_device_signs_in_once_and_is_remembered() -> void:
	var at_folder := new_folder()
	var bodies: Array[String] = []
	var server := Server.new(func(request: Dictionary) -> String:
		if not request.path.ends_with("/authenticate"):
			return Server.stored(request)
		bodies.append(request.body)
		return Server.json(200, "{" + SESSION + ',"issuedDeviceToken":{"deviceId":"d","deviceSecret":"secret"}}'))
	for start in 2:
		var client := at(server, at_folder, {principal = "device"})
		track(client, start)
		that(client.flush(60_000), "sent")
		same(client.session_key(), "tk_ses_1", "the session's key")
		if start == 1:
			step = null
			client.sign_in({steamTicket = "t"}, true, func(next: SignInStep) -> void: step = next)
			until_told(client, func() -> bool: return step != null, "answered")
			same(step.account, "u-1", "the account stays")
		client.close(0)
	same(server.events()[0].headers["x-api-key"], "tk_ses_1", "the key of the events")
	that(bodies[0].contains('"deviceId":"new"'), bodies[0])
	that(bodies[1].contains('"deviceSecret":"secret"'), bodies[1])
	that(bodies[2].contains("steamTokens") and bodies[2].contains('"deviceSecret":"secret"'), bodies[2])
	that(not FileAccess.get_file_as_string(at_folder.path_join("state.json")).contains("tk_ses_1"), "the session's key is not on the disk")
	server.close()


func test_a_device_signs_in_only_at_an_address_that_the_server_named() -> void:
	var at_folder := new_folder()
	var signed_in := Server.json(200, "{" + SESSION + ',"issuedDeviceToken":{"deviceId":"d","deviceSecret":"secret"}}')
	var auth := Server.new(func(_request: Dictionary) -> String: return signed_in)
	var failures := [null, Server.json(200, "<!doctype html>"), Server.json(200, "{}"), Server.json(429, "{}"), Server.json(503, "{}"), Server.json(404, "<html>"), Server.json(403, "{}"), Server.json(401, "<html>")]
	var addresses := Server.json(200, '{"protocol":1,"events":null,"sessions":"%s"}' % auth.url)
	var is_reachable: Array[bool] = [true]
	var unreachable: Array = [null]
	var gateway := Server.new(func(request: Dictionary) -> Variant:
		if request.path != "/.well-known/tickrate":
			return Server.stored(request)
		if not is_reachable[0]:
			return unreachable[0]
		return addresses if failures.is_empty() else failures.pop_front())
	for start in 3:
		# The second start reaches nobody, the third one a proxy. Both remember.
		is_reachable[0] = start == 0
		unreachable[0] = null if start == 1 else Server.json(404, "<html>")
		var client := at(gateway, at_folder, {principal = "device"})
		track(client, start)
		if start == 0:
			step = null
			client.sign_in({steamTicket = "t"}, false, func(next: SignInStep) -> void: step = next)
			until_told(client, func() -> bool: return step != null, "answered")
			same(step.kind, "session", "the player's sign-in")
		that(client.flush(30_000), "sent by start %d" % start)
		client.close(0)
	var guessed := gateway.requests.filter(func(request: Dictionary) -> bool: return request.path.begins_with("/2018-03-24/"))
	same(guessed.size(), 0, "sign-ins at a guessed address")
	gateway.close()
	# A game that moved to another server, which first says nothing and then names no addresses.
	var before: int = auth.requests.size()
	for answer: Variant in [null, Server.json(404, Server.NOT_FOUND)]:
		var moved := Server.new(func(request: Dictionary) -> Variant:
			if request.path == "/.well-known/tickrate":
				return answer
			return signed_in if request.path.ends_with("/authenticate") else Server.stored(request))
		var client := at(moved, at_folder, {principal = "device"})
		track(client, 3)
		same(client.flush(30_000 if answer != null else 300), answer != null, "sent")
		end(client, moved)
	same(auth.requests.size(), before, "sign-ins at the former server")
	auth.close()


func test_a_404_to_a_sign_in_is_no_refusal() -> void:
	var left: Array[int] = [3]
	var server := Server.new(func(request: Dictionary) -> String:
		if not request.path.ends_with("/authenticate"):
			return Server.stored(request)
		left[0] -= 1
		return Server.json(404, Server.NOT_FOUND) if left[0] >= 0 else Server.json(200, "{" + SESSION + "}"))
	var client := at(server, new_folder(), {principal = "device"})
	track(client, 1)
	that(client.flush(30_000), "sent")
	until_told(client, func() -> bool: return said.contains("SESSIONS_URL"), "said")
	end(client, server)


func test_a_404_to_a_sign_in_asks_for_the_addresses_again() -> void:
	var auth := Server.new(func(_request: Dictionary) -> String: return Server.json(200, "{" + SESSION + "}"))
	var not_found := Server.json(404, Server.NOT_FOUND)
	var addresses := [not_found, Server.json(200, '{"protocol":1,"events":null,"sessions":"%s"}' % auth.url)]
	var gateway := Server.new(func(request: Dictionary) -> String:
		if request.path == "/.well-known/tickrate":
			return addresses[0] if addresses.size() == 1 else addresses.pop_front()
		return Server.stored(request) if request.path.begins_with("/v1/event/") else not_found)
	var client := at(gateway, new_folder(), {principal = "device"})
	track(client, 1)
	that(client.flush(30_000), "sent")
	end(client, gateway)
	auth.close()


func test_a_game_signs_a_player_in_and_draws_the_prompts() -> void:
	var refusals: Array[int] = [0]
	var server := Server.new(func(request: Dictionary) -> String:
		if not request.path.ends_with("/authenticate"):
			return Server.stored(request)
		refusals[0] += 1
		if refusals[0] == 1:
			return Server.json(503, '{"code":6001,"data":{}}')
		return Server.json(200, "{" + (SESSION if request.body.contains("password") else '"exchangeId":"x","promptForPassword":true') + "}"))
	var tickrate: Node = load("res://addons/tickrate/tickrate.gd").new()
	root.add_child(tickrate)
	tickrate.open({url = server.url, key = "tk_pub_x", folder = new_folder(), consent = "granted", principal = "key", debug = false, tuning = {sealAfterMs = 10, backoffFromMs = 5, backoffToMs = 20}})
	that(tickrate.track_event("level_up", {level = 1}), "tracked")
	paused = true
	step = await tickrate.sign_in({email = "ada@example.com"})
	paused = false
	same(step.prompt, "password", "the prompt")
	step = await tickrate.answer({password = "correct horse battery staple"})
	same(step.account, "u-1", "the account")
	that(tickrate.track_event("level_up", {level = 2}) and tickrate.flush(60_000), "sent")
	var sent := server.events()
	same(sent[0].headers["x-api-key"], "tk_pub_x", "the event before")
	same(sent[-1].headers["x-api-key"], "tk_ses_1", "the event after")
	var same_request := server.requests.filter(func(request: Dictionary) -> bool: return request.path.ends_with("/authenticate"))
	same(same_request[0].headers["idempotency-key"], same_request[1].headers["idempotency-key"], "the key of the same body")
	that(same_request[2].headers["idempotency-key"] != same_request[1].headers["idempotency-key"], "the key of another body")
	# This runs inside of a callback.
	tickrate.open({url = server.url, key = "tk_pub_y", folder = new_folder(), consent = "granted", principal = "key", debug = false})
	await process_frame
	that(tickrate.track_event("level_up", {level = 3}), "opened again")
	root.remove_child(tickrate)
	that(not tickrate.track_event("level_up", {level = 3}), "closed with the tree")
	tickrate.queue_free()
	await process_frame
	server.close()


func test_options_and_events_of_wrong_types_do_no_harm() -> void:
	var tickrate: Node = load("res://addons/tickrate/tickrate.gd").new()
	that(not tickrate.track_event("a", {}) and tickrate.losses().is_empty(), "before open()")
	root.add_child(tickrate)
	said = ""
	var record := func(text: String) -> void: said += text
	tickrate.open({url = 7, key = null, consent = "yes", folder = new_folder(), debug = record})
	that(tickrate.track_event("a", {}), "kept in memory")
	tickrate.set_consent("maybe")
	await until(func() -> bool: return said.contains("'maybe'") and said.contains("'yes'") and said.contains("`url`"), "recorded: " + said)
	same(tickrate.consent(), "unknown", "consent")
	tickrate.queue_free()
	await process_frame


func test_hostile_sessions_do_no_harm() -> void:
	for session: String in ['{"accountId":{},"apiKey":7,"start":[],"expiry":{}}', '{"expiry":1e999}', "{}"]:
		var server := Server.new(func(request: Dictionary) -> String:
			return Server.json(200, '{"authenticatedSession":%s,"issuedDeviceToken":3}' % session) if request.path.ends_with("/authenticate") else Server.stored(request))
		var client := at(server, new_folder(), {principal = "device"})
		that(track(client, 1), "tracked")
		that(client.flush(30_000), "sent")
		end(client, server)


func test_without_threads_the_game_sends_in_its_frames() -> void:
	var server := Server.new(Server.stored)
	var client := at(server, new_folder(), {threads = false})
	that(track(client, 1), "tracked")
	until_told(client, func() -> bool: return client.pending() == 0 and not server.events().is_empty(), "sent by pump()")
	track(client, 2)
	client.close(30_000)
	same(server.received().size(), 2, "events")
	server.close()


func test_a_run_that_another_process_took_over_is_left_to_it() -> void:
	var at_folder := new_folder()
	var dead := Server.new(func(_request: Dictionary) -> Variant: return null)
	var client := at(dead, at_folder)
	track(client, 1)
	await until(func() -> bool: return client._store.events == 1, "sealed")
	track(client, 2)
	var run := Files.names(at_folder, true)[0]
	Files.replace(at_folder.path_join(run).path_join("lock"), "1 elsewhere 2".to_utf8_buffer())
	client._store.own._touched_ms -= 60_000
	client._store._next_touch_ms = 0
	that(track(client, 3), "tracked")
	await until(func() -> bool: return Files.names(at_folder, true).size() == 2 and client.is_durable(), "a run of its own")
	that(Files.names(at_folder.path_join(run)).size() > 1, "what was taken over is still there")
	that(client.losses().is_empty(), "no loss: %s" % client.losses())
	end(client, dead)


func test_a_wrong_address_is_explained_with_the_reason() -> void:
	var closed := Server.new(Server.stored)
	closed.close()
	var client := at(closed, new_folder())
	track(client, 1)
	that(not client.flush(1000), "not sent")
	client.close(0)
	client.pump()
	that(said.contains("No answer from %s (no connection)" % closed.url) and said.contains("`url`"), said)
	same(said.count("No answer"), 1, said)
	var pages := Server.new(func(request: Dictionary) -> String: return Server.json(404 if request.path.begins_with("/v1/") else 200, "<html>"))
	client = at(pages, new_folder())
	track(client, 1)
	that(not client.flush(300) and client.losses().is_empty(), "kept")
	end(client, pages)
	that(said.contains("status 200, but not as Tickrate does"), said)


func test_flush_sends_what_a_process_left_that_ended_meanwhile_and_is_false_while_anything_waits() -> void:
	var is_online := [false]
	var server := Server.new(func(request: Dictionary) -> Variant: return Server.stored(request) if is_online[0] else null)
	var at_folder := new_folder()
	var client := at(server, at_folder)
	var other := at(server, at_folder)
	that(track(other, 1), "tracked")
	other.close(0)
	that(track(client, 2) and not client.flush(200), "offline")
	is_online[0] = true
	that(client.flush(60_000), "flushed")
	var levels := server.received().map(func(line: Dictionary) -> float: return line.event.level)
	that(levels.has(1.0) and levels.has(2.0), "the events of both: %s" % [levels])
	client.close(0)
	var waiting := at(server, new_folder(), {consent = "unknown"})
	track(waiting, 3)
	var from := Time.get_ticks_msec()
	that(not waiting.flush(60_000), "an event waits for consent")
	that(Time.get_ticks_msec() - from < 30_000, "at once")
	end(waiting, server)


func test_processes_on_one_folder_add_up_their_losses_and_keep_what_the_others_saved() -> void:
	var server := Server.new(Server.stored)
	var at_folder := new_folder()
	var older := at(server, at_folder, {consent = "unknown"})
	until_told(older, older.is_adopted, "started")
	var newer := at(server, at_folder)
	that(not newer.track_event("a", {x = "x".repeat(70_000)}), "too large")
	newer.close(0)
	var read_state := func() -> Dictionary: return JSON.parse_string(FileAccess.get_file_as_string(at_folder.path_join("state.json")))
	var saved: Dictionary = read_state.call()
	same(saved.losses.tooLarge, 1.0, "losses of the newer")
	older.set_consent("granted")
	that(not older.track_event("a", {x = "x".repeat(70_000)}), "too large")
	end(older, server)
	var last: Dictionary = read_state.call()
	same(last.losses.tooLarge, 2.0, "losses of both")
	same(last.installation, saved.installation, "the installation of the newer")
	same(last.consent, "granted", "the last choice")
