using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Text;
using System.Threading;

namespace Tickrate
{
    /// <summary>Answers on their way from the transport's threads to the one that decides.</summary>
    internal sealed class Mailbox
    {
        private readonly Queue<Action> arrived = new Queue<Action>();
        private readonly AutoResetEvent wake;
        private int generation;

        internal Mailbox(AutoResetEvent wake) { this.wake = wake; }

        internal Action<Response> Expect(Action<Response> handle)
        {
            int expected = generation;
            return response =>
            {
                lock (arrived) arrived.Enqueue(() => { if (expected == generation) handle(response); });
                wake.Set();
            };
        }

        internal void Deliver()
        {
            for (;;)
            {
                Action next;
                lock (arrived)
                {
                    if (arrived.Count == 0) return;
                    next = arrived.Dequeue();
                }
                next();
            }
        }

        /// <summary>Ignores every answer that is still to come.</summary>
        internal void Forget() { generation++; }
    }

    /// <summary>The side of the network: sessions, one request at a time, and what follows from each answer. Used by one thread only.</summary>
    internal sealed class Courier
    {
        private const string SdkName = "csharp/0.1.0";
        private const int MinGzipBytes = 1024;
        /// <summary>The gateway takes a body that shrinks further for a bomb, and may have stored its beginning.</summary>
        private const int MaxShrinking = 100;
        private readonly Options options;
        private readonly Recorder recorder;
        private readonly Store store;
        private readonly LossCounter losses;
        private readonly Mailbox mailbox;
        private readonly ITransport transport;
        private readonly Explainer explain;
        private readonly Sessions sessions = new Sessions();
        private readonly SignInFlow signIn;
        private string principal = "";
        private string eventsUrl = "";
        private string sessionsUrl = "";
        private bool isFound;
        private bool isFinding;
        private int findAttempt;
        private long findAgainMs = long.MinValue;
        /// <summary>False while nobody has ever said where sessions are: a guessed address must not sign in.</summary>
        private bool isSessionsUrlKnown;
        private bool isInFlight;
        private bool isStopped;
        private int attempt;
        private long notBeforeMs = long.MinValue;
        private Now now;

        internal Segment Sending { get; private set; }
        internal string LastAnswer { get; private set; }
        /// <summary>An account's session has ended, and only the game can sign it in.</summary>
        internal Action SignInNeeded = delegate { };

        internal Courier(Options options, Recorder recorder, Store store, LossCounter losses, AutoResetEvent wake, ITransport transport, Explainer explain)
        {
            this.options = options;
            this.recorder = recorder;
            this.store = store;
            this.losses = losses;
            mailbox = new Mailbox(wake);
            this.transport = transport;
            this.explain = explain;
            LastAnswer = "";
            signIn = new SignInFlow(options.Tuning, SendSignIn, Accept);
        }

        internal bool IsInFlight { get { return isInFlight; } }
        internal bool IsStopped { get { return isStopped; } }
        internal string DevicePrincipal { get { return sessions.DevicePrincipal; } }

        /// <summary>Reads what earlier starts remembered.</summary>
        internal void Open()
        {
            store.Agree("");
            ReadDevice();
            if (store.State["addresses"]["of"].Text != options.Url) ForgetAddresses();
            sessionsUrl = options.SessionsUrl ?? "";
            isSessionsUrlKnown = sessionsUrl.Length > 0;
            SignOut();
        }

        internal void Step(Now clocks, bool granted)
        {
            now = clocks;
            mailbox.Deliver();
            if (!granted) return;
            signIn.Step(now.MonotonicMs);
            if (isStopped) return;
            if (!isFound && !isFinding && now.MonotonicMs >= findAgainMs) FindAddresses();
            if (isInFlight || now.MonotonicMs < notBeforeMs) return;
            RenewSessions();
            if (!isInFlight) SendOldest();
        }

        /// <summary>Ends a request in progress, and ignores its answer.</summary>
        internal void ForgetRequests()
        {
            mailbox.Forget();
            transport.Abort();
            isInFlight = isFinding = false;
            Sending = null;
            signIn.Cancel();
        }

        internal void ForgetDevice()
        {
            store.ForgetDevice();
            sessions.Clear();
        }

        /// <summary>Before the first request: another process on the folder may have a device by now.</summary>
        internal void AgreeOnDevice()
        {
            if (store.State["device"].IsObject || store.State["deviceKey"].Text.Length > 0) return;
            store.Agree("");
            ReadDevice();
        }

        private void ReadDevice()
        {
            string former = sessions.DevicePrincipal;
            sessions.DevicePrincipal = "device:" + store.State["installation"].Text;
            if (principal == former) SignOut();
        }

        internal void SignIn(Json input, bool linkDevice, Action<SignInStep> answered)
        {
            Json given = input != null && input.IsObject ? input.Copy() : Json.Object();
            if (linkDevice && store.State["device"].IsObject) given.With("device", store.State["device"].Copy());
            signIn.Begin(given, answered);
        }

        internal void Answer(Json input, Action<SignInStep> answered) { signIn.Continue(input, answered); }

        /// <summary>Back to the device's account. Events of the other account still go under its session.</summary>
        internal void SignOut() { SetPrincipal(options.Principal == Principal.Key ? "key" : sessions.DevicePrincipal); }

        /// <summary>The key of the session that events are recorded for now; empty without one.</summary>
        internal string SessionKey
        {
            get
            {
                LiveSession live = sessions.Of(principal);
                return live == null ? "" : live.Session.Key;
            }
        }

        private void SetPrincipal(string next)
        {
            principal = next;
            recorder.SetPrincipal(next);
        }

        private void FindAddresses()
        {
            isFinding = true;
            var request = new Request { Url = Trimmed(options.Url) + "/.well-known/tickrate", TimeoutMs = 10000 };
            transport.Start(request, mailbox.Expect(FoundAddresses));
        }

        private void FoundAddresses(Response response)
        {
            isFinding = false;
            Verdict verdict = Verdict.Of(response);
            Json body = verdict.Body;
            bool isDescribed = response.Status == 200 && body["protocol"].IsInteger;
            isFound = isDescribed || (Verdict.IsFinal(response.Status) && verdict.Code != 0);
            if (isDescribed)
            {
                Json found = Json.Object().With("of", options.Url).With("events", body["events"].Text).With("sessions", body["sessions"].Text);
                if (!store.State["addresses"].Same(found)) store.Remember("addresses", found);
            }
            else if (isFound) ForgetAddresses();
            else
            {
                explain.Unreachable(options.Url, response);
                findAgainMs = now.MonotonicMs + Verdict.Backoff(findAttempt++, Files.RandomFraction(), options.Tuning);
            }
            Json known = store.State["addresses"];
            if (isFound || known.IsObject)
            {
                isSessionsUrlKnown = true;
                eventsUrl = known["events"].Text;
                if (string.IsNullOrEmpty(options.SessionsUrl)) sessionsUrl = known["sessions"].Text;
            }
            explain.Compare(response.Date, now.WallMs);
        }

        private void ForgetAddresses()
        {
            if (store.State.Has("addresses")) store.Remember("addresses", Json.Null);
        }

        private string EventsUrl { get { return Trimmed(eventsUrl.Length > 0 ? eventsUrl : options.Url); } }
        private static string Trimmed(string url) { return (url ?? "").TrimEnd('/'); }
        private string SessionsUrl(string path) { return Trimmed(sessionsUrl.Length > 0 ? sessionsUrl : options.Url) + path; }

        private void RenewSessions()
        {
            LiveSession old = sessions.ToRenew(now.MonotonicMs);
            if (old != null)
            {
                old.RenewAtMs = now.MonotonicMs + 60000;
                string key = old.Session.Key;
                Start(Call("POST", SessionsUrl("/2018-03-24/session"), key, ""), response => Renewed(key, response));
                return;
            }
            if (sessions.Of(DevicePrincipal) != null) return;
            bool waits = principal == DevicePrincipal;
            foreach (Segment segment in store.Segments) waits |= segment.Principal == DevicePrincipal;
            if (waits) SignDeviceIn();
        }

        private void Renewed(string key, Response response)
        {
            Verdict verdict = Verdict.Of(response);
            if (verdict.Act == Act.SignIn || verdict.Act == Act.Stop) DropSession(key);
            LiveSession live = sessions.WithKey(key);
            Json expiry = verdict.Body["expiry"];
            if (live == null || response.Status != 200 || !expiry.IsInteger) return;
            long serverMs = response.Date == null ? now.WallMs : (response.Date.Value.Ticks - new DateTime(1970, 1, 1).Ticks) / TimeSpan.TicksPerMillisecond;
            live.RenewAtMs = now.MonotonicMs + Math.Max(30000, expiry.Integer * 1000 - serverMs) * 8 / 10;
        }

        private void SignDeviceIn()
        {
            if (!isSessionsUrlKnown) return;
            Json known = store.State["device"];
            bool isKnown = known["deviceId"].Text.Length > 0;
            Json token = isKnown ? known.Copy() : Json.Object().With("deviceId", "new");
            Json body = Json.Object().With("tokens", Json.Object().With("deviceTokens", Json.Array(token)));
            // The key of "new" outlives the process: a lost answer must not make a second account.
            string key = isKnown ? Files.RandomHex(32) : store.State["deviceKey"].Text;
            if (key.Length == 0)
            {
                key = Files.RandomHex(32);
                store.Remember("deviceKey", Json.Of(key));
                store.WriteState();
            }
            Request request = Call("PUT", SessionsUrl("/2018-03-24/authenticate"), options.Key, body.ToString());
            request.Headers.Add(new KeyValuePair<string, string>("Idempotency-Key", key));
            Start(request, DeviceSignedIn);
        }

        private void DeviceSignedIn(Response response)
        {
            Json answer = Json.Parse(response.Body);
            SignInStep step = new SignIn().Received(answer == null ? 0 : response.Status, answer ?? Json.Null);
            Verdict verdict = Verdict.Of(response);
            if (step.Kind == SignInKind.Session)
            {
                if (step.Device["deviceId"].IsText) store.Remember("device", step.Device.Copy());
                store.Remember("deviceAccount", Json.Of(step.Session.Account));
                store.Remember("deviceKey", Json.Null);
                store.WriteState();
                sessions.Keep(step.Session, true, now.MonotonicMs);
            }
            else if (response.Status == 404)
            {
                DoubtSessionsUrl();
                Delay(new Verdict());
            }
            else if (step.Kind == SignInKind.Resend || (verdict.Code == 0 && step.Kind != SignInKind.Prompt))
            {
                explain.Unreachable(Trimmed(SessionsUrl("")), response);
                // What a proxy answered is like no answer.
                Delay(step.Kind == SignInKind.Resend ? verdict : new Verdict());
            }
            else if (verdict.Code == 4002 || verdict.Code == 4003)
            {
                // The server does not know this device any more: its events go on under a new account.
                explain.Say("device", "The server no longer accepts this installation's device token; it signs in as a new device.");
                string refused = store.State["device"]["deviceId"].Text;
                if (refused.Length == 0) refused = store.State["deviceKey"].Text;
                store.ForgetDevice();
                store.Agree(refused);
                ReadDevice();
                Delay(new Verdict());
            }
            else
            {
                Stop(verdict, "sign this installation in");
            }
        }

        private void SendOldest()
        {
            foreach (Segment segment in store.Segments)
            {
                LiveSession live = sessions.Of(segment.Principal);
                if (segment.Principal != "key" && live == null) continue;
                Send(segment, segment.Principal == "key" ? options.Key : live.Session.Key);
                return;
            }
        }

        private void Send(Segment segment, string key)
        {
            byte[] contents = segment.Read();
            if (contents == null)
            {
                losses.Add(Loss.Storage, segment.Events);
                store.Remove(segment);
                return;
            }
            Request request = Call("PUT", EventsUrl + "/v1/event/multiInsert", key, "");
            request.Body = SegmentContents.Body(contents, segment.HeaderBytes, segment.Bytes, segment.Events);
            request.ContentType = "application/x-ndjson";
            byte[] packed = Pack(request.Body);
            if (packed != null)
            {
                request.Body = packed;
                request.Headers.Add(new KeyValuePair<string, string>("Content-Encoding", "gzip"));
            }
            request.Headers.Add(new KeyValuePair<string, string>("Idempotency-Key", segment.Key));
            long clientMs = segment.IsOfThisStart ? segment.Clock.At(now.MonotonicMs) : now.WallMs;
            request.Headers.Add(new KeyValuePair<string, string>("X-Client-Time", clientMs.ToString(System.Globalization.CultureInfo.InvariantCulture)));
            string traceparent = options.Traceparent == null ? null : options.Traceparent();
            if (traceparent != null && traceparent.Length == 55)
                request.Headers.Add(new KeyValuePair<string, string>("traceparent", traceparent));
            Sending = segment;
            Start(request, response =>
            {
                Sending = null;
                HandleAnswer(segment, key, response);
            });
        }

        /// <summary>Null if the body is better sent as it is, or if the platform cannot compress.</summary>
        private static byte[] Pack(byte[] body)
        {
            if (body.Length < MinGzipBytes) return null;
            byte[] packed = null;
            Files.Try(() =>
            {
                using (var memory = new MemoryStream())
                {
                    using (var gzip = new GZipStream(memory, CompressionMode.Compress, true)) gzip.Write(body, 0, body.Length);
                    packed = memory.ToArray();
                }
            });
            bool isWorthIt = packed != null && packed.Length < body.Length && (long)packed.Length * MaxShrinking > body.Length;
            return isWorthIt ? packed : null;
        }

        private void HandleAnswer(Segment segment, string key, Response response)
        {
            Verdict verdict = Verdict.Of(response);
            LastAnswer = response.Status + (verdict.Code == 0 ? "" : " (" + verdict.Code + ")") + " " + verdict.Act;
            explain.Compare(response.Date, now.WallMs);
            switch (verdict.Act)
            {
                case Act.Delete:
                    attempt = 0;
                    if (verdict.Rejected > 0) losses.Add(Loss.Rejected, verdict.Rejected);
                    explain.Stored(verdict.Body, segment);
                    Done(segment);
                    store.Remove(segment);
                    break;
                case Act.Split:
                    if (segment.Events > 1)
                    {
                        if (!store.Split(segment)) Delay(new Verdict());
                        break;
                    }
                    losses.Add(Loss.Rejected, segment.Events);
                    explain.Say("413", "An event is larger than the server accepts; it was dropped.");
                    Done(segment);
                    store.Remove(segment);
                    break;
                case Act.SetAside:
                    losses.Add(Loss.Refused, segment.Events);
                    explain.Refused(response, verdict);
                    Done(segment);
                    store.SetAside(segment);
                    break;
                case Act.SignIn:
                    // With a delay, so that a server that ends every session is not asked without a pause.
                    DropSession(key);
                    Delay(new Verdict());
                    break;
                case Act.Stop: Stop(verdict, "send events"); break;
                case Act.Retry:
                    if (response.Status == 413)
                        explain.Say("proxy", "A proxy in front of the gateway refuses the size of a request: let it accept at least 1 MiB (nginx: client_max_body_size). Until then these events wait.");
                    else explain.Unreachable(EventsUrl, response);
                    Delay(verdict);
                    break;
                default: Delay(verdict); break;
            }
        }

        private void Done(Segment segment)
        {
            if (segment.Run == null) recorder.CountSentFromMemory(segment.Events);
        }

        private void DropSession(string key)
        {
            if (sessions.Drop(key)) SignInNeeded();
        }

        private void Delay(Verdict verdict)
        {
            notBeforeMs = now.MonotonicMs + verdict.Delay(attempt, Files.RandomFraction(), options.Tuning);
            if (verdict.Act == Act.Retry) attempt++;
        }

        private void Stop(Verdict verdict, string what)
        {
            isStopped = true;
            explain.Stopped(verdict.Code, what, options.Key);
        }

        private void DoubtSessionsUrl()
        {
            isFound = false;
            explain.Say("sessions", Trimmed(SessionsUrl("")) + " has no sign-in (404): check Options.Url. If sessions have another address, set Options.SessionsUrl, or SESSIONS_URL on the server.");
        }

        private void SendSignIn(SignInStep step, string key, Action<Response> answered)
        {
            // Neither a guessed address nor the 404 of a wrong one may refuse a player.
            Action<Response> received = response =>
            {
                if (response.Status == 404) DoubtSessionsUrl();
                answered(response.Status == 404 ? new Response() : response);
            };
            if (!isSessionsUrlKnown)
            {
                received(new Response());
                return;
            }
            int space = step.Call.IndexOf(' ');
            Request request = Call(step.Call.Substring(0, space), SessionsUrl(step.Call.Substring(space + 1)), options.Key, step.Body.ToString());
            request.Headers.Add(new KeyValuePair<string, string>("Idempotency-Key", key));
            transport.Start(request, mailbox.Expect(received));
        }

        /// <summary>The player is signed in: what is recorded from now on is the account's.</summary>
        private void Accept(Session session)
        {
            bool isOfDevice = session.Account == store.State["deviceAccount"].Text;
            sessions.Keep(session, isOfDevice, now.MonotonicMs);
            SetPrincipal(isOfDevice ? DevicePrincipal : "account:" + session.Account);
            isStopped = false;
        }

        private Request Call(string method, string url, string key, string body)
        {
            var request = new Request { Method = method, Url = url, Body = Encoding.UTF8.GetBytes(body) };
            request.Headers.Add(new KeyValuePair<string, string>("X-API-Key", key));
            request.Headers.Add(new KeyValuePair<string, string>("X-Tickrate-SDK", SdkName));
            return request;
        }

        private void Start(Request request, Action<Response> handle)
        {
            isInFlight = true;
            transport.Start(request, mailbox.Expect(response =>
            {
                isInFlight = false;
                handle(response);
            }));
        }
    }
}
