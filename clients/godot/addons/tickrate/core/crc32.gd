extends RefCounted
## The CRC-32 of zlib, four bytes at a time.

const START := 0xffffffff

static var _bytes := PackedInt64Array()
static var _low := PackedInt64Array()
static var _high := PackedInt64Array()


## Fills the tables, in about 4 ms. Call it before the first `of`, from one thread.
static func prepare() -> void:
	if not _high.is_empty():
		return
	var tables: Array[PackedInt64Array] = []
	for table in 4:
		var next := PackedInt64Array()
		next.resize(256)
		for i in 256:
			if table == 0:
				var crc := i
				for bit in 8:
					crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
				next[i] = crc
			else:
				next[i] = tables[0][tables[table - 1][i] & 255] ^ (tables[table - 1][i] >> 8)
		tables.append(next)
	_bytes = tables[0]
	_low.resize(65536)
	var high := PackedInt64Array()
	high.resize(65536)
	for i in 65536:
		_low[i] = tables[3][i & 255] ^ tables[2][i >> 8]
		high[i] = tables[1][i & 255] ^ tables[0][i >> 8]
	_high = high


static func of(bytes: PackedByteArray, from: int, to: int) -> int:
	return proceed(START, bytes, from, to) ^ START


## The state after more bytes. It begins with START, and XOR START makes it the checksum.
static func proceed(crc: int, bytes: PackedByteArray, from: int, to: int) -> int:
	var whole := from + ((to - from) & ~3)
	for i in range(from, whole, 4):
		crc ^= bytes.decode_u32(i)
		crc = _low[crc & 0xffff] ^ _high[crc >> 16]
	for i in range(whole, to):
		crc = _bytes[(crc ^ bytes[i]) & 255] ^ (crc >> 8)
	return crc
