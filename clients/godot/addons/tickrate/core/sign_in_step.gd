extends RefCounted
## Where a sign-in stands: a prompt to draw, a session, or a refusal.

## "send" and "resend" are for the SDK only; a game sees "prompt", "session" and "ended".
var kind := "ended"
## What to ask the player for: see docs/sign-in-prompts.md. Empty if nothing is asked.
var prompt := ""
## What the game needs to draw the prompt.
var options := {}
## 0: no error of the server.
var error_code := 0
var error_message := ""
## The account, once signed in.
var account := ""
## The server's description of the session, with the secret `apiKey`. It is never written to the disk.
var session := {}
var recovery_codes: Array = []
var retry_after_seconds := 0.0
var device := {}
var call := ""
var body := {}


func _init(of_kind := "ended", message := "") -> void:
	kind = of_kind
	error_message = message
