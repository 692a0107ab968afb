extends RefCounted
## JSON as the format of a segment needs it: one line, numbers unrounded, every control character escaped.

const _MAX_DEPTH := 32
const _SEPARATOR := "\u0001"

## By the type of a value: 1 if each value of it is JSON.
static var _plain := _plain_types()
## What JSON.stringify leaves as it is, or writes as `\v`, which is no JSON; and halves of characters, which are no UTF-8.
static var _unsafe := RegEx.create_from_string("[\\x00-\\x1f\\x{d800}-\\x{dfff}]|\\\\v")


## Empty if the value cannot be JSON: a number that is not finite, an object, a loop.
static func of(value: Variant) -> String:
	if value is Dictionary:
		# Most events hold plain values only.
		for member: Variant in value:
			if _plain[typeof(value[member])] == 0 and not _can_be_json(value[member], 1):
				return ""
	elif not _can_be_json(value, 0):
		return ""
	var text := JSON.stringify(value, "", false, true)
	return text if _unsafe.search(text) == null else _escaped(text)


## The value, or null if the text is no JSON. Prints nothing.
static func parse(text: String) -> Variant:
	var json := JSON.new()
	return json.data if json.parse(text) == OK else null


static func parse_object(text: String) -> Dictionary:
	var value: Variant = parse(text)
	return value if value is Dictionary else {}


## The member if it is a text, an object, an array or a number, otherwise an empty one.
static func text_of(from: Dictionary, member: String) -> String:
	var value: Variant = from.get(member)
	return value if value is String else ""


static func object_of(from: Dictionary, member: String) -> Dictionary:
	var value: Variant = from.get(member)
	return value if value is Dictionary else {}


static func array_of(from: Dictionary, member: String) -> Array:
	var value: Variant = from.get(member)
	return value if value is Array else []


static func number_of(from: Dictionary, member: String) -> float:
	var value: Variant = from.get(member)
	return float(value) if value is float or value is int else 0.0


static func is_integer(value: Variant) -> bool:
	return value is int or (value is float and is_finite(value) and value == floorf(value))


static func _can_be_json(value: Variant, depth: int) -> bool:
	match typeof(value):
		TYPE_FLOAT:
			return is_finite(value)
		TYPE_DICTIONARY:
			if depth == _MAX_DEPTH:
				return false
			for member: Variant in value:
				if not _can_be_json(value[member], depth + 1):
					return false
			return true
		TYPE_ARRAY, TYPE_PACKED_FLOAT32_ARRAY, TYPE_PACKED_FLOAT64_ARRAY:
			if depth == _MAX_DEPTH:
				return false
			for element: Variant in value:
				if not _can_be_json(element, depth + 1):
					return false
			return true
	return _plain[typeof(value)] == 1


static func _plain_types() -> PackedByteArray:
	var plain := PackedByteArray()
	plain.resize(TYPE_MAX)
	for type: int in [TYPE_STRING, TYPE_INT, TYPE_BOOL, TYPE_NIL, TYPE_STRING_NAME, TYPE_PACKED_STRING_ARRAY, TYPE_PACKED_INT32_ARRAY, TYPE_PACKED_INT64_ARRAY]:
		plain[type] = 1
	return plain


static func _escaped(text: String) -> String:
	var safe := ""
	for character in text:
		var code := character.unicode_at(0)
		if code < 0x20:
			safe += "\\u%04x" % code
		elif code >= 0xd800 and code <= 0xdfff:
			safe += "\\ufffd"
		else:
			safe += character
	# An escaped backslash before a v is no `\v`.
	return safe.replace("\\\\", _SEPARATOR).replace("\\v", "\\u000b").replace(_SEPARATOR, "\\\\")
