namespace Tickrate
{
    public enum SignInKind
    {
        /// <summary>Send Call with Body.</summary>
        Send,
        /// <summary>Send the same again, with the same key, after at least RetryAfterSeconds.</summary>
        Resend,
        /// <summary>Ask the player for Prompt, and go on with Answer.</summary>
        Prompt,
        /// <summary>Signed in.</summary>
        Session,
        /// <summary>Refused; see ErrorCode and ErrorMessage.</summary>
        Ended,
    }

    /// <summary>A session. Its key is secret and is never written to the disk.</summary>
    public sealed class Session
    {
        public string Id = "";
        public string Account = "";
        public string Key = "";
        public long Start;
        public long Expiry;
    }

    /// <summary>Where a sign-in stands.</summary>
    public sealed class SignInStep
    {
        public SignInKind Kind = SignInKind.Ended;
        public string Prompt = "";
        /// <summary>What the game needs to draw the prompt.</summary>
        public Json Options = Json.Null;
        /// <summary>0: no error of the server.</summary>
        public long ErrorCode;
        public string ErrorMessage = "";
        public Session Session;
        public Json RecoveryCodes = Json.Null;
        public double RetryAfterSeconds;
        internal string Call = "";
        internal Json Body = Json.Null;
        internal Json Device = Json.Null;
    }

    /// <summary>
    /// One sign-in, without input or output. It holds everything that was sent so far, so that every request contains all of it.
    /// input → send → received → (prompt → input → send → …) → session | ended
    /// </summary>
    internal sealed class SignIn
    {
        private const string Authenticate = "PUT /2018-03-24/authenticate";
        private const string Verify = "POST /2018-03-24/account/email/verify";
        private readonly Json body = Json.Object();
        private string prompt = "";
        private Json options = Json.Null;
        private bool isVerifying;
        private int conflicts;

        /// <summary>Adds what the player gave, as an object of docs/sign-in-prompts.md: email, password, code, steamTicket …</summary>
        internal SignInStep Input(Json given)
        {
            foreach (var member in given.Members) Apply(member.Key, member.Value);
            if (prompt != "emailVerification" || !given["code"].IsText) return Sending(Authenticate, body);
            isVerifying = true;
            Json verification = Json.Object().With("token", given["code"]);
            if (body.Has("password")) verification.With("password", body["password"]);
            return Sending(Verify, verification);
        }

        /// <summary>Takes the answer to the last request; status 0 if there was none.</summary>
        internal SignInStep Received(int status, Json answer)
        {
            if (status != 200) return Refused(status, answer);
            if (isVerifying)
            {
                isVerifying = false;
                return Sending(Authenticate, body);
            }
            if (answer["exchangeId"].IsText) body.With("exchangeId", answer["exchangeId"]);
            conflicts = 0;
            return answer["authenticatedSession"].IsObject ? SignedIn(answer) : Ask(answer);
        }

        private void Apply(string name, Json value)
        {
            switch (name)
            {
                case "email": body.With("emailAddress", value); break;
                case "password": body.With("password", value); break;
                case "register": if (value.IsTrue) body.With("intent", "register"); else body.Remove("intent"); break;
                case "code": if (prompt != "emailVerification") Nest("twoFactor", "twoFactorCode", value); break;
                case "trust":
                    Nest("twoFactor", "trustThisDevice", Json.Of(true));
                    Nest("twoFactor", "deviceIdentifier", value["identifier"]);
                    Nest("twoFactor", "deviceIdentifierFriendlyName", value["name"]);
                    break;
                case "action": if (value.Text == "cancel") body.With("intent", "cancel"); else Nest("linkDecision", name, value); break;
                case "accountRef": Nest("linkDecision", name, value); break;
                case "terms": Nest("registration", "acceptedTerms", value); break;
                case "optIn": body.With("marketingPreferenceOptIn", value); break;
                case "projectId": body.With("projectId", value); break;
                case "displayName": case "locale": Nest("registration", name, value); break;
                case "steamTicket": Token("steamTokens", Json.Object().With("userTicket", value)); break;
                case "itchIoKey": Token("itchIoTokens", Json.Object().With("apiKey", value)); break;
                case "discordToken": Token("discordTokens", Json.Object().With("accessToken", value)); break;
                case "openId": Token("oAuthTokens", value); break;
                case "device": Token("deviceTokens", value); break;
            }
        }

        private void Token(string list, Json token) { Nest("tokens", list, Json.Array(token)); }

        private void Nest(string outer, string inner, Json value)
        {
            if (!body[outer].IsObject) body.With(outer, Json.Object());
            body[outer].With(inner, value);
        }

        private static SignInStep Sending(string call, Json body)
        {
            return new SignInStep { Kind = SignInKind.Send, Call = call, Body = body.Copy() };
        }

        private static SignInStep SignedIn(Json answer)
        {
            Json session = answer["authenticatedSession"];
            return new SignInStep
            {
                Kind = SignInKind.Session,
                Session = new Session
                {
                    Id = session["id"].Text,
                    Account = session["accountId"].Text,
                    Key = session["apiKey"].Text,
                    Start = session["start"].Integer,
                    Expiry = session["expiry"].Integer,
                },
                Device = answer["issuedDeviceToken"],
                RecoveryCodes = answer["recoveryCodes"],
            };
        }

        private SignInStep Ask(Json answer)
        {
            if (answer["promptForProject"].IsTrue) return Ask("project", Json.Object().With("projects", answer["availableProjects"]));
            if (answer["promptForEmailAddress"].IsTrue) return Ask(answer["intent"].Text == "register" ? "registration" : "identifier");
            if (answer["promptForPassword"].IsTrue) return Ask(answer["passwordResetEmailSent"].IsTrue ? "passwordUnset" : "password");
            if (answer["promptForTwoFactorEnrolment"].IsTrue) return Ask("secondFactorEnrolment", answer["twoFactorEnrolment"]);
            bool isMailed = answer["promptForEmailVerification"].IsTrue;
            if (answer["promptForTwoFactorCode"].IsTrue) return Ask(isMailed ? "mailedCode" : "secondFactor");
            if (isMailed) return Ask("emailVerification");
            if (answer["promptForLinking"].IsTrue) return Ask("linking", answer["linking"]);
            if (answer["promptForTerms"].IsTrue) return Ask("terms");
            if (answer["promptForMarketingPreferenceOptIn"].IsTrue) return Ask("marketing");
            return new SignInStep { ErrorMessage = "unknownPrompt" };
        }

        private SignInStep Ask(string name, Json needed = null)
        {
            prompt = name;
            options = needed ?? Json.Object();
            return Repeat(0, "");
        }

        private SignInStep Repeat(long code, string message)
        {
            SignInKind kind = prompt.Length == 0 ? SignInKind.Ended : SignInKind.Prompt;
            return new SignInStep { Kind = kind, Prompt = prompt, Options = options, ErrorCode = code, ErrorMessage = message };
        }

        private SignInStep Refused(int status, Json answer)
        {
            long code = answer["data"].IsObject ? answer["code"].Integer : 0;
            string message = answer["message"].Text;
            double seconds = answer["data"]["retryAfterSeconds"].Number;
            if (status < 400 || status >= 500 || code == 6001 || code == 6002 || code == 6003)
                return new SignInStep { Kind = SignInKind.Resend, RetryAfterSeconds = seconds };
            if (code == 4012 && conflicts++ == 0)
            {
                body.Remove("exchangeId");
                return Sending(Authenticate, body);
            }
            bool wasVerifying = isVerifying;
            isVerifying = false;
            switch (code)
            {
                case 4001: body.Remove("password"); Ask("password"); return Repeat(code, message);
                case 4010: body.Remove("password"); return Repeat(code, message);
                case 4004: case 4005: ForgetCode(); return Repeat(code, message);
                case 4002: case 4003:
                    if (wasVerifying) return Repeat(code, message);
                    body.Remove("tokens");
                    Ask("identifier");
                    return Repeat(code, message);
            }
            return new SignInStep { ErrorCode = code, ErrorMessage = message, RetryAfterSeconds = seconds };
        }

        private void ForgetCode()
        {
            body["twoFactor"].Remove("twoFactorCode");
            if (body["twoFactor"].Members.Count == 0) body.Remove("twoFactor");
        }
    }
}
