// The client against a server that answers as no server should.
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using Tickrate;

internal static class ClientTest
{
    private static int Main(string[] arguments)
    {
        Check.Open(arguments[0], arguments[1]);
        Check.Test("an event is sent with its key and its time", FirstEvent);
        Check.Test("a generated event is sent as declared", Generated);
        Check.Test("large bodies are compressed, and those that a server takes for a bomb are not", Compressed);
        Check.Test("an event of 64 KiB is sent, a larger one is refused", LargeEvents);
        Check.Test("hostile answers lose nothing and send the same bytes again", HostileAnswers);
        Check.Test("a redirect is not followed", Redirect);
        Check.Test("a server that says nothing does not delay the end", Silence);
        Check.Test("a thread that is aborted within Close loses nothing", AbortedClose);
        Check.Test("events of a start that died are sent by the next", Recovered);
        Check.Test("a state.json of somebody else does no harm", ForeignState);
        Check.Test("a folder that cannot be written keeps 200 events", NoFolder);
        // A file system of 1 MiB, if the test was given one.
        if (arguments.Length > 2) Check.Test("a full disk is counted, and explained once", () => FullDisk(arguments[2]));
        Check.Test("consent: memory, then the folder, then nothing", Consents);
        Check.Test("a refusal in one process holds in another one on the same folder", SharedRefusal);
        Check.Test("a start after a refusal deletes what other processes left, whatever it is given", LeftAfterRefusal);
        Check.Test("events that cannot be written are counted", BadEvents);
        Check.Test("calls from many threads keep every event", Threads);
        Check.Test("a refused key stops the sending and keeps the events", Refused);
        Check.Test("a device signs in once and is remembered", Device);
        Check.Test("a device signs in only at an address that the server named", Addresses);
        Check.Test("a 404 to a sign-in is no refusal", WrongAddress);
        Check.Test("a 404 to a sign-in asks for the addresses again", AddressesAgain);
        Check.Test("a start without an answer uses the remembered address", RememberedAddress);
        Check.Test("a game signs a player in and draws the prompts", Player);
        Check.Test("callbacks wait for the pump", Pumped);
        Check.Test("an answer with odd addresses does the state no harm", OddAddresses);
        Check.Test("a wrong address is explained with the reason", WrongUrl);
        Check.Test("a rejection is explained with type, version and member, once for each kind", Rejected);
        Check.Test("a clock far off is explained with the difference", ClockFarOff);
        Check.Test("flush sends what a process left that ended meanwhile, and is false while anything waits", FlushOfAll);
        Check.Test("odd entries in place of files hold no game and keep no other event", OddEntries);
        Check.Test("losses that could not be saved are saved later", SavedLater);
        Check.Test("a folder that somebody deletes is made again, and no event that was not sealed is lost", DeletedFolder);
        Check.Test("processes on one folder add up their losses, and keep what the others saved", SharedState);
        return Check.End();
    }

    private const string Traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private static Options At(Server server, string folder)
    {
        return new Options
        {
            Url = server.Url,
            Key = "tk_pub_x",
            Folder = folder,
            Consent = Consent.Granted,
            Principal = Principal.Key,
            Traceparent = () => Traceparent,
            Tuning = new Tuning { SealAfterMs = 10, BackoffFromMs = 5, BackoffToMs = 20 },
        };
    }

    private static bool TrackNumber(TickrateClient client, int n)
    {
        return client.Track("level_up", 1, json =>
        {
            json.BeginObject();
            json.Name("level");
            json.Value(n);
            json.EndObject();
        });
    }

    private static void Until(Func<bool> holds, string what) { Check.That(SpinWait.SpinUntil(holds, 10000), what); }

    private static void FullDisk(string folder)
    {
        using (var silent = new Server(request => ""))
        {
            var said = new List<string>();
            Options options = At(silent, folder);
            options.Debug = text => { lock (said) if (text.Contains("free space")) said.Add(text); };
            using (TickrateClient client = TickrateClient.Open(options))
            {
                long refused = 0;
                for (int n = 0; n < 20000; n++) if (!TrackNumber(client, n)) refused++;
                Check.That(refused > 0 && refused < 20000, refused + " refused");
                Check.Same(client.Losses[Loss.DiskFull], refused, "counted");
                Until(() => { lock (said) return said.Count > 0; }, "explained");
            }
            Check.Same(said.Count, 1, "explanations");
            Check.That(said[0].Contains(folder), said[0]);
        }
    }

    private static void AbortedClose()
    {
        string folder = Check.NewFolder();
        using (Server silent = new Server(request => ""))
        {
            TickrateClient client = TickrateClient.Open(At(silent, folder));
            Check.That(TrackNumber(client, 1) && TrackNumber(client, 2), "tracked");
            Thread closing = new Thread(() => client.Close(60000)) { IsBackground = true };
            closing.Start();
            Until(() => silent.Events.Count > 0, "a request while Close waits");
            closing.Abort();
            Check.That(closing.Join(10000), "the aborted thread ends");
        }
        using (Server server = new Server(Server.Stored))
        using (TickrateClient next = TickrateClient.Open(At(server, folder)))
        {
            Until(() => { next.Flush(10); return server.Events.Count > 0; }, "the next start sends what was left");
            string body = server.Events[0].Body;
            Check.That(body.Contains("\"level\":1") && body.Contains("\"level\":2"), "both events: " + body);
        }
    }

    private static void FirstEvent()
    {
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            Check.That(TrackNumber(client, 7), "tracked");
            Check.That(client.Flush(10000), "sent");
            Received sent = server.Events[0];
            Check.That(sent.Body.StartsWith("{\"eventType\":\"level_up\",\"eventTypeVersion\":1,\"occurredAt\":\"", StringComparison.Ordinal), sent.Body);
            Check.That(sent.Body.EndsWith("\"event\":{\"level\":7}}\n", StringComparison.Ordinal), sent.Body);
            Check.Same(sent.IdempotencyKey.Length, 32, "the key");
            Check.Same(sent.Traceparent, Traceparent, "the trace");
            Check.Same(sent.Sdk, "csharp/0.1.0", "the name");
            Check.That(long.Parse(sent.ClientTime) > 1700000000000, "the time");
        }
    }

    private static void Generated()
    {
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            Check.That(client.Track(new LevelUp { Level = 7, Character = "ranger", Items = new List<string> { "bow", null } }), "tracked");
            Check.Same(Json.Parse(JsonWriter.ToText(new LevelUp { Level = 7 }))["level"].Integer, 7L, "the struct as text");
            Check.That(client.TrackJson("level_up", 3, "{\n \"level\": 8\n}"), "tracked as JSON");
            Check.That(client.Flush(10000), "sent");
            // A busy machine seals between the two.
            string body = "";
            foreach (Received one in server.Events) body += one.Body;
            string[] lines = body.Split('\n');
            Check.Same(Json.Parse(lines[0])["event"], Json.Parse("{\"level\":7,\"character\":\"ranger\",\"items\":[\"bow\",null]}"), "the struct");
            Check.Same(Json.Parse(lines[0])["eventTypeVersion"].Integer, 3L, "the version");
            Check.Same(Json.Parse(lines[1])["event"]["level"].Integer, 8L, "the JSON");
        }
    }

    private static void Compressed()
    {
        using (var server = new Server(Server.Stored))
        {
            Options options = At(server, Check.NewFolder());
            // One segment: on a busy machine its age could end it at less than what is compressed.
            options.Tuning.SealAfterMs = 600000;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                for (int n = 0; n < 100; n++) TrackNumber(client, n);
                Check.That(client.Flush(10000), "sent");
                Check.Same(server.Events[0].Encoding, "gzip", "the encoding");
                Check.That(server.Events[0].Body.StartsWith("{\"eventType\"", StringComparison.Ordinal), server.Events[0].Body);
                int before = server.Events.Count;
                Check.That(client.TrackJson("level_up", 1, "{\"text\":\"" + new string('x', 60000) + "\"}"), "tracked");
                Check.That(client.Flush(10000), "sent");
                Check.Same(server.Events[before].Encoding, "", "the encoding of a bomb");
            }
        }
    }

    private static void LargeEvents()
    {
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            const int most = 64 * 1024;
            string least = "{\"eventType\":\"level_up\",\"eventTypeVersion\":1,\"occurredAt\":\"2026-11-22T00:00:00.000Z\",\"event\":{\"text\":\"\"}}";
            string fill = new string('x', most - least.Length);
            Check.That(client.TrackJson("level_up", 1, "{\"text\":\"" + fill + "\"}"), "64 KiB");
            Check.That(!client.TrackJson("level_up", 1, "{\"text\":\"x" + fill + "\"}"), "one byte more");
            Check.That(client.Flush(10000), "sent");
            Check.Same(server.Events[0].Body.Length, most + 1, "the line");
        }
    }

    private static void HostileAnswers()
    {
        var answers = new Queue<string>(new[]
        {
            null,
            "nonsense\r\n\r\n",
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n",
            Server.Json(200, "<!doctype html><title>Sign in to the hotel</title>"),
            Server.Json(200, "[1,2"),
            Server.Json(200, new string('[', 50000)),
            Server.Json(200, "{\"accepted\":1,\"padding\":\"" + new string('x', 10 * 1024 * 1024) + "\"}"),
            "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"accepted\":1}",
            Server.Json(500, "{\"accepted\":1}"),
            Server.Json(429, "{}", "Retry-After: later\r\n"),
            Server.Json(503, "{\"code\":6001,\"data\":{\"retryAfterSeconds\":-5}}"),
        });
        int count = answers.Count;
        Func<Received, string> answer = request =>
        {
            if (!request.Path.StartsWith("/v1/", StringComparison.Ordinal)) return Server.Json(404, "{}");
            lock (answers) return answers.Count > 0 ? answers.Dequeue() : Server.Stored(request);
        };
        using (var server = new Server(answer))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            TrackNumber(client, 1);
            Check.That(client.Flush(20000), "sent at last");
            List<Received> sent = server.Events;
            Check.That(sent.Count > count, sent.Count + " requests");
            foreach (Received one in sent)
            {
                Check.Same(one.Body, sent[0].Body, "the body");
                Check.Same(one.IdempotencyKey, sent[0].IdempotencyKey, "the key");
            }
            foreach (KeyValuePair<Loss, long> loss in client.Losses) Check.Same(loss.Key + " " + loss.Value, "", "a loss");
        }
    }

    private static void Redirect()
    {
        int elsewhere = 0;
        using (var other = new Server(request => { Interlocked.Increment(ref elsewhere); return Server.Stored(request); }))
        {
            int asked = 0;
            Func<Received, string> answer = request =>
                Interlocked.Increment(ref asked) < 4 ? Server.Json(307, "", "Location: " + other.Url + "/v1/event/multiInsert\r\n") : Server.Stored(request);
            using (var server = new Server(answer))
            using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
            {
                TrackNumber(client, 1);
                Check.That(client.Flush(10000), "sent");
                Check.Same(elsewhere, 0, "requests to elsewhere");
            }
        }
    }

    private static void Silence()
    {
        using (var server = new Server(request => ""))
        {
            TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder()));
            TrackNumber(client, 1);
            Until(() => server.Events.Count > 0, "asked");
            long from = Clock.MonotonicMs;
            client.Close(100);
            Check.That(Clock.MonotonicMs - from < 1500, "closed after " + (Clock.MonotonicMs - from) + " ms");
            Check.That(!TrackNumber(client, 2), "refused after the end");
            Check.Same(client.Losses[Loss.Closed], 1L, "closed");
        }
    }

    private static void Recovered()
    {
        string folder = Check.NewFolder();
        using (var dead = new Server(request => null))
        {
            TickrateClient first = TickrateClient.Open(At(dead, folder));
            for (int n = 0; n < 30; n++) TrackNumber(first, n);
            first.Close(0);
            foreach (string path in Directory.GetFiles(folder, "*.seal", SearchOption.AllDirectories)) File.AppendAllText(path, "00000000 {\"eventType\":\"x\"}\n");
        }
        using (var server = new Server(Server.Stored))
        using (TickrateClient second = TickrateClient.Open(At(server, folder)))
        {
            Check.That(second.Flush(10000), "sent");
            int lines = 0;
            foreach (Received one in server.Events) lines += one.Body.Split('\n').Length - 1;
            Check.Same(lines, 30, "events");
            Check.That(second.Losses[Loss.Damaged] > 0, "the line of somebody else counts as damaged");
            Until(() => Directory.GetDirectories(folder).Length == 1, "the folder of the dead start goes");
        }
    }

    private static void ForeignState()
    {
        foreach (string text in new[] { "", "[]", "{\"consent\":7,\"installation\":{},\"losses\":[1],\"device\":\"x\",\"addresses\":3}", new string('{', 100000) })
        {
            string folder = Check.NewFolder();
            File.WriteAllText(Path.Combine(folder, "state.json"), text);
            using (var server = new Server(Server.Stored))
            using (TickrateClient client = TickrateClient.Open(At(server, folder)))
            {
                Check.That(TrackNumber(client, 1) && client.Flush(10000), "sent");
            }
        }
    }

    private static void NoFolder()
    {
        string file = Path.Combine(Check.NewFolder(), "a-file");
        File.WriteAllText(file, "");
        using (var server = new Server(request => null))
        {
            Options options = At(server, file);
            string said = "";
            options.Debug = text => said += text;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                int kept = 0;
                for (int n = 0; n < 250; n++) if (TrackNumber(client, n)) kept++;
                Check.Same(kept, 200, "kept");
                Check.That(!client.IsDurable, "durable");
                Check.That(said.Contains(file), said);
                Check.Same(client.Losses[Loss.Storage], 50L, "storage");
            }
        }
    }

    private static void Consents()
    {
        string folder = Check.NewFolder();
        using (var server = new Server(Server.Stored))
        {
            Options options = At(server, folder);
            options.Consent = Consent.Unknown;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                for (int n = 0; n < 250; n++) Check.Same(TrackNumber(client, n), n < 200, "event " + n);
                Check.Same(client.Losses[Loss.Consent], 50L, "consent");
                Check.That(!client.Flush(50) && server.Events.Count == 0, "nothing is sent");
                client.SetConsent(Consent.Granted);
                Until(() => client.Consent == Consent.Granted, "granted");
                Check.That(client.Flush(10000), "sent");
                Check.Same(server.Events[0].Body.Split('\n').Length - 1, 200, "events");
                client.SetConsent(Consent.Denied);
                Until(() => client.Consent == Consent.Denied, "denied");
                Check.That(!TrackNumber(client, 1), "refused");
                Check.Same(client.Pending, 0L, "pending");
            }
            Check.Same(Directory.GetFiles(folder, "*.seal", SearchOption.AllDirectories).Length, 0, "segments");
            using (TickrateClient again = TickrateClient.Open(options)) Check.Same(again.Consent, Consent.Denied, "remembered");
        }
    }

    private static void SharedRefusal()
    {
        string folder = Check.NewFolder();
        using (var server = new Server(Server.Stored))
        {
            Options options = At(server, folder);
            options.Tuning.SealAfterMs = 600000;
            using (TickrateClient first = TickrateClient.Open(options))
            using (TickrateClient second = TickrateClient.Open(options))
            {
                Check.That(TrackNumber(second, 1), "tracked before the refusal");
                first.SetConsent(Consent.Denied);
                // Counted as a loss, which the second process saves.
                Check.That(!second.Track("level_up", 1, json => json.Value(new string('x', 70000))), "too large");
                Until(() => second.Consent == Consent.Denied, "the second process follows");
                Check.That(!TrackNumber(second, 2), "refused");
                Check.Same(second.Pending, 0L, "pending");
            }
            options.Consent = Consent.Unknown;
            using (TickrateClient third = TickrateClient.Open(options))
            {
                Check.Same(third.Consent, Consent.Denied, "remembered");
                third.SetConsent(Consent.Granted);
                Until(() => third.Consent == Consent.Granted, "the player chose again");
            }
            using (TickrateClient last = TickrateClient.Open(options)) Check.Same(last.Consent, Consent.Granted, "the last choice");
            Check.Same(server.Events.Count, 0, "requests with events");
        }
    }

    private static void LeftAfterRefusal()
    {
        string folder = Check.NewFolder();
        // It answers nothing, so the event stays in the folder.
        using (var silent = new Server(request => ""))
        {
            TickrateClient left = TickrateClient.Open(At(silent, folder));
            Check.That(TrackNumber(left, 1), "tracked");
            left.Close(0);
        }
        using (var server = new Server(Server.Stored))
        {
            Options options = At(server, folder);
            string run = Directory.GetDirectories(folder)[0], aside = Path.Combine(Check.NewFolder(), "run");
            Directory.Move(run, aside);
            using (TickrateClient refused = TickrateClient.Open(options))
            {
                refused.SetConsent(Consent.Denied);
                Until(() => refused.Consent == Consent.Denied, "denied");
            }
            // As if another process, which did not learn of the refusal, had written it and died.
            Directory.Move(aside, run);
            using (TickrateClient next = TickrateClient.Open(options))
            {
                Check.That(next.Flush(10000), "nothing to send");
                Check.Same(next.Consent, Consent.Granted, "the game's option");
            }
            Check.Same(server.Events.Count, 0, "requests with events");
            Check.Same(Directory.GetFiles(folder, "*.seal", SearchOption.AllDirectories).Length, 0, "segments");
        }
    }

    private static void BadEvents()
    {
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            Check.That(!client.Track("a", 1, json => { throw new InvalidOperationException("mine"); }), "throws");
            Check.That(!client.Track("a", 1, json => json.BeginObject()), "unfinished");
            Check.That(!client.Track("a", 1, json => { json.Value(1); json.Value(2); }), "two values");
            Check.That(!client.Track("a", 1, json => json.Value(double.NaN)), "no number");
            Check.That(!client.Track(null, 1, json => json.Null()), "no type");
            Check.That(!client.TrackJson("a", 1, "[1]") && !client.TrackJson("a", 1, null), "no object");
            Json deep = Json.Null;
            for (int n = 0; n < 66; n++) deep = Json.Array(deep);
            foreach (Json none in new[] { Json.Of(double.NaN), Json.Of(double.PositiveInfinity), deep })
            {
                Check.That(Json.Parse(none.ToString()) == null, "no JSON, not even a null: " + none);
                Check.That(!client.TrackJson("a", 1, Json.Object().With("n", none).ToString()), "no value of JSON");
            }
            Check.Same(client.Losses[Loss.Rejected], 10L, "rejected");
            Check.That(!client.Track("a", 1, json => json.Value(new string('x', 70000))), "too large");
            Check.Same(client.Losses[Loss.TooLarge], 1L, "tooLarge");
            Check.That(client.TrackJson("a", 1, "{\"half\":\"\\ud83c\"}") && TrackNumber(client, 1) && client.Flush(10000), "the next are good");
        }
    }

    private static void Threads()
    {
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            var threads = new List<Thread>();
            for (int t = 0; t < 8; t++)
            {
                int first = t * 1000;
                var thread = new Thread(() => { for (int n = first; n < first + 1000; n++) TrackNumber(client, n); });
                thread.Start();
                threads.Add(thread);
            }
            threads.ForEach(thread => thread.Join());
            Check.That(client.Flush(20000), "sent");
            var seen = new HashSet<string>();
            foreach (Received one in server.Events)
                foreach (string line in one.Body.Split('\n')) if (line.Length > 0) Check.That(seen.Add(line.Substring(line.IndexOf("\"event\":", StringComparison.Ordinal))), "twice: " + line);
            Check.Same(seen.Count, 8000, "events");
        }
    }

    private static void Refused()
    {
        string said = "";
        Func<Received, string> answer = request => Server.Json(401, "{\"code\":2001,\"message\":\"unknown key\",\"data\":{}}");
        using (var server = new Server(answer))
        {
            Options options = At(server, Check.NewFolder());
            options.Debug = text => said += text;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                TrackNumber(client, 1);
                Check.That(!client.Flush(500), "not sent");
                Check.Same(server.Events.Count, 1, "requests");
                Check.That(said.Contains("Options.Key"), said);
                Check.Same(client.Pending, 1L, "pending");
            }
        }
    }

    private static List<string> SaidBy(Options options, int events)
    {
        var said = new List<string>();
        options.Debug = text => { lock (said) said.Add(text); };
        using (TickrateClient client = TickrateClient.Open(options))
        {
            for (int n = 0; n < events; n++) TrackNumber(client, n);
            client.TrackJson("boss_met", 0, "{}");
            client.Flush(2000);
        }
        lock (said) return new List<string>(said);
    }

    private static void WrongUrl()
    {
        var closed = new Server(request => null);
        Options options = At(closed, Check.NewFolder());
        closed.Dispose();
        List<string> said = SaidBy(options, 1);
        Check.That(said.Count == 1 && said[0].Contains("No answer from " + options.Url + " (") && said[0].Contains("Options.Url"), string.Join("; ", said));
        using (var pages = new Server(request => Server.Json(request.Path == "/.well-known/tickrate" ? 200 : 404, "<html>")))
        {
            Options ofPages = At(pages, Check.NewFolder());
            // Asks for the addresses only: with a key, events are sent at the same time, and either answer may be the one that is explained.
            ofPages.Principal = Principal.Device;
            said = SaidBy(ofPages, 1);
            Check.That(said.Count == 1 && said[0].Contains("status 200, but not as Tickrate"), string.Join("; ", said));
        }
        options.Url = "gateway:8080";
        said = SaidBy(options, 0);
        Check.That(said[0].Contains("'gateway:8080'") && said[0].Contains("https://"), string.Join("; ", said));
    }

    private static void Rejected()
    {
        const string fault = "\"errors\":[{\"location\":\"/{0}/event/level\",\"message\":\"must be a text\"}]";
        string rejections = "{\"accepted\":0,\"rejected\":[{\"index\":1," + fault.Replace("{0}", "1") + "},{\"index\":2," + fault.Replace("{0}", "2") +
            "},{\"index\":3,\"errors\":[{\"location\":\"/3/eventType\",\"message\":\"is not declared\"}]}]}";
        using (var server = new Server(request => request.Path.Contains("well-known") ? Server.Json(404, Server.NotFound) : Server.Json(200, rejections)))
        {
            Options options = At(server, Check.NewFolder());
            options.Tuning.SealAfterMs = 600000;
            List<string> said = SaidBy(options, 3);
            Check.Same(said.Count, 2, string.Join("; ", said));
            Check.That(said[0].Contains("type level_up, version 1 was rejected: /event/level must be a text"), said[0]);
            Check.That(said[1].Contains("boss_met, newest version") && said[1].Contains("event-types declare"), said[1]);
        }
    }

    private static void ClockFarOff()
    {
        using (var server = new Server(request => Server.Json(request.Path.Contains("well-known") ? 404 : 200, "{\"accepted\":1,\"code\":1006,\"data\":{}}", "Date: Sun, 22 Nov 2020 17:28:52 GMT\r\n")))
        {
            List<string> said = SaidBy(At(server, Check.NewFolder()), 1);
            Check.That(said.Count == 1 && said[0].Contains(" s ahead of the server's"), string.Join("; ", said));
        }
    }

    private static void FlushOfAll()
    {
        bool isOnline = false;
        using (var server = new Server(request => Volatile.Read(ref isOnline) ? Server.Stored(request) : null))
        {
            string folder = Check.NewFolder();
            using (TickrateClient client = TickrateClient.Open(At(server, folder)))
            {
                TickrateClient other = TickrateClient.Open(At(server, folder));
                Check.That(TrackNumber(other, 1), "tracked");
                other.Close(0);
                Check.That(TrackNumber(client, 2) && !client.Flush(200), "offline");
                Volatile.Write(ref isOnline, true);
                Check.That(client.Flush(10000), "flushed");
                string bodies = string.Concat(server.Events.ConvertAll(request => request.Body));
                Check.That(bodies.Contains("{\"level\":1}") && bodies.Contains("{\"level\":2}"), bodies);
            }
            Options unknown = At(server, Check.NewFolder());
            unknown.Consent = Consent.Unknown;
            using (TickrateClient waiting = TickrateClient.Open(unknown))
            {
                TrackNumber(waiting, 3);
                var watch = System.Diagnostics.Stopwatch.StartNew();
                Check.That(!waiting.Flush(30000), "an event waits for consent");
                Check.That(watch.ElapsedMilliseconds < 15000, "at once");
                Check.That(waiting.Consent == Consent.Unknown, "consent");
            }
        }
    }

    private static void OddEntries()
    {
        string folder = Check.NewFolder();
        using (var silent = new Server(request => null))
        {
            TickrateClient left = TickrateClient.Open(At(silent, folder));
            for (int n = 0; n < 20; n++) TrackNumber(left, n);
            left.Close(0);
        }
        string run = Directory.GetDirectories(folder)[0], key = "-" + new string('a', 32);
        Directory.CreateDirectory(Path.Combine(run, "0000000000000001" + key + ".seal"));
        System.Diagnostics.Process.Start("mkfifo", Path.Combine(run, "0000000000000002" + key + ".seal")).WaitForExit();
        File.WriteAllText(Path.Combine(run, "0000000000000003" + key + ".seal"), new string('x', 3000000));
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, folder)))
        {
            Check.That(client.Flush(10000), "flushed");
            int lines = 0;
            foreach (Received one in server.Events) lines += one.Body.Split('\n').Length - 1;
            Check.Same(lines, 20, "events");
        }
    }

    private static void SavedLater()
    {
        string folder = Check.NewFolder();
        using (var server = new Server(Server.Stored))
        using (TickrateClient client = TickrateClient.Open(At(server, folder)))
        {
            // A folder instead of the file that the state is written to first.
            string blocked = Path.Combine(Directory.GetDirectories(folder)[0], "state.new");
            Directory.CreateDirectory(blocked);
            Check.That(!client.Track("a", 1, json => json.Value(new string('x', 70000))), "too large");
            int reported = 0;
            client.Lost += (reason, count) => Interlocked.Increment(ref reported);
            Check.That(!client.Track("a", 1, json => json.Value(new string('x', 70000))), "too large");
            Until(() => Thread.VolatileRead(ref reported) > 0, "reported");
            Directory.Delete(blocked);
            client.Close(0);
            string state = File.ReadAllText(Path.Combine(folder, "state.json"));
            Check.That(state.Contains("\"tooLarge\":2"), state);
        }
    }

    private static void DeletedFolder()
    {
        string folder = Check.NewFolder();
        using (var server = new Server(Server.Stored))
        {
            Options options = At(server, folder);
            options.Tuning.SealAfterMs = 600000;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                int kept = 0;
                for (int n = 0; n < 10; n++) if (TrackNumber(client, n)) kept++;
                // In one step: the thread of the client creates files meanwhile.
                Directory.Move(folder, folder + ".deleted");
                Directory.Delete(folder + ".deleted", true);
                for (int n = 10; n < 700; n++) if (TrackNumber(client, n)) kept++;
                Check.That(client.Flush(10000), "flushed");
                int lines = 0;
                foreach (Received one in server.Events) lines += one.Body.Split('\n').Length - 1;
                Check.Same(kept, 700, "kept");
                Check.Same(lines, kept, "sent");
                Check.Same(client.Losses.Count, 0, "losses");
                Check.That(File.Exists(Path.Combine(folder, "state.json")), "state.json");
            }
        }
    }

    private static void SharedState()
    {
        string folder = Check.NewFolder();
        using (var server = new Server(Server.Stored))
        {
            Action<TickrateClient> lose = client => Check.That(!client.Track("a", 1, json => json.Value(new string('x', 70000))), "too large");
            Options undecided = At(server, folder);
            undecided.Consent = Consent.Unknown;
            Func<string> installation = () => Regex.Match(File.ReadAllText(Path.Combine(folder, "state.json")), "\"installation\":\"[0-9a-f]{8}\"").Value;
            string saved;
            using (TickrateClient older = TickrateClient.Open(undecided))
            {
                using (TickrateClient newer = TickrateClient.Open(At(server, folder)))
                {
                    lose(newer);
                    Until(() => File.ReadAllText(Path.Combine(folder, "state.json")).Contains("tooLarge"), "saved");
                }
                saved = installation();
                older.SetConsent(Consent.Granted);
                lose(older);
            }
            Check.That(saved.Length > 0 && installation() == saved, "the installation of the newer");
            string state = File.ReadAllText(Path.Combine(folder, "state.json"));
            Check.That(state.Contains("\"tooLarge\":2"), state);
            Check.That(state.Contains("\"consent\":\"granted\""), state);
        }
    }

    private const string SessionBody = "\"authenticatedSession\":{\"id\":\"s\",\"accountId\":\"u-1\",\"apiKey\":\"tk_ses_1\",\"start\":1763809200,\"expiry\":1763812800}";

    private static void Device()
    {
        string folder = Check.NewFolder();
        var bodies = new List<string>();
        Func<Received, string> answer = request =>
        {
            if (!request.Path.EndsWith("/authenticate", StringComparison.Ordinal)) return Server.Stored(request);
            lock (bodies) bodies.Add(request.Body);
            return Server.Json(200, "{" + SessionBody + ",\"issuedDeviceToken\":{\"deviceId\":\"d\",\"deviceSecret\":\"secret\"}}");
        };
        using (var server = new Server(answer))
        {
            Options options = At(server, folder);
            options.Principal = Principal.Device;
            for (int start = 0; start < 2; start++)
            {
                using (TickrateClient client = TickrateClient.Open(options))
                {
                    TrackNumber(client, start);
                    Check.That(client.Flush(10000), "sent");
                    Check.Same(client.SessionKey, "tk_ses_1", "the session's key");
                    if (start == 0) continue;
                    SignInStep step = null;
                    client.SignIn(Json.Object().With("steamTicket", "t"), result => step = result, true);
                    Until(() => step != null, "answered");
                    Check.Same(step.Session.Account, "u-1", "the account stays");
                }
            }
            Check.Same(server.Events[0].Key, "tk_ses_1", "the key of the events");
            Check.That(bodies[0].Contains("\"deviceId\":\"new\""), bodies[0]);
            Check.That(bodies[1].Contains("\"deviceSecret\":\"secret\""), bodies[1]);
            Json linked = Json.Parse(bodies[2])["tokens"];
            Check.That(linked.Has("steamTokens") && linked["deviceTokens"].Elements[0]["deviceSecret"].Text == "secret", bodies[2]);
            Check.That(!File.ReadAllText(Path.Combine(folder, "state.json")).Contains("tk_ses_1"), "the session's key is not on the disk");
        }
    }

    private const string WellKnown = "/.well-known/tickrate";
    private static string SignedIn { get { return Server.Json(200, "{" + SessionBody + ",\"issuedDeviceToken\":{\"deviceId\":\"d\",\"deviceSecret\":\"secret\"}}"); } }

    /// <summary>A gateway that knows no sign-in, as the product's. Its address of sessions comes after `failures`.</summary>
    private static Server Gateway(Queue<string> failures, string sessions)
    {
        return new Server(request =>
        {
            if (request.Path.StartsWith("/v1/event/", StringComparison.Ordinal)) return Server.Stored(request);
            if (request.Path != WellKnown) return Server.Json(404, Server.NotFound);
            lock (failures) if (failures.Count > 0) return failures.Dequeue();
            return Server.Json(200, "{\"protocol\":1,\"events\":null,\"sessions\":\"" + sessions + "\"}");
        });
    }

    private static void Addresses()
    {
        var failures = new Queue<string>(new[] { null, Server.Json(200, "<!doctype html><title>Sign in to the hotel</title>"), Server.Json(200, "{}"), Server.Json(429, "{}"), Server.Json(503, "{}"), Server.Json(404, "<html>"), Server.Json(403, "{}"), Server.Json(401, "<html>") });
        using (var auth = new Server(request => SignedIn))
        using (Server gateway = Gateway(failures, auth.Url))
        {
            Options options = At(gateway, Check.NewFolder());
            options.Principal = Principal.Device;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                TrackNumber(client, 1);
                SignInStep step = null;
                client.SignIn(Json.Object().With("steamTicket", "t"), result => step = result);
                Check.That(client.Flush(30000), "sent");
                Until(() => step != null, "answered");
                Check.Same(step.Kind, SignInKind.Session, "the player's sign-in");
                Check.Same(gateway.Count("/2018-03-24/authenticate"), 0, "sign-ins at a guessed address");
                Check.Same(gateway.Count(WellKnown), 9, "questions");
            }
        }
    }

    private static void WrongAddress()
    {
        int left = 3;
        using (var server = new Server(request =>
        {
            if (request.Path.StartsWith("/v1/event/", StringComparison.Ordinal)) return Server.Stored(request);
            return request.Path == WellKnown || Interlocked.Decrement(ref left) >= 0 ? Server.Json(404, Server.NotFound) : SignedIn;
        }))
        {
            string said = "";
            Options options = At(server, Check.NewFolder());
            options.Principal = Principal.Device;
            options.Debug = text => said += text;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                TrackNumber(client, 1);
                Check.That(client.Flush(30000), "sent");
                Check.That(said.Contains("SESSIONS_URL"), said);
            }
        }
    }

    private static void AddressesAgain()
    {
        var failures = new Queue<string>(new[] { Server.Json(404, Server.NotFound) });
        using (var auth = new Server(request => SignedIn))
        using (Server gateway = Gateway(failures, auth.Url))
        {
            Options options = At(gateway, Check.NewFolder());
            options.Principal = Principal.Device;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                TrackNumber(client, 1);
                Check.That(client.Flush(30000), "sent");
            }
        }
    }

    private static void RememberedAddress()
    {
        string folder = Check.NewFolder();
        using (var auth = new Server(request => SignedIn))
        {
            var failures = new Queue<string>();
            using (Server gateway = Gateway(failures, auth.Url))
            {
                Options options = At(gateway, folder);
                options.Principal = Principal.Device;
                for (int start = 0; start < 2; start++)
                {
                    using (TickrateClient client = TickrateClient.Open(options))
                    {
                        TrackNumber(client, start);
                        Check.That(client.Flush(30000), "sent by start " + start);
                    }
                    lock (failures) for (int n = 0; n < 10000; n++) failures.Enqueue(n % 2 == 0 ? null : Server.Json(404, "<html>"));
                }
                Check.Same(auth.Count("/2018-03-24/authenticate"), 2, "sign-ins");
            }
            // Another server is asked, which names no addresses; and then nobody is there.
            foreach (string answer in new[] { null, Server.Json(404, Server.NotFound) })
            {
                using (var moved = new Server(request => request.Path == WellKnown ? answer : request.Path.EndsWith("/authenticate", StringComparison.Ordinal) ? SignedIn : Server.Stored(request)))
                {
                    Options options = At(moved, folder);
                    options.Principal = Principal.Device;
                    using (TickrateClient client = TickrateClient.Open(options))
                    {
                        TrackNumber(client, 3);
                        bool sent = client.Flush(answer == null ? 300 : 30000);
                        Check.Same(sent, answer != null, "sent");
                    }
                    Check.Same(auth.Count("/2018-03-24/authenticate"), 2, "sign-ins at the former server");
                    Check.That(!File.ReadAllText(Path.Combine(folder, "state.json")).Contains(auth.Url), "remembered at another server");
                }
            }
        }
    }

    private static void OddAddresses()
    {
        // As deep as an answer may be, and so too deep for a member of the state.
        string odd = "{\"protocol\":1,\"events\":" + new string('[', 64) + new string(']', 64) + ",\"sessions\":7}";
        string folder = Check.NewFolder(), path = Path.Combine(folder, "state.json");
        using (var server = new Server(request => request.Path == WellKnown ? Server.Json(200, odd) : Server.Stored(request)))
        using (TickrateClient client = TickrateClient.Open(At(server, folder)))
        {
            Until(() => File.ReadAllText(path).Contains("\"of\""), "remembered");
            Json state = Json.Parse(File.ReadAllText(path));
            Check.That(state != null && state["installation"].Text.Length == 8, "the state is read back");
            Check.That(TrackNumber(client, 1) && client.Flush(10000), "sent");
        }
    }

    private static void Player()
    {
        Func<Received, string> answer = request =>
        {
            if (!request.Path.EndsWith("/authenticate", StringComparison.Ordinal)) return Server.Stored(request);
            if (!request.Body.Contains("emailAddress")) return Server.Json(503, "{\"code\":6001,\"data\":{}}");
            if (!request.Body.Contains("password")) return Server.Json(200, "{\"exchangeId\":\"x\",\"promptForPassword\":true}");
            return Server.Json(200, "{" + SessionBody + "}");
        };
        using (var server = new Server(answer))
        using (TickrateClient client = TickrateClient.Open(At(server, Check.NewFolder())))
        {
            TrackNumber(client, 1);
            SignInStep step = null;
            client.SignIn(Json.Object().With("email", "ada@example.com"), result => step = result);
            Until(() => step != null, "answered");
            Check.Same(step.Prompt, "password", "the prompt");
            step = null;
            client.Answer(Json.Object().With("password", "correct horse battery staple"), result => step = result);
            Until(() => step != null, "answered again");
            Check.Same(step.Session.Account, "u-1", "the account");
            TrackNumber(client, 2);
            Check.That(client.Flush(10000), "sent");
            List<Received> sent = server.Events;
            Check.Same(sent[0].Key, "tk_pub_x", "the event before");
            Check.Same(sent[sent.Count - 1].Key, "tk_ses_1", "the event after");
        }
    }

    private static void Pumped()
    {
        using (var server = new Server(Server.Stored))
        {
            Options options = At(server, Check.NewFolder());
            options.CallbacksInPump = true;
            using (TickrateClient client = TickrateClient.Open(options))
            {
                int thread = 0;
                client.Lost += (reason, count) => { throw new InvalidOperationException("mine"); };
                client.Lost += (reason, count) => { };
                client.SignIn(Json.Object(), step => thread = Thread.CurrentThread.ManagedThreadId);
                client.TrackJson("a", 1, "no");
                Until(() => { client.Pump(); return thread != 0; }, "called");
                Check.Same(thread, Thread.CurrentThread.ManagedThreadId, "the thread");
            }
        }
    }
}
