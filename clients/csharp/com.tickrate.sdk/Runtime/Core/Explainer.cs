using System;
using System.Collections.Generic;

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

        internal void Stopped(long code, string what)
        {
            string advice = "check Options.Key";
            if (code == 2003) advice = "Options.Key must be a public key (tk_pub_…)";
            if (code == 2006) advice = "the key in Options.Key lacks a scope";
            if (code == 2007) advice = "the key lists allowed web origins, and this is none of them";
            Say("stop " + code, "Cannot " + what + " (" + code + "): " + advice + ". Events are buffered until the next start.");
        }

        internal void Refused(Response response, Verdict verdict)
        {
            string message = verdict.Body["message"].Text;
            string code = verdict.Code == 0 ? "status " + response.Status : "code " + verdict.Code;
            Say("refused " + code, "The server refused a segment with " + code + (message.Length > 0 ? " (" + message + ")" : "") + ". It is in the folder aside/.");
        }

        internal void Stored(Json body)
        {
            if (debug == null) return;
            foreach (Json rejected in body["rejected"].Elements)
            {
                foreach (Json error in rejected["errors"].Elements)
                {
                    string text = error["location"].Text + " " + error["message"].Text;
                    Say("rejected " + text, "An event was rejected: " + text + ". Declare its type and version with `tickrate event-types declare`.");
                }
            }
            foreach (Json notice in body["notices"].Elements)
                if (notice["notice"].Text == "occurredClamped")
                    Say("clamped", notice["count"].Integer + " events were older than 30 days; their times were limited.");
        }

        internal void Compare(DateTime? server, long wallMs)
        {
            if (server == null) return;
            double off = (server.Value - new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc)).TotalSeconds - wallMs / 1000.0;
            if (Math.Abs(off) > 60) Say("clock", "This device's clock differs from the server's by " + Math.Round(off) + " s. Event times are corrected.");
        }
    }
}
