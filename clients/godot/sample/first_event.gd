extends Control
## A window with a button that tracks an event, and what the SDK says about it.
## godot --path clients/godot -- http://127.0.0.1:8080 tk_pub_…

var _level := 0

@onready var _text: Label = $Box/Text


func _ready() -> void:
	var arguments := OS.get_cmdline_user_args()
	if arguments.size() < 2:
		_text.text = "Start the sample with the address and a public key:\ngodot --path clients/godot -- http://127.0.0.1:8080 tk_pub_…"
		return
	Tickrate.lost.connect(_on_lost)
	Tickrate.open({url = arguments[0], key = arguments[1], consent = "granted"})
	$Box/LevelUp.pressed.connect(_on_level_up)
	$Box/LevelUp.disabled = false
	if arguments.has("--once"):
		_on_level_up()
		Tickrate.close()
		print("tracked 1, waiting %d" % Tickrate.pending())
		get_tree().quit()


func _process(_delta: float) -> void:
	if _level == 0:
		return
	var answers := Tickrate.answers()
	_text.text = "Level %d\nWaiting: %d\nLast answer: %s" % [_level, Tickrate.pending(), "none yet" if answers.is_empty() else answers[-1]]


func _on_level_up() -> void:
	_level += 1
	Tickrate.track(LevelUp.new(_level).character("ranger"))


func _on_lost(reason: String, count: int) -> void:
	push_warning("%d events were lost: %s" % [count, reason])
