extends RefCounted
## Secure random numbers, for keys and for jitter.

static var _mutex := Mutex.new()
static var _crypto := Crypto.new()


static func hex(digits: int) -> String:
	_mutex.lock()
	var bytes := _crypto.generate_random_bytes((digits + 1) / 2)
	_mutex.unlock()
	return bytes.hex_encode().left(digits)


## From 0 to below 1.
static func fraction() -> float:
	return hex(8).hex_to_int() / 4294967296.0
