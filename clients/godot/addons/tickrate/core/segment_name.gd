extends RefCounted
## The parts of `TIMEn-KEY.open` and `….seal`.

static var _form := RegEx.create_from_string("\\A([0-9a-f]{12})[0-9a-f]{4}-([0-9a-f]{32}(?:\\.[01])*)\\.(open|seal)\\z")

## Empty for a file that is no segment. Otherwise the name without its end.
var stem := ""
var key := ""
var time_ms := 0
var is_sealed := false


func _init(name: String) -> void:
	var found := _form.search(name)
	if found == null:
		return
	stem = name.left(-5)
	time_ms = found.get_string(1).hex_to_int()
	key = found.get_string(2)
	is_sealed = found.get_string(3) == "seal"


static func make_stem(at_ms: int, of_number: int, of_key: String) -> String:
	return "%012x%04x-%s" % [clampi(at_ms, 0, 0xffffffffffff), of_number & 0xffff, of_key]
