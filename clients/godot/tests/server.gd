extends RefCounted
## A server on 127.0.0.1 that answers what a test says: `answer` gets a request and returns the whole answer as text.
## An empty one is never sent; null ends the connection.

## What Tickrate says at a path that it does not know. A proxy has no code.
const NOT_FOUND := '{"code":1006,"data":{}}'

var url := ""
## The requests so far: `method`, `path`, `headers`, `body` (unpacked).
var requests: Array[Dictionary] = []
var _answer: Callable
var _server := TCPServer.new()
var _thread := Thread.new()
var _mutex := Mutex.new()
var _is_ending := false
var _connections: Array[Array] = []


static func json(status: int, body: String, headers := "") -> String:
	return "HTTP/1.1 %d X\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s" % [status, headers, body.to_utf8_buffer().size(), body]


## What the product answers to events.
static func stored(request: Dictionary) -> String:
	if not request.path.begins_with("/v1/"):
		return json(404, NOT_FOUND)
	return json(200, '{"accepted":%d,"rejected":[]}' % request.body.count("\n"))


func _init(answer: Callable) -> void:
	_answer = answer
	_server.listen(0, "127.0.0.1")
	url = "http://127.0.0.1:%d" % _server.get_local_port()
	_thread.start(_run)


func close() -> void:
	_is_ending = true
	_thread.wait_to_finish()
	_server.stop()


## The requests that carried events.
func events() -> Array[Dictionary]:
	_mutex.lock()
	var found := requests.filter(func(request: Dictionary) -> bool: return request.path.begins_with("/v1/"))
	_mutex.unlock()
	return found


## The events of all requests, as dictionaries.
func received() -> Array:
	var all := []
	for request in events():
		for line: String in request.body.split("\n", false):
			all.append(JSON.parse_string(line))
	return all


func _run() -> void:
	while not _is_ending:
		while _server.is_connection_available():
			_connections.append([_server.take_connection(), PackedByteArray()])
		for connection: Array in _connections.duplicate():
			_serve(connection)
		OS.delay_msec(1)


func _serve(connection: Array) -> void:
	var peer: StreamPeerTCP = connection[0]
	peer.poll()
	if peer.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		_connections.erase(connection)
		return
	var bytes: PackedByteArray = connection[1]
	if peer.get_available_bytes() > 0:
		bytes.append_array(peer.get_data(peer.get_available_bytes())[1])
		connection[1] = bytes
	var text := bytes.get_string_from_ascii()
	var end := text.find("\r\n\r\n")
	if end < 0:
		return
	var request := {headers = {}}
	var lines := text.left(end).split("\r\n")
	request.method = lines[0].get_slice(" ", 0)
	request.path = lines[0].get_slice(" ", 1)
	for line in lines.slice(1):
		request.headers[line.get_slice(": ", 0).to_lower()] = line.get_slice(": ", 1)
	var length: int = request.headers.get("content-length", "0").to_int()
	if bytes.size() < end + 4 + length:
		return
	var body := bytes.slice(end + 4)
	if request.headers.get("content-encoding") == "gzip":
		body = body.decompress_dynamic(-1, FileAccess.COMPRESSION_GZIP)
	request.body = body.get_string_from_utf8()
	connection[1] = PackedByteArray()
	_mutex.lock()
	requests.append(request)
	_mutex.unlock()
	var answer: Variant = _answer.call(request)
	if answer is String:
		peer.put_data(answer.to_utf8_buffer())
	if answer != "":
		peer.disconnect_from_host()
		_connections.erase(connection)
