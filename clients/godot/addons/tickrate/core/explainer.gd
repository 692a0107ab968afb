extends RefCounted
## Says each kind of mistake once, with what to do, to developers only.

const HttpCall := preload("http_call.gd")
const JsonText := preload("json_text.gd")
const Verdict := preload("verdict.gd")

const _CLOCK_SECONDS := 60
const _KEY_ADVICE := {
	2006: "it lacks a scope; a public key (tk_pub_…) has those that a game needs",
	2007: "it lists allowed web origins, and this is none of them",
}
const _KINDS := {"": "is empty", "tk_pub_": "holds a public key", "tk_adm_": "holds an administrative key", "tk_ses_": "holds the key of a session"}

## Called with a text; invalid for players.
var _say: Callable
var _said := {}


func _init(sink: Callable) -> void:
	_say = sink


func say(topic: String, text: String) -> void:
	if _say.is_valid() and not _said.has(topic):
		_said[topic] = true
		_say.call(text)


func unreachable(url: String, call: HttpCall) -> void:
	# A refusal in the server's own words, for example that it is overloaded.
	if JsonText.is_integer(JsonText.parse_object(call.text).get("code")):
		return
	var found := "%s answered with status %d, but not as Tickrate does" % [url, call.status]
	if call.status == 0:
		found = "No answer from %s%s" % [url, "" if call.reason == "" else " (%s)" % call.reason]
	say("unreachable " + url, found + ": check the option `url`, and whether the server runs. Events wait in the buffer.")


func stopped(verdict: Verdict, what: String, key: String) -> void:
	var advice: String = _KEY_ADVICE.get(verdict.code, "it must be a public key (tk_pub_…) of this project")
	var kind: String = _KINDS.get(key.left(7), "holds no key of Tickrate")
	say("stop %d" % verdict.code, "Cannot %s (%d): the option `key` %s; %s. Events are buffered until the next start." % [what, verdict.code, kind, advice])


func refused(status: int, verdict: Verdict) -> void:
	var code := "status %d" % status if verdict.code == 0 else "code %d" % verdict.code
	say("refused " + code, "The server refused a segment with %s (%s). It is in the folder aside/.%s" % [code, JsonText.text_of(verdict.body, "message"), "" if verdict.code != 0 else " Check the option `url`: no answer of Tickrate has no code."])


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
				# Without the position of the event in its request.
				var location := JsonText.text_of(error, "location")
				var slash := location.find("/", 1)
				var text := "%s %s" % [location if slash < 0 else location.substr(slash), error.get("message", "")]
				say("rejected %s %s" % [type, text], "An event of type %s was rejected: %s. Compare it with its declaration, or declare it with `tickrate event-types declare`." % [type, text])
	for notice: Variant in JsonText.array_of(body, "notices"):
		if notice is Dictionary and notice.get("notice") == "occurredClamped":
			say("clamped", "%d events were older than 30 days or more than 5 minutes ahead; their times were limited." % int(JsonText.number_of(notice, "count")))


## `server_seconds` is 0 if the answer had no date.
func compare_clocks(server_seconds: int, wall_ms: int) -> void:
	var off := server_seconds - wall_ms / 1000
	if server_seconds > 0 and absi(off) > _CLOCK_SECONDS:
		say("clock", "This device's clock is %d s %s the server's: set it. Event times are corrected." % [absi(off), "ahead of" if off < 0 else "behind"])
