using System;

namespace Tickrate
{
    /// <summary>What the player allows. Unknown keeps up to 200 events in memory and sends nothing.</summary>
    public enum Consent { Unknown, Granted, Denied }

    /// <summary>For whom events are recorded. Device signs this installation in by itself; Key sends with the API key alone.</summary>
    public enum Principal { Device, Key }

    /// <summary>Limits of the buffer and of retries. Games keep the defaults; tests shorten them.</summary>
    public sealed class Tuning
    {
        public long SealAfterMs = 30000;
        public int SealBytes = 64 * 1024;
        public int SealEvents = 500;
        public long BufferBytes = 8 * 1024 * 1024;
        public long BackoffFromMs = 1000;
        public long BackoffToMs = 300000;
        public long MaxAgeMs = 28L * 24 * 3600 * 1000;
    }

    public sealed class Options
    {
        /// <summary>The gateway's address. The sessions' address is found there, unless SessionsUrl is set.</summary>
        public string Url = "";
        /// <summary>A public key of the project (tk_pub_…).</summary>
        public string Key = "";
        /// <summary>A folder of the game's own that survives updates. Without one, up to 200 events are kept in memory.</summary>
        public string Folder = "";
        public string SessionsUrl = "";
        /// <summary>What the player allows. Unknown means: as remembered, and otherwise nothing is stored or sent.</summary>
        public Consent Consent = Consent.Unknown;
        public Principal Principal = Principal.Device;
        /// <summary>Sends requests. The default uses HttpWebRequest.</summary>
        public ITransport Transport;
        /// <summary>True: the game calls Pump() each frame, and all callbacks run there.</summary>
        public bool CallbacksInPump;
        /// <summary>Called once for each kind of mistake, with what to do. Leave it out of builds for players.</summary>
        public Action<string> Debug;
        /// <summary>The traceparent (W3C Trace Context) to send with a request of events, if the game has one. Any thread may call it.</summary>
        public Func<string> Traceparent;
        public Tuning Tuning = new Tuning();
    }
}
