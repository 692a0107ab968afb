extends RefCounted
## The sessions of this start, by the principal whose segments they send.

const JsonText := preload("json_text.gd")

const _LONGEST_SECONDS := 366.0 * 24 * 3600

var device_principal := ""
var _all: Array[Live] = []


class Live:
	extends RefCounted
	var account := ""
	var key := ""
	var is_of_device := false
	var renew_at_ms := 0


func of(principal: String) -> Live:
	for live in _all:
		if (live.is_of_device and principal == device_principal) or principal == "account:" + live.account:
			return live
	return null


func with_key(key: String) -> Live:
	for live in _all:
		if live.key == key:
			return live
	return null


func to_renew(monotonic: int) -> Live:
	for live in _all:
		if monotonic >= live.renew_at_ms:
			return live
	return null


func keep(session: Dictionary, is_of_device: bool, monotonic: int) -> void:
	var live := Live.new()
	live.account = JsonText.text_of(session, "accountId")
	live.key = JsonText.text_of(session, "apiKey")
	live.is_of_device = is_of_device
	live.renew_at_ms = monotonic + int(clampf(JsonText.number_of(session, "expiry") - JsonText.number_of(session, "start"), 60.0, _LONGEST_SECONDS)) * 800
	for i in _all.size():
		if _all[i].account == live.account or (is_of_device and _all[i].is_of_device):
			live.is_of_device = is_of_device or _all[i].is_of_device
			_all[i] = live
			return
	_all.append(live)


## True if it was the session of an account that only the game can sign in again.
func drop(key: String) -> bool:
	var live := with_key(key)
	if live == null:
		return false
	_all.erase(live)
	return not live.is_of_device


func clear() -> void:
	_all.clear()
