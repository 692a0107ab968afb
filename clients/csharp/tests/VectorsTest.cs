// The test vectors that every SDK passes: clients/conformance/vectors.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;
using Tickrate;

internal static class VectorsTest
{
    private static int Main(string[] arguments)
    {
        Check.Open(arguments[0], arguments[1]);
        Check.Test("names of segments", Names);
        Check.Test("contents of segments", Contents);
        Check.Test("splits", Splits);
        Check.Test("files of a split that was interrupted", InterruptedSplits);
        Check.Test("checksums", Checksums);
        Check.Test("lines of events", Lines);
        Check.Test("answers", Answers);
        Check.Test("backoff", Backoff);
        Check.Test("clocks", Clocks);
        foreach (string file in Check.VectorFiles("sign-in")) Check.Test("sign-in " + Path.GetFileName(file), () => Play(Path.GetFileName(file)));
        return Check.End();
    }

    private static void Names()
    {
        foreach (Json vector in Check.Vector("segments.json")["names"].Elements)
        {
            string file = vector["name"].Text;
            SegmentName name = SegmentName.Parse(file);
            Check.Same(name != null, vector["timeMs"].IsInteger, file);
            if (name == null) continue;
            Check.Same(name.TimeMs, vector["timeMs"].Integer, file + " time");
            Check.Same(name.Key, vector["key"].Text, file + " key");
            Check.Same(name.IsSealed, vector["sealed"].IsTrue, file + " sealed");
        }
    }

    private static void Contents()
    {
        foreach (Json vector in Check.Vector("segments.json")["segments"].Elements)
        {
            string note = vector["note"].Text, name = vector["file"].Text;
            byte[] file = Check.File("segments/" + name);
            SegmentContents contents = SegmentContents.Read(file, name.EndsWith("seal", StringComparison.Ordinal));
            Check.Same(contents.Found.ToString().ToLowerInvariant(), vector["outcome"].Text, note + ": outcome");
            Check.Same<long>(contents.Torn, vector["lost"]["torn"].Integer, note + ": torn");
            Check.Same<long>(contents.Damaged, vector["lost"]["damaged"].Integer, note + ": damaged");
            if (contents.Found != Found.Send) continue;
            byte[] body = SegmentContents.Body(file, contents.HeaderBytes, contents.GoodBytes, contents.Events);
            Check.Same(Encoding.UTF8.GetString(body), vector["body"].Text, note + ": body");
            Check.Same(contents.Principal, vector["principal"].Text, note + ": principal");
            Check.Same(contents.BaseMs, vector["base"].Integer, note + ": base");
            Check.Same<long>(contents.Events, vector["events"].Integer, note + ": events");
            Check.Same<long>(contents.GoodBytes, vector["goodBytes"].Integer, note + ": good bytes");
        }
    }

    private static void Splits()
    {
        foreach (Json vector in Check.Vector("splits.json")["splits"].Elements)
        {
            IList<Json> children = vector["children"].Elements;
            if (children.Count != 2) continue;
            byte[] parent = Encoding.UTF8.GetBytes(vector["parent"]["text"].Text);
            SegmentContents contents = SegmentContents.Read(parent, true);
            byte[][] halves = SegmentContents.Split(parent, contents.HeaderBytes, contents.GoodBytes, contents.Events);
            for (int i = 0; i < 2; i++) Check.Same(Encoding.UTF8.GetString(halves[i]), children[i]["text"].Text, "half " + i);
        }
    }

    private static void InterruptedSplits()
    {
        Json vectors = Check.Vector("splits.json");
        string contents = vectors["splits"].Elements[0]["parent"]["text"].Text;
        foreach (Json vector in vectors["recoveries"].Elements)
        {
            string folder = Check.NewFolder(), run = Path.Combine(folder, "0000000000000000-00000000");
            Directory.CreateDirectory(run);
            foreach (Json file in vector["files"].Elements) File.WriteAllText(Path.Combine(run, file.Text), contents);
            var store = new Store(folder, new Tuning(), new LossCounter());
            Check.Same(store.Open(1), null, "opens");
            store.Adopt("device:00000000");
            var kept = new List<Json>();
            foreach (Segment segment in store.Segments) kept.Add(Json.Of(segment.Stem + ".seal"));
            Check.Same(Json.Array(kept.ToArray()), vector["kept"], vector["note"].Text);
            var files = new List<Json>();
            foreach (string name in Files.Names(run, false)) if (name != "lock") files.Add(Json.Of(name));
            Check.Same(Json.Array(files.ToArray()), vector["kept"], vector["note"].Text + ", on the disk");
            store.Close();
        }
    }

    private static void Checksums()
    {
        foreach (Json vector in Check.Vector("events.json")["checksums"].Elements)
        {
            byte[] text = Encoding.UTF8.GetBytes(vector["text"].Text);
            var hex = new byte[8];
            Crc32.WriteHex(Crc32.Of(text, 0, text.Length), hex, 0);
            Check.Same(Encoding.ASCII.GetString(hex), vector["crc32"].Text, vector["text"].Text);
        }
    }

    private static void Lines()
    {
        foreach (Json vector in Check.Vector("events.json")["lines"].Elements)
        {
            var writer = new JsonWriter(4096);
            writer.Reset(9);
            WriteValue(writer, vector["event"]);
            Check.That(writer.Complete, "fits");
            int size = writer.Size - 9;
            string json = Encoding.UTF8.GetString(writer.Bytes, 9, size);
            Check.Same(Json.Parse(json) ?? Json.Null, vector["event"], "the event read back");
            var line = new byte[size + SegmentContents.LineOverhead];
            Buffer.BlockCopy(writer.Bytes, 9, line, 9, size);
            SegmentContents.Complete(line, size);
            // C# writes 1E-07 where the vector has 1e-7: the same number in other bytes.
            if (json.IndexOf("E-", StringComparison.Ordinal) < 0) Check.Same(Encoding.UTF8.GetString(line), vector["line"].Text, "line");
        }
    }

    private static void WriteValue(JsonWriter writer, Json json)
    {
        if (json.IsText) writer.Value(json.Text);
        else if (json.IsInteger) writer.Value(json.Integer);
        else if (json.IsNull) writer.Null();
        else if (json.IsArray)
        {
            writer.BeginArray();
            foreach (Json element in json.Elements) WriteValue(writer, element);
            writer.EndArray();
        }
        else if (json.IsObject)
        {
            writer.BeginObject();
            foreach (KeyValuePair<string, Json> member in json.Members)
            {
                writer.Name(member.Key);
                WriteValue(writer, member.Value);
            }
            writer.EndObject();
        }
        else if (json.ToString() == "true" || json.ToString() == "false") writer.Value(json.IsTrue);
        else writer.Value(json.Number);
    }

    private static void Answers()
    {
        foreach (Json vector in Check.Vector("answers.json").Elements)
        {
            string note = vector["note"].Text;
            var response = new Response { Status = (int)vector["status"].Integer, Body = vector["body"].Text };
            double seconds;
            if (double.TryParse(vector["headers"]["retry-after"].Text, NumberStyles.None, CultureInfo.InvariantCulture, out seconds)) response.RetryAfterSeconds = seconds;
            Verdict verdict = Verdict.Of(response);
            Check.Same(verdict.Act.ToString().ToLowerInvariant(), vector["action"].Text.ToLowerInvariant(), note);
            Check.Same(verdict.Rejected, vector["lost"]["rejected"].Integer, note + ": rejected");
            if (vector.Has("delayMs")) Check.Same(verdict.Delay(0, 0.5, new Tuning()), vector["delayMs"].Integer, note + ": delay");
        }
    }

    private static void Backoff()
    {
        foreach (Json vector in Check.Vector("backoff.json").Elements)
            Check.Same(Verdict.Backoff((int)vector["attempt"].Integer, vector["r"].Number, new Tuning()), vector["delayMs"].Integer, vector.ToString());
    }

    private static void Clocks()
    {
        foreach (Json vector in Check.Vector("clocks.json").Elements)
        {
            ClockBase? clock = null;
            foreach (Json call in vector["calls"].Elements)
            {
                var now = new Now { WallMs = call["wallMs"].Integer, MonotonicMs = call["monotonicMs"].Integer };
                bool jumped = clock != null && clock.Value.Jumped(now);
                Check.Same(jumped, call["seals"].IsTrue, vector["note"].Text);
                if (clock == null || jumped) clock = new ClockBase { BaseMs = now.WallMs, MonotonicMs = now.MonotonicMs };
                var text = new byte[24];
                Clock.WriteTime(clock.Value.At(now.MonotonicMs), text, 0);
                Check.Same(Encoding.ASCII.GetString(text), call["occurredAt"].Text, vector["note"].Text);
            }
            Json time = vector["clientTime"];
            if (clock != null && time.IsObject) Check.Same(clock.Value.At(time["monotonicMs"].Integer), time["value"].Integer, vector["note"].Text + ": X-Client-Time");
        }
    }

    private static void Play(string file)
    {
        var signIn = new SignIn();
        SignInStep step = null;
        int number = 0;
        foreach (Json vector in Check.Vector("sign-in/" + file).Elements)
        {
            string where = "step " + ++number;
            if (vector.Has("input")) step = signIn.Input(vector["input"]);
            Check.Same(step.Body, vector["sends"], where + ": body");
            if (vector.Has("call")) Check.Same(step.Call, vector["call"].Text, where + ": call");
            SignInStep sent = step;
            step = signIn.Received(vector.Has("status") ? (int)vector["status"].Integer : 200, vector["answer"]);
            Json expected = vector["expect"];
            SignInKind kind = expected.Has("session") ? SignInKind.Session
                : expected.Has("prompt") ? SignInKind.Prompt
                : expected.Has("request") ? SignInKind.Send
                : expected.Has("retry") ? SignInKind.Resend
                : SignInKind.Ended;
            Check.Same(step.Kind, kind, where + ": kind");
            Check.Same(step.Session == null ? "" : step.Session.Id, expected["session"].Text, where + ": session");
            Check.Same(step.Session == null ? "" : step.Session.Account, expected["account"].Text, where + ": account");
            Check.Same(step.Device["deviceId"].Text, expected["device"]["deviceId"].Text, where + ": device");
            Check.Same(step.RecoveryCodes, expected["recoveryCodes"], where + ": recovery codes");
            Check.Same(step.Prompt, expected["prompt"].Text, where + ": prompt");
            if (kind == SignInKind.Prompt) Check.Same(step.Options, expected["options"], where + ": options");
            if (kind != SignInKind.Resend) Check.Same(step.ErrorCode, expected["error"]["code"].Integer, where + ": error");
            Check.Same(step.RetryAfterSeconds, expected["retryAfterSeconds"].Number, where + ": retry after");
            if (kind == SignInKind.Resend) step = sent;
        }
    }
}
