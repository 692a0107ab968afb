using System;
using System.Collections.Generic;
using System.Text;

namespace Tickrate
{
    /// <summary>Says each kind of mistake once, with what to do, to developers only.</summary>
    internal sealed class Explainer
    {
        private readonly Action<string> debug;
        private readonly HashSet<string> said = new HashSet<string>();

        internal Explainer(Action<string> debug) { this.debug = debug; }

        internal void Say(string topic, string text)
        {
            if (debug != null && said.Add(topic)) Files.Try(() => debug("tickrate: " + text));
        }

        internal void Unreachable(string url, Response response)
        {
            // A refusal in the server's own words, for example that it is overloaded.
            if (debug == null || (Json.Parse(response.Body) ?? Json.Null)["code"].IsInteger) return;
            string found = response.Status == 0
                ? "No answer from " + url + (response.Reason.Length > 0 ? " (" + response.Reason + ")" : "")
                : url + " answered with status " + response.Status + ", but not as Tickrate does";
            Say("unreachable " + url, found + ": check Options.Url, and whether the server runs. Events wait in the buffer.");
        }

        internal void Stopped(long code, string what, string key)
        {
            string advice = "it must be a public key (tk_pub_…) of this project";
            if (code == 2006) advice = "it lacks a scope; a public key (tk_pub_…) has those that a game needs";
            if (code == 2007) advice = "it lists allowed web origins, and this is none of them";
            Say("stop " + code, "Cannot " + what + " (" + code + "): Options.Key " + Kind(key ?? "") + "; " + advice + ". Events are buffered until the next start.");
        }

        private static string Kind(string key)
        {
            if (key.Length == 0) return "is empty";
            if (key.StartsWith("tk_pub_", StringComparison.Ordinal)) return "holds a public key";
            if (key.StartsWith("tk_adm_", StringComparison.Ordinal)) return "holds an administrative key";
            return key.StartsWith("tk_ses_", StringComparison.Ordinal) ? "holds the key of a session" : "holds no key of Tickrate";
        }

        internal void Refused(Response response, Verdict verdict)
        {
            string message = verdict.Body["message"].Text;
            string code = verdict.Code == 0 ? "status " + response.Status : "code " + verdict.Code;
            Say("refused " + code, "The server refused a segment with " + code + (message.Length > 0 ? " (" + message + ")" : "") + ". It is in the folder aside/." +
                (verdict.Code == 0 ? " Check Options.Url: no answer of Tickrate has no code." : ""));
        }

        /// <summary>Names the event of each rejection by its line in the segment.</summary>
        internal void Stored(Json body, Segment segment)
        {
            if (debug == null) return;
            string[] lines = body["rejected"].Elements.Count > 0 ? Lines(segment) : null;
            foreach (Json rejected in body["rejected"].Elements)
            {
                long index = rejected["index"].Integer;
                Json sent = (index >= 0 && index < lines.Length ? Json.Parse(lines[index]) : null) ?? Json.Null;
                string type = sent["eventType"].Text + (sent["eventTypeVersion"].IsInteger ? ", version " + sent["eventTypeVersion"].Integer : ", newest version");
                foreach (Json error in rejected["errors"].Elements)
                {
                    // Without the position of the event in its request.
                    string location = error["location"].Text;
                    int slash = location.Length > 1 ? location.IndexOf('/', 1) : -1;
                    string text = (slash < 0 ? location : location.Substring(slash)) + " " + error["message"].Text;
                    Say("rejected " + type + text, "An event of type " + type + " was rejected: " + text + ". Compare it with its declaration, or declare it with `tickrate event-types declare`.");
                }
            }
            foreach (Json notice in body["notices"].Elements)
                if (notice["notice"].Text == "occurredClamped")
                    Say("clamped", notice["count"].Integer + " events were older than 30 days or more than 5 minutes ahead; their times were limited.");
        }

        private static string[] Lines(Segment segment)
        {
            byte[] contents = segment.Read();
            if (contents == null) return new string[0];
            return Encoding.UTF8.GetString(SegmentContents.Body(contents, segment.HeaderBytes, segment.Bytes, segment.Events)).Split('\n');
        }

        internal void Compare(DateTime? server, long wallMs)
        {
            if (server == null) return;
            double off = Math.Round((server.Value - new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc)).TotalSeconds - wallMs / 1000.0);
            if (Math.Abs(off) > 60)
                Say("clock", "This device's clock is " + Math.Abs(off) + " s " + (off < 0 ? "ahead of" : "behind") + " the server's: set it. Event times are corrected.");
        }
    }
}
