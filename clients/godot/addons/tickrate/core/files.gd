extends RefCounted
## Files, without a message to the console when the system refuses; and secure random numbers, for keys and for jitter.

## More than any file of the buffer has. What is longer was changed by hand.
const _MAX_BYTES := 1024 * 1024
const _SPACE_NEEDED := 1024 * 1024

static var _hex := RegEx.create_from_string("\\A[0-9a-f]*\\z")
static var _mutex := Mutex.new()
static var _crypto := Crypto.new()


static func random_hex(digits: int) -> String:
	_mutex.lock()
	var bytes := _crypto.generate_random_bytes((digits + 1) / 2)
	_mutex.unlock()
	return bytes.hex_encode().left(digits)


## From 0 to below 1.
static func random_fraction() -> float:
	return random_hex(8).hex_to_int() / 4294967296.0


static func is_hex(text: String, digits: int) -> bool:
	return text.length() == digits and _hex.search(text) != null


## At most 1 MiB. Null if the file cannot be read.
static func read(path: String) -> Variant:
	var file := FileAccess.open(path, FileAccess.READ)
	return null if file == null else file.get_buffer(mini(file.get_length(), _MAX_BYTES))


## A new file that only its owner can read, where the system has modes. Null if it cannot be made.
static func create(path: String) -> FileAccess:
	var file := FileAccess.open(path, FileAccess.WRITE_READ)
	if file != null:
		FileAccess.set_unix_permissions(path, FileAccess.UNIX_READ_OWNER | FileAccess.UNIX_WRITE_OWNER)
	return file


## The path holds the old contents or the new ones, whatever happens.
static func replace(path: String, bytes: PackedByteArray, beside := path + ".new") -> bool:
	var file := create(beside)
	if file == null:
		return false
	file.store_buffer(bytes)
	file.flush()
	var is_whole := file.get_length() == bytes.size()
	file.close()
	if is_whole and DirAccess.rename_absolute(beside, path) == OK:
		return true
	delete(beside)
	return false


## Shortens a file in place, which needs no room on the disk. False where Godot cannot: before 4.4.
static func cut(path: String, size: int) -> bool:
	var file := FileAccess.open(path, FileAccess.READ_WRITE)
	if file == null or not file.has_method(&"resize"):
		return false
	file.call(&"resize", size)
	return file.get_length() == size


## Whether the disk of a folder has hardly any space left. Godot reports no reason of a failed write.
static func is_disk_full(folder: String) -> bool:
	while not DirAccess.dir_exists_absolute(folder) and folder != folder.get_base_dir():
		folder = folder.get_base_dir()
	var opened := DirAccess.open(folder)
	return opened != null and opened.get_space_left() < _SPACE_NEEDED


static func delete(path: String) -> void:
	if FileAccess.file_exists(path):
		DirAccess.remove_absolute(path)


static func names(folder: String, are_folders := false) -> PackedStringArray:
	if not DirAccess.dir_exists_absolute(folder):
		return PackedStringArray()
	var found := DirAccess.get_directories_at(folder) if are_folders else DirAccess.get_files_at(folder)
	found.sort()
	return found


## Makes the folder and those above it.
static func make_folder(path: String) -> Error:
	if DirAccess.dir_exists_absolute(path):
		return OK
	var above := path.get_base_dir()
	if above == path or make_folder(above) != OK:
		return ERR_CANT_CREATE
	var reason := DirAccess.make_dir_absolute(path)
	# Another process may have made it meanwhile.
	return OK if reason == ERR_ALREADY_EXISTS else reason
