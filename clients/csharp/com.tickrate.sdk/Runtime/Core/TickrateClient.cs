using System;
using System.Collections.Generic;
using System.Threading;

namespace Tickrate
{
    /// <summary>
    /// Records events in a folder and sends them. Once Track has returned true, the event is stored exactly once, whatever
    /// ends the game. No call throws, and each may be made from any thread.
    /// open → track … → close
    /// </summary>
    public sealed class TickrateClient : IDisposable
    {
        private const int MaxCallbacks = 1000;
        private const int CheckEveryMs = 1000;
        private const int SaveAgainMs = 1000;
        private readonly Options options;
        private readonly Clock clock = new Clock();
        private readonly LossCounter losses = new LossCounter();
        private readonly AutoResetEvent wake = new AutoResetEvent(false);
        private readonly Queue<Action> posted = new Queue<Action>();
        private readonly Queue<Action> callbacks = new Queue<Action>();
        private readonly Recorder recorder;
        private readonly Store store;
        private readonly Courier courier;
        private readonly Explainer explain;
        private readonly ITransport transport;
        private readonly Thread thread;
        private volatile bool isEnding;
        private int isClosed;
        private int consent;
        private long nextCheckMs;
        /// <summary>state.json lacks something that is known here.</summary>
        private bool isUnsaved;
        private long nextSaveMs;
        /// <summary>Losses that were explained: somebody deleted the folder.</summary>
        private long deleted;
        /// <summary>Events between the recorder and the store.</summary>
        private long sealing;
        private volatile string sessionKey = "";
        /// <summary>Something is sent: the player agreed, and the server refused no key.</summary>
        private volatile bool isSending;
        private long adoptionsAsked;
        private long adoptionsDone;

        /// <summary>Called for each loss that cannot be undone.</summary>
        public event Action<Loss, long> Lost;
        /// <summary>The signed-in account's session has ended and needs the player's credentials.</summary>
        public event Action SignInNeeded;

        private TickrateClient(Options options)
        {
            this.options = options;
            transport = options.Transport ?? new HttpTransport();
            recorder = new Recorder(options.Folder, options.Tuning, losses);
            store = new Store(options.Folder, options.Tuning, losses);
            Action<string> debug = options.Debug;
            explain = new Explainer(debug == null ? (Action<string>)null : text => Call(() => debug(text)));
            courier = new Courier(options, recorder, store, losses, wake, transport, explain);
            courier.SignInNeeded = () => Call(() => { Action needed = SignInNeeded; if (needed != null) needed(); });
            OpenFolder();
            thread = new Thread(Run) { IsBackground = true, Name = "Tickrate" };
            thread.Start();
        }

        public static TickrateClient Open(Options options) { return new TickrateClient(options ?? new Options()); }

        /// <summary>Records an event. False if it could not be kept; Losses says why. Structs make no garbage.</summary>
        public bool Track<T>(T content) where T : IEvent
        {
            try
            {
                bool kept = recorder.Track(clock.Now, ref content);
                if (recorder.WantsAttention) wake.Set();
                return kept;
            }
            catch (Exception fault)
            {
                losses.Add(Loss.Rejected);
                explain.Say("track " + fault.GetType(), "An event could not be written: " + fault.Message);
                return false;
            }
        }

        /// <summary>Records an event that `write` writes as one JSON object. Version 0 is the newest of the type.</summary>
        public bool Track(string eventType, int version, Action<JsonWriter> write) { return Track(new Written(eventType, version, write)); }

        /// <summary>Records an event that is JSON already, for example of System.Text.Json.</summary>
        public bool TrackJson(string eventType, int version, string json)
        {
            Json parsed = Json.Parse(json);
            if (parsed != null && parsed.IsObject) return Track(eventType, version, writer => writer.Json(json));
            losses.Add(Loss.Rejected);
            return false;
        }

        /// <summary>
        /// Seals and sends, also what other processes left that have ended. True only if nothing of this installation waits any
        /// more, except in processes that live. False at once if nothing is sent now. Waits at most so long: do not call it in a frame.
        /// </summary>
        public bool Flush(int timeoutMs = 1500)
        {
            long until = Clock.MonotonicMs + timeoutMs;
            return (Thread.VolatileRead(ref isClosed) != 0 || Settle(until)) && Drain(until);
        }

        /// <summary>Waits until the client's thread has done what was asked before, and adopted runs unless this is the end.</summary>
        private bool Settle(long until)
        {
            long adoption = Interlocked.Increment(ref adoptionsAsked);
            Post(Adopt);
            while (Interlocked.Read(ref adoptionsDone) < adoption)
            {
                if (isEnding || Clock.MonotonicMs >= until) return false;
                Thread.Sleep(2);
            }
            return true;
        }

        private void Adopt()
        {
            try
            {
                if (Thread.VolatileRead(ref isClosed) == 0 && Consent != Consent.Denied) store.Adopt(courier.DevicePrincipal);
                isSending = Consent == Consent.Granted && !courier.IsStopped;
            }
            finally
            {
                Interlocked.Increment(ref adoptionsDone);
            }
        }

        /// <summary>Seals, and sends what this process holds.</summary>
        private bool Drain(long until)
        {
            Background();
            for (;;)
            {
                if (Pending == 0) return true;
                if (!isSending || Clock.MonotonicMs >= until) return false;
                Thread.Sleep(2);
            }
        }

        /// <summary>What the platform reports when the game goes to the background: seals and sends, without waiting.</summary>
        public void Background()
        {
            recorder.FinishIf(true, clock.Now.MonotonicMs);
            wake.Set();
        }

        /// <summary>Runs the callbacks that wait, with CallbacksInPump. Call it each frame; it does not wait.</summary>
        public void Pump()
        {
            for (int i = 0; i < MaxCallbacks; i++)
            {
                Action next;
                lock (callbacks)
                {
                    if (callbacks.Count == 0) return;
                    next = callbacks.Dequeue();
                }
                Files.Try(next);
            }
        }

        /// <summary>What the player allows. Denied deletes the buffer and this installation's device.</summary>
        public void SetConsent(Consent next) { Post(() => Apply(next)); }
        public Consent Consent { get { return (Consent)Thread.VolatileRead(ref consent); } }

        /// <summary>
        /// Signs a player in. `answered` gets the prompt to draw and to Answer, the session, or the refusal. With `linkDevice`,
        /// this installation's account becomes the player's, if neither belongs to somebody else.
        /// </summary>
        public void SignIn(Json input, Action<SignInStep> answered, bool linkDevice = false)
        {
            Post(() => courier.SignIn(input, linkDevice, Calling(answered)));
        }
        public void Answer(Json input, Action<SignInStep> answered) { Post(() => courier.Answer(input, Calling(answered))); }
        /// <summary>Goes back to the device's own account.</summary>
        public void SignOut() { Post(courier.SignOut); }

        /// <summary>Events lost since the folder was first used, by reason.</summary>
        public Dictionary<Loss, long> Losses { get { return losses.All(); } }
        /// <summary>Events that are recorded and not yet stored by the server.</summary>
        public long Pending
        {
            get
            {
                // In the order in which events move on: one that moves in between counts twice, and never not at all.
                long unsealed, bytes;
                recorder.Unsealed(out unsealed, out bytes);
                return unsealed + Interlocked.Read(ref sealing) + store.Events;
            }
        }
        /// <summary>False: the folder cannot be used. Up to 200 events are kept in memory; on a full disk none, and Track returns false.</summary>
        public bool IsDurable { get { return recorder.IsDurable; } }
        /// <summary>The status of the last answer to events and what followed, for tools.</summary>
        public string LastAnswer { get { return courier.LastAnswer; } }
        /// <summary>The key of the player's session, for other calls to the server; empty without one. It is secret.</summary>
        public string SessionKey { get { return sessionKey; } }

        /// <summary>Seals, tries to send for so long, and ends. What is left is sent at the next start.</summary>
        public void Close(int timeoutMs = 1500)
        {
            if (Interlocked.Exchange(ref isClosed, 1) != 0) return;
            try
            {
                recorder.Close();
                long until = Clock.MonotonicMs + timeoutMs;
                if (timeoutMs > 0 && Settle(until)) Drain(until);
            }
            finally
            {
                // Also for a thread that is aborted while it waits: the folder is free for the next start.
                isEnding = true;
                wake.Set();
                transport.Abort();
            }
            // The thread ends within a request's begin; a disk that hangs does not hold the game.
            thread.Join(1000);
        }

        public void Dispose() { Close(0); }

        /// <summary>Moves the wall clock of this client, for tests.</summary>
        internal void ShiftClock(long offsetMs) { Interlocked.Exchange(ref clock.OffsetMs, offsetMs); }

        private struct Written : IEvent
        {
            private readonly Action<JsonWriter> write;
            internal Written(string type, int version, Action<JsonWriter> write) : this()
            {
                EventType = type;
                EventTypeVersion = version;
                this.write = write;
            }
            public string EventType { get; private set; }
            public int EventTypeVersion { get; private set; }
            public void Write(JsonWriter json) { if (write != null) write(json); }
        }

        private void OpenFolder()
        {
            Exception fault = store.Open(clock.Now.WallMs);
            bool isDiskFull = fault != null && Files.IsDiskFull(fault);
            recorder.UseRun(store.Own, isDiskFull);
            // A full disk is explained with the first event that it loses.
            if (fault != null && !isDiskFull) 
                explain.Say("folder", "Cannot write the folder '" + options.Folder + "': " + fault.Message + ". Up to 200 events are kept in memory.");
            string url = options.Url ?? "";
            if (!url.StartsWith("http://", StringComparison.Ordinal) && !url.StartsWith("https://", StringComparison.Ordinal))
                explain.Say("url", "Options.Url is '" + url + "': it must be the address of the gateway, with http:// or https://.");
            courier.Open();
            string remembered = store.State["consent"].Text;
            bool isRefused = store.IsRefused || remembered == "denied";
            Consent first = options.Consent;
            if (first == Consent.Unknown && remembered == "granted") first = Consent.Granted;
            if (options.Consent == Consent.Unknown && isRefused) first = Consent.Denied;
            if (first == Consent.Unknown)
                explain.Say("consent", "The consent is unknown: nothing is sent, and up to 200 events are kept in memory, until the game calls SetConsent or sets Options.Consent.");
            if (store.IsUnsaved) store.WriteState();
            store.Adopt(courier.DevicePrincipal);
            // A process that learned of the refusal too late may have left them.
            if (isRefused) store.Clear();
            Apply(first);
        }

        /// <summary>Continues in another run if somebody deleted the folder, or if a full disk has space now. Looks once a second, and before anything is sealed.</summary>
        private void KeepRun(Now now)
        {
            if (now.MonotonicMs < nextCheckMs && !recorder.HasFinished) return;
            recorder.KeepRun(now.WallMs);
            long lost = store.UseRun(recorder.Run, courier.Sending);
            deleted += lost;
            if (lost == 0) return;
            explain.Say("deleted", "Somebody deleted the folder '" + options.Folder + "' while the game runs, and " + lost + " events with it. Leave the folder alone.");
        }

        /// <summary>Switches to a refusal in another process on the same folder.</summary>
        private void CheckRefusal(long monotonicMs)
        {
            if (monotonicMs < nextCheckMs) return;
            nextCheckMs = monotonicMs + CheckEveryMs;
            if (Consent == Consent.Denied || !store.IsRefused) return;
            SwitchConsent(Consent.Denied);
            // Whoever refused has saved it, and what this process would save is older.
            store.ReloadState();
        }

        private void Apply(Consent next)
        {
            if (next != Consent.Unknown) store.IsRefused = next == Consent.Denied;
            SwitchConsent(next);
            // Again: on a full disk there is room for it only now.
            if (next == Consent.Denied) store.IsRefused = true;
            string name = next.ToString().ToLowerInvariant();
            if (store.State["consent"].Text == name) return;
            store.Remember("consent", Json.Of(name));
            store.WriteState();
        }

        private void SwitchConsent(Consent next)
        {
            Consent before = Consent;
            recorder.SetConsent(next);
            if (next == Consent.Denied)
            {
                recorder.Clear();
                courier.ForgetRequests();
                store.Clear();
                courier.ForgetDevice();
            }
            if (next == Consent.Granted) courier.AgreeOnDevice();
            if (next == Consent.Granted && before == Consent.Unknown) recorder.MoveToFolder(clock.Now.WallMs);
            Thread.VolatileWrite(ref consent, (int)next);
        }

        private void Run()
        {
            while (!isEnding)
            {
                Exception fault;
                if (!Files.Try(Work, out fault)) explain.Say("fault " + fault.GetType(), "A fault of the SDK: " + fault);
                wake.WaitOne(store.Segments.Count > 0 || courier.IsInFlight ? 20 : 100);
            }
            Files.Try(SealFinished);
            Files.Try(ReportLosses);
            Files.Try(store.Close);
        }

        private void Work()
        {
            RunPosted();
            Now now = clock.Now;
            KeepRun(now);
            CheckRefusal(now.MonotonicMs);
            recorder.FinishIf(false, now.MonotonicMs);
            SealFinished();
            long events, bytes;
            recorder.Unsealed(out events, out bytes);
            store.EnforceBounds(now, courier.Sending, bytes);
            recorder.Prepare(now.WallMs);
            store.KeepLocks(now.MonotonicMs);
            courier.Step(now, Consent == Consent.Granted);
            isSending = Consent == Consent.Granted && !courier.IsStopped;
            sessionKey = courier.SessionKey;
            ReportLosses();
        }

        private void SealFinished()
        {
            List<Segment> finished = recorder.TakeFinished(ref sealing);
            if (finished == null) return;
            foreach (Segment segment in finished)
            {
                store.Seal(segment);
                Interlocked.Add(ref sealing, -segment.Events);
            }
        }

        private void ReportLosses()
        {
            bool news = losses.TakeNews(Report);
            isUnsaved |= news || store.IsUnsaved;
            // On a full disk, again in a second, and at the end.
            if (!isUnsaved || (Clock.MonotonicMs < nextSaveMs && !isEnding)) return;
            isUnsaved = !store.WriteState();
            nextSaveMs = isUnsaved ? Clock.MonotonicMs + SaveAgainMs : 0;
        }

        private void Report(Loss reason, long count)
        {
            Call(() => { Action<Loss, long> lost = Lost; if (lost != null) lost(reason, count); });
            bool isStorage = reason == Loss.Storage && count > deleted;
            if (reason == Loss.Storage) deleted = 0;
            if (!isStorage && reason != Loss.DiskFull) return;
            explain.Say("lost", "Events are lost (" + reason + "): the folder '" + options.Folder + "' cannot be used, and Track returns false. Check the free space and the folder.");
        }

        private void Post(Action task)
        {
            lock (posted) posted.Enqueue(task);
            wake.Set();
        }

        private void RunPosted()
        {
            for (;;)
            {
                Action next;
                lock (posted)
                {
                    if (posted.Count == 0) return;
                    next = posted.Dequeue();
                }
                next();
            }
        }

        private Action<SignInStep> Calling(Action<SignInStep> answered)
        {
            return step => Call(() => { if (answered != null) answered(step); });
        }

        /// <summary>Calls the game: in Pump, or here. What it throws does not end the sending.</summary>
        private void Call(Action callback)
        {
            if (!options.CallbacksInPump)
            {
                Files.Try(callback);
                return;
            }
            lock (callbacks) if (callbacks.Count < MaxCallbacks) callbacks.Enqueue(callback);
        }
    }
}
