extends RefCounted
## One sign-in, without input or output. It holds everything that was sent so far: each request contains all of it.
## input → send → received → (prompt → input → send → …) → session | ended

const JsonText := preload("json_text.gd")
const Step := preload("sign_in_step.gd")

const AUTHENTICATE := "PUT /2018-03-24/authenticate"
const VERIFY := "POST /2018-03-24/account/email/verify"

## The members of the body that hold an answer of the game as it is.
const _PLACES := {
	email = "emailAddress",
	password = "password",
	optIn = "marketingPreferenceOptIn",
	projectId = "projectId",
	accountRef = "linkDecision.accountRef",
	terms = "registration.acceptedTerms",
	displayName = "registration.displayName",
	locale = "registration.locale",
}
const _TOKENS := {
	steamTicket = ["steamTokens", "userTicket"],
	itchIoKey = ["itchIoTokens", "apiKey"],
	discordToken = ["discordTokens", "accessToken"],
	openId = ["oAuthTokens", ""],
	device = ["deviceTokens", ""],
}
## In this order, the first flag of an answer is the prompt.
const _PROMPTS := {
	promptForProject = "project",
	promptForEmailAddress = "identifier",
	promptForPassword = "password",
	promptForTwoFactorEnrolment = "secondFactorEnrolment",
	promptForTwoFactorCode = "secondFactor",
	promptForEmailVerification = "emailVerification",
	promptForLinking = "linking",
	promptForTerms = "terms",
	promptForMarketingPreferenceOptIn = "marketing",
}

var _body := {}
var _prompt := ""
var _options := {}
var _is_verifying := false
var _conflicts := 0


## Adds what the player gave, with the members of docs/sign-in-prompts.md: email, password, code, steamTicket …
func input(given: Dictionary) -> Step:
	for member: Variant in given:
		_apply(str(member), given[member])
	if _prompt != "emailVerification" or not given.get("code") is String:
		return _sending(AUTHENTICATE, _body)
	_is_verifying = true
	var verification := {token = given["code"]}
	if _body.has("password"):
		verification["password"] = _body["password"]
	return _sending(VERIFY, verification)


## True while the code of a mail is being verified.
func is_verifying() -> bool:
	return _is_verifying


## Takes the answer to the last request; status 0 if there was none.
func received(status: int, answer: Dictionary) -> Step:
	if status != 200:
		return _refused(status, answer)
	if _is_verifying:
		_is_verifying = false
		return _sending(AUTHENTICATE, _body)
	if answer.get("exchangeId") is String:
		_body["exchangeId"] = answer["exchangeId"]
	_conflicts = 0
	return _signed_in(answer) if answer.get("authenticatedSession") is Dictionary else _ask_for(answer)


func _apply(member: String, value: Variant) -> void:
	if _PLACES.has(member):
		_put(_PLACES[member], value)
	elif _TOKENS.has(member):
		var inner: String = _TOKENS[member][1]
		_put("tokens." + _TOKENS[member][0], [value if inner == "" else {inner: value}])
	match member:
		"register":
			_body.erase("intent")
			if value == true:
				_body["intent"] = "register"
		"code":
			if _prompt != "emailVerification":
				_put("twoFactor.twoFactorCode", value)
		"trust":
			_put("twoFactor.trustThisDevice", true)
			if value is Dictionary:
				_put("twoFactor.deviceIdentifier", value.get("identifier"))
				_put("twoFactor.deviceIdentifierFriendlyName", value.get("name"))
		"action":
			_put("intent" if value is String and value == "cancel" else "linkDecision.action", value)


func _put(place: String, value: Variant) -> void:
	var parts := place.split(".")
	if parts.size() == 1:
		_body[place] = value
		return
	if not _body.get(parts[0]) is Dictionary:
		_body[parts[0]] = {}
	_body[parts[0]][parts[1]] = value


func _sending(call: String, body: Dictionary) -> Step:
	var step := Step.new("send")
	step.call = call
	step.body = body.duplicate(true)
	return step


func _signed_in(answer: Dictionary) -> Step:
	var step := Step.new("session")
	step.session = answer["authenticatedSession"]
	step.account = JsonText.text_of(step.session, "accountId")
	step.device = JsonText.object_of(answer, "issuedDeviceToken")
	step.recovery_codes = JsonText.array_of(answer, "recoveryCodes")
	return step


func _ask_for(answer: Dictionary) -> Step:
	for flag: String in _PROMPTS:
		if answer.get(flag) == true:
			return _ask(_exact(_PROMPTS[flag], answer), _needed(_PROMPTS[flag], answer))
	return Step.new("ended", "unknownPrompt")


func _exact(prompt: String, answer: Dictionary) -> String:
	if prompt == "identifier" and answer.get("intent") == "register":
		return "registration"
	if prompt == "password" and answer.get("passwordResetEmailSent") == true:
		return "passwordUnset"
	if prompt == "secondFactor" and answer.get("promptForEmailVerification") == true:
		return "mailedCode"
	return prompt


func _needed(prompt: String, answer: Dictionary) -> Dictionary:
	match prompt:
		"project":
			return {projects = answer.get("availableProjects")}
		"secondFactorEnrolment":
			return JsonText.object_of(answer, "twoFactorEnrolment")
		"linking":
			return JsonText.object_of(answer, "linking")
	return {}


func _ask(prompt: String, options := {}) -> Step:
	_prompt = prompt
	_options = options
	return _repeat(0, "")


func _repeat(code: int, message: String) -> Step:
	var step := Step.new("ended" if _prompt == "" else "prompt", message)
	step.prompt = _prompt
	step.options = _options
	step.error_code = code
	return step


func _refused(status: int, answer: Dictionary) -> Step:
	var data := JsonText.object_of(answer, "data")
	var code := int(JsonText.number_of(answer, "code")) if answer.get("data") is Dictionary else 0
	var message := JsonText.text_of(answer, "message")
	if status < 400 or status >= 500 or code in [6001, 6002, 6003]:
		var again := Step.new("resend")
		again.retry_after_seconds = JsonText.number_of(data, "retryAfterSeconds")
		return again
	if code == 4012 and _conflicts == 0:
		_conflicts = 1
		_body.erase("exchangeId")
		return _sending(AUTHENTICATE, _body)
	var was_verifying := _is_verifying
	_is_verifying = false
	match code:
		4001:
			_body.erase("password")
			_ask("password")
			return _repeat(code, message)
		4010:
			_body.erase("password")
			return _repeat(code, message)
		4004, 4005:
			_forget_code()
			return _repeat(code, message)
		4002, 4003:
			if not was_verifying:
				_body.erase("tokens")
				_ask("identifier")
			return _repeat(code, message)
	var ended := Step.new("ended", message)
	ended.error_code = code
	ended.retry_after_seconds = JsonText.number_of(data, "retryAfterSeconds")
	return ended


func _forget_code() -> void:
	var second_factor := JsonText.object_of(_body, "twoFactor")
	second_factor.erase("twoFactorCode")
	if second_factor.is_empty():
		_body.erase("twoFactor")
