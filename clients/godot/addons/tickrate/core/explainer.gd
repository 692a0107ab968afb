extends RefCounted
## Says each kind of mistake once, with what to do, to developers only.

const JsonText := preload("json_text.gd")
const Verdict := preload("verdict.gd")

const _CLOCK_SECONDS := 60
const _KEY_ADVICE := {
	2003: "the option `key` must be a public key (tk_pub_…)",
	2006: "the key of the option `key` lacks a scope",
	2007: "the key of the option `key` lists allowed web origins, and this is none of them",
}

## Called with a text; invalid for players.
var _say: Callable
var _said := {}


func _init(sink: Callable) -> void:
	_say = sink


func say(topic: String, text: String) -> void:
	if _say.is_valid() and not _said.has(topic):
		_said[topic] = true
		_say.call(text)


func stopped(verdict: Verdict, what: String) -> void:
	var advice: String = _KEY_ADVICE.get(verdict.code, "check the option `key`: it must be a public key of the project (tk_pub_…)")
	say("stop %d" % verdict.code, "Cannot %s (%d): %s. Events are buffered until the next start." % [what, verdict.code, advice])


func refused(status: int, verdict: Verdict) -> void:
	var code := "status %d" % status if verdict.code == 0 else "code %d" % verdict.code
	say("refused " + code, "The server refused a segment with %s (%s). It is in the folder aside/." % [code, JsonText.text_of(verdict.body, "message")])


## `sent` are the lines of the request. Each rejected event is named with its type and version.
func stored(body: Dictionary, sent: PackedByteArray) -> void:
	if not _say.is_valid():
		return
	var all_rejected := JsonText.array_of(body, "rejected")
	var lines := PackedStringArray() if all_rejected.is_empty() else sent.get_string_from_utf8().split("\n", false)
	for rejected: Variant in all_rejected:
		if not rejected is Dictionary:
			continue
		var at := int(JsonText.number_of(rejected, "index"))
		var event := JsonText.parse_object(lines[at]) if at >= 0 and at < lines.size() else {}
		var type := "%s, version %s" % [event.get("eventType"), str(int(JsonText.number_of(event, "eventTypeVersion"))) if event.has("eventTypeVersion") else "of the newest declaration"]
		for error: Variant in JsonText.array_of(rejected, "errors"):
			if error is Dictionary:
				var text := "%s %s" % [error.get("location", ""), error.get("message", "")]
				say("rejected %s %s" % [type, text], "An event of type %s was rejected: %s. `tickrate event-types declare` declares types and versions." % [type, text])
	for notice: Variant in JsonText.array_of(body, "notices"):
		if notice is Dictionary and notice.get("notice") == "occurredClamped":
			say("clamped", "%d events were older than 30 days; their times were limited." % int(JsonText.number_of(notice, "count")))


## `server_seconds` is 0 if the answer had no date.
func compare_clocks(server_seconds: int, wall_ms: int) -> void:
	var off := server_seconds - wall_ms / 1000
	if server_seconds > 0 and absi(off) > _CLOCK_SECONDS:
		say("clock", "This device's clock differs from the server's by %d s. Event times are corrected." % off)
