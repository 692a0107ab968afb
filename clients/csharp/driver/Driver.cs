// The driver for clients/conformance: commands as lines of JSON on stdin, answers on stdout.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Text;
using System.Threading;
using Tickrate;

internal sealed class Driver
{
    private readonly Stream output = Console.OpenStandardOutput();
    private readonly Json texts;
    private TickrateClient client;
    private string run = "";
    private long offsetMs;

    private Driver(Json texts) { this.texts = texts; }

    private static int Main(string[] arguments)
    {
        if (arguments.Length != 1) return 2;
        var driver = new Driver(Json.Parse(File.ReadAllText(arguments[0]))["texts"]);
        var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        for (string line; (line = input.ReadLine()) != null;)
        {
            Json command = Json.Parse(line);
            driver.Say(driver.Do(command).With("id", command["id"]));
        }
        // As a killed game ends: nothing is closed.
        Environment.Exit(0);
        return 0;
    }

    private void Say(Json line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line + "\n");
        output.Write(bytes, 0, bytes.Length);
        output.Flush();
    }

    private static Json Ok() { return Json.Object().With("ok", Json.Of(true)); }
    private static Json Failed(string error) { return Json.Object().With("ok", Json.Of(false)).With("error", error); }

    private Json Do(Json command)
    {
        string what = command["do"].Text;
        if (what != "open" && what != "clock" && client == null) return Failed("open first");
        switch (what)
        {
            case "open": return Open(command);
            case "track": return Track(command);
            case "flush": return Ok().With("sent", Json.Of(client.Flush(Timeout(command))));
            case "pending": return Ok().With("events", Json.Of(client.Pending));
            case "losses": return Losses();
            case "consent": return SetConsent(ConsentOf(command["state"].Text));
            case "signIn": case "answer": return SignIn(what == "answer", command["input"]);
            case "signOut": client.SignOut(); Thread.Sleep(100); return Ok();
            case "clock": return ShiftClock(command["offsetMs"].Integer);
            case "background": client.Background(); return Ok();
            case "frames": return Frames(command);
            case "close": client.Close(Timeout(command)); return Ok();
        }
        return Failed("unknown command " + what);
    }

    private static int Timeout(Json command) { return command.Has("timeoutMs") ? (int)command["timeoutMs"].Integer : 1500; }

    private Json Open(Json command)
    {
        run = command["run"].Text;
        var options = new Options
        {
            Url = command["url"].Text,
            Key = command["key"].Text,
            Folder = command["folder"].Text,
            Principal = command["principal"].Text == "key" ? Principal.Key : Principal.Device,
            Consent = ConsentOf(command["consent"].Text),
            Debug = text => Console.Error.WriteLine(text),
            Tuning = TuningOf(command["tuning"]),
        };
        client = TickrateClient.Open(options);
        client.ShiftClock(offsetMs);
        return Ok();
    }

    private Json ShiftClock(long to)
    {
        offsetMs = to;
        if (client != null) client.ShiftClock(to);
        return Ok();
    }

    private static Tuning TuningOf(Json json)
    {
        var to = new Tuning();
        if (json.Has("sealAfterMs")) to.SealAfterMs = json["sealAfterMs"].Integer;
        if (json.Has("sealBytes")) to.SealBytes = (int)json["sealBytes"].Integer;
        if (json.Has("sealEvents")) to.SealEvents = (int)json["sealEvents"].Integer;
        if (json.Has("bufferBytes")) to.BufferBytes = json["bufferBytes"].Integer;
        if (json.Has("backoffFromMs")) to.BackoffFromMs = json["backoffFromMs"].Integer;
        if (json.Has("backoffToMs")) to.BackoffToMs = json["backoffToMs"].Integer;
        if (json.Has("maxAgeMs")) to.MaxAgeMs = json["maxAgeMs"].Integer;
        return to;
    }

    private static Consent ConsentOf(string name)
    {
        return name == "denied" ? Consent.Denied : name == "unknown" ? Consent.Unknown : Consent.Granted;
    }

    private struct ConformanceEvent : IEvent
    {
        internal string Run, Text;
        internal long N;
        public string EventType { get { return "conformance"; } }
        public int EventTypeVersion { get { return 1; } }
        public void Write(JsonWriter json)
        {
            json.BeginObject();
            json.Name("run"); json.Value(Run);
            json.Name("n"); json.Value(N);
            json.Name("text"); json.Value(Text);
            json.Name("ratio"); json.Value(N / 4.0);
            json.Name("big"); json.Value(9007199254740000 + N % 900);
            json.Name("flag"); json.Value(N % 2 == 0);
            json.Name("list"); json.BeginArray(); json.Value(N % 3); json.Value(N % 5); json.EndArray();
            json.EndObject();
        }
    }

    private Json Track(Json command)
    {
        long from = command["from"].Integer;
        var padding = new string('x', (int)command["padding"].Integer);
        for (long n = from; n < from + command["count"].Integer; n++)
        {
            bool kept = client.Track(new ConformanceEvent { Run = run, N = n, Text = texts.Elements[(int)(n % 8)].Text + padding });
            Say(Json.Object().With(kept ? "tracked" : "refused", Json.Of(n)));
        }
        return Ok();
    }

    private Json Losses()
    {
        Json counts = Json.Object();
        foreach (KeyValuePair<Loss, long> loss in client.Losses) counts.With(LossCounter.Names[(int)loss.Key], Json.Of(loss.Value));
        return Ok().With("losses", counts);
    }

    private Json SetConsent(Consent state)
    {
        client.SetConsent(state);
        SpinWait.SpinUntil(() => client.Consent == state, 10000);
        return Ok();
    }

    private Json SignIn(bool answers, Json input)
    {
        SignInStep step = null;
        var arrived = new ManualResetEvent(false);
        Action<SignInStep> answered = result =>
        {
            step = result;
            arrived.Set();
        };
        if (answers) client.Answer(input, answered); else client.SignIn(input, answered);
        if (!arrived.WaitOne(60000)) return Failed("no answer");
        if (step.Kind == SignInKind.Session) return Ok().With("account", step.Session.Account);
        if (step.Kind != SignInKind.Prompt) return Failed(step.ErrorCode + " " + step.ErrorMessage);
        Json shown = Ok().With("prompt", step.Prompt).With("options", step.Options);
        return step.ErrorCode == 0 ? shown : shown.With("error", Json.Object().With("code", Json.Of(step.ErrorCode)).With("message", step.ErrorMessage));
    }

    private struct LevelUp : IEvent
    {
        internal int Level;
        public string EventType { get { return "level_up"; } }
        public int EventTypeVersion { get { return 1; } }
        public void Write(JsonWriter json)
        {
            json.BeginObject();
            json.Name("level"); json.Value(Level);
            json.Name("character"); json.Value("ranger");
            json.EndObject();
        }
    }

    private Json Frames(Json command)
    {
        int count = (int)command["count"].Integer, perFrame = (int)command["perFrame"].Integer;
        var times = new double[count * perFrame];
        var frameTimes = new double[count];
        var allocatedOf = typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread");
        Func<long> allocatedNow = allocatedOf == null ? () => -1 : (Func<long>)Delegate.CreateDelegate(typeof(Func<long>), allocatedOf);
        long allocated = 0;
        for (int frame = 0; frame < count; frame++)
        {
            long before = allocatedNow(), began = Stopwatch.GetTimestamp();
            for (int i = 0; i < perFrame; i++)
            {
                long from = Stopwatch.GetTimestamp();
                client.Track(new LevelUp { Level = frame });
                times[frame * perFrame + i] = (Stopwatch.GetTimestamp() - from) * 1e6 / Stopwatch.Frequency;
            }
            client.Pump();
            frameTimes[frame] = (Stopwatch.GetTimestamp() - began) * 1e6 / Stopwatch.Frequency;
            allocated += allocatedNow() - before;
            Thread.Sleep(2);
        }
        Array.Sort(times);
        Array.Sort(frameTimes);
        return Ok().With("p50us", Json.Of(times[times.Length / 2])).With("p99us", Json.Of(times[times.Length * 99 / 100]))
            .With("frameP50us", Json.Of(frameTimes[count / 2])).With("frameP99us", Json.Of(frameTimes[count * 99 / 100]))
            .With("allocated", allocatedOf == null ? Json.Null : Json.Of(allocated));
    }
}
