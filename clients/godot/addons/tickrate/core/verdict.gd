extends RefCounted
## What a client does on an answer: the table of docs/clients.md.

const JsonText := preload("json_text.gd")

## What follows from an answer, for people.
const WORDS := {
	delete = "stored",
	retry = "sent again later",
	wait = "sent again when allowed",
	pause = "paused by a quota",
	split = "too large, sent in halves",
	signIn = "signs in again",
	stop = "stopped: wrong key",
	setAside = "refused, in the folder aside/",
}
const _MOST_SECONDS := 31.0 * 24 * 3600
const _HOUR_MS := 3600000.0

## "delete", "retry", "wait", "pause", "split", "signIn", "stop" or "setAside".
var act := "retry"
var code := 0
var wait_seconds := 0.0
## Events of the segment that the server rejected, of "delete".
var rejected := 0
var body := {}


## `retry_after` is the number in the header of that name, or -1. Status 0: there was no answer.
static func of(status: int, text: String, retry_after := -1.0) -> RefCounted:
	var verdict := new()
	verdict.body = JsonText.parse_object(text)
	var data: Variant = verdict.body.get("data")
	if data is Dictionary:
		if JsonText.is_integer(verdict.body.get("code")):
			verdict.code = int(verdict.body["code"])
		verdict.wait_seconds = bounded(JsonText.number_of(data, "retryAfterSeconds"))
	verdict._judge(status, retry_after)
	return verdict


func _judge(status: int, retry_after: float) -> void:
	if status == 200:
		if JsonText.is_integer(body.get("accepted")):
			act = "delete"
			var in_all: Variant = body.get("rejectedInAll")
			rejected = maxi(0, int(in_all)) if JsonText.is_integer(in_all) else JsonText.array_of(body, "rejected").size()
	elif status == 503 and code == 6001 or status == 429 and code == 6002:
		act = "wait"
	elif status == 429 and code == 8009:
		act = "pause"
	elif status == 429:
		wait_seconds = bounded(retry_after)
		act = "wait" if retry_after >= 0 else "retry"
	# A proxy's answer says nothing about this request or earlier attempts: one may be stored.
	elif code == 0:
		act = "retry"
	elif status == 413:
		act = "split"
	elif status == 401 and code == 2004:
		act = "signIn"
	elif status == 401 or status == 403:
		act = "stop"
	elif status >= 400 and status < 500 and status != 408:
		act = "setAside"


## The same request would be refused again.
static func is_final(status: int) -> bool:
	return status >= 400 and status < 500 and status != 408 and status != 429


static func bounded(seconds: float) -> float:
	return minf(seconds, _MOST_SECONDS) if seconds > 0.0 else 0.0


## Full jitter: attempt 0 waits up to a second, each further one up to twice as long.
static func backoff(attempt: int, random: float, tuning: Dictionary) -> int:
	return floori(random * minf(tuning.backoffToMs, tuning.backoffFromMs * pow(2.0, mini(attempt, 40))))


## How long to wait before the next request, of the acts that wait.
func delay_ms(attempt: int, random: float, tuning: Dictionary) -> int:
	var asked := int(wait_seconds * 1000.0)
	match act:
		"pause":
			return asked + floori(random * _HOUR_MS)
		"wait":
			return asked + backoff(0, random, tuning)
	return backoff(attempt, random, tuning)
