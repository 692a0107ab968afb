extends RefCounted
## One request, polled until `is_done`. It follows no redirect, and reads 64 KiB of an answer and no more.

const MAX_BYTES := 64 * 1024
const _MONTHS := "JanFebMarAprMayJunJulAugSepOctNovDec"

static var _date := RegEx.create_from_string(
	"^\\w+, ([0-2]\\d|3[01]) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) ([12]\\d{3}) ((?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d) GMT$"
)

const _REASONS := {
	HTTPClient.STATUS_CANT_RESOLVE: "the name of the server cannot be resolved",
	HTTPClient.STATUS_CANT_CONNECT: "no connection",
	HTTPClient.STATUS_TLS_HANDSHAKE_ERROR: "no TLS connection",
	HTTPClient.STATUS_CONNECTION_ERROR: "the connection broke",
}

var is_done := false
## 0: there was no answer, or none that can be used.
var status := 0
## Why there is no answer, for developers; or empty.
var reason := ""
var text := ""
## Of the header Retry-After in seconds; -1 without one.
var retry_after := -1.0
## Seconds since 1970 of the header Date; 0 without one.
var server_seconds := 0
var _http := HTTPClient.new()
var _method := HTTPClient.METHOD_GET
var _path := ""
var _headers := PackedStringArray()
var _body := PackedByteArray()
var _is_sent := false
var _code := 0
var _length := -1
var _is_chunked := false
var _bytes := PackedByteArray()
var _until_ms := 0


## `url` is whole: https://host:port/path.
func start(method: int, url: String, headers: PackedStringArray, body: PackedByteArray, timeout_ms: int) -> void:
	_method = method
	_headers = headers
	_body = body
	_until_ms = Time.get_ticks_msec() + timeout_ms
	var is_secure := url.begins_with("https://")
	var rest := url.trim_prefix("https://").trim_prefix("http://")
	var slash := rest.find("/")
	var authority := rest if slash < 0 else rest.left(slash)
	_path = "/" if slash < 0 else rest.substr(slash)
	var colon := authority.rfind(":")
	var has_port := colon > authority.rfind("]")
	var port := authority.substr(colon + 1).to_int() if has_port else (443 if is_secure else 80)
	var host := (authority.left(colon) if has_port else authority).trim_prefix("[").trim_suffix("]")
	if host == "" or rest == url or _http.connect_to_host(host, port, TLSOptions.client() if is_secure else null) != OK:
		is_done = true


func abort() -> void:
	_http.close()
	is_done = true


func step() -> void:
	if is_done:
		return
	if Time.get_ticks_msec() > _until_ms:
		_fail()
		reason = "timeout"
		return
	_http.poll()
	match _http.get_status():
		HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING:
			pass
		HTTPClient.STATUS_CONNECTED:
			if _is_sent:
				_read()
			else:
				_is_sent = true
				if _http.request_raw(_method, _path, _headers, _body) != OK:
					_fail()
		HTTPClient.STATUS_BODY:
			_read()
		_:
			_fail()


## Reads what is there, and ends with the body. What comes after it, an end of the connection too, does not count.
func _read() -> void:
	if _code == 0:
		_read_head()
	while _http.get_status() == HTTPClient.STATUS_BODY:
		var part := _http.read_response_body_chunk()
		if part.is_empty() and _http.get_status() == HTTPClient.STATUS_BODY:
			return
		_bytes.append_array(part)
		if _bytes.size() > MAX_BYTES:
			_fail()
			return
	# A body without a length ends with the connection.
	var is_whole := _http.get_status() == HTTPClient.STATUS_CONNECTED or (_length < 0 and not _is_chunked)
	if _code == 0 or not is_whole or _length > _bytes.size():
		_fail()
		return
	status = _code
	text = _bytes.get_string_from_utf8()
	_http.close()
	is_done = true


func _read_head() -> void:
	_code = _http.get_response_code()
	_length = _http.get_response_body_length()
	_is_chunked = _http.is_response_chunked()
	for header in _http.get_response_headers():
		var colon := header.find(":")
		var value := header.substr(colon + 1).strip_edges()
		match header.left(colon).to_lower():
			"retry-after":
				retry_after = value.to_float() if value.is_valid_int() else -1.0
			"date":
				server_seconds = _seconds_of(value)


func _fail() -> void:
	status = 0
	reason = _REASONS.get(_http.get_status(), "")
	_http.close()
	is_done = true


## Of "Sun, 22 Nov 2026 17:28:52 GMT"; 0 of anything else.
static func _seconds_of(date: String) -> int:
	var parts := _date.search(date)
	if parts == null:
		return 0
	var month := _MONTHS.find(parts.get_string(2)) / 3 + 1
	return Time.get_unix_time_from_datetime_string("%s-%02d-%sT%s" % [parts.get_string(3), month, parts.get_string(1), parts.get_string(4)])
