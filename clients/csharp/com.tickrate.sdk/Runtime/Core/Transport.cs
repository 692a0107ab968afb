using System;
using System.Collections.Generic;

namespace Tickrate
{
    public sealed class Request
    {
        public string Method = "GET";
        public string Url = "";
        public string ContentType = "application/json";
        public readonly List<KeyValuePair<string, string>> Headers = new List<KeyValuePair<string, string>>();
        /// <summary>Null: none.</summary>
        public byte[] Body;
        /// <summary>In all, the answer included.</summary>
        public int TimeoutMs = 30000;
    }

    public sealed class Response
    {
        public const int MaxBytes = 64 * 1024;
        /// <summary>0: no answer, or one that was longer than MaxBytes.</summary>
        public int Status;
        public string Body = "";
        /// <summary>Below 0: the answer has no Retry-After in seconds.</summary>
        public double RetryAfterSeconds = -1;
        /// <summary>The answer's Date, or null.</summary>
        public DateTime? Date;
        /// <summary>Why there is no answer, for developers; or empty.</summary>
        public string Reason = "";
    }

    /// <summary>Sends requests. Follows no redirect, and reads at most Response.MaxBytes of an answer.</summary>
    public interface ITransport
    {
        /// <summary>Begins a request without waiting. `answered` is called once, on any thread.</summary>
        void Start(Request request, Action<Response> answered);
        /// <summary>Ends the requests in progress.</summary>
        void Abort();
    }
}
