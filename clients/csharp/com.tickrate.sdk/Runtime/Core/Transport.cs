using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Text;
using System.Threading;

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

    /// <summary>Requests with HttpWebRequest, each on a thread of its own; the client never has more than three.</summary>
    public sealed class HttpTransport : ITransport
    {
        private readonly List<HttpWebRequest> running = new List<HttpWebRequest>();

        public void Start(Request request, Action<Response> answered)
        {
            var thread = new Thread(() => answered(Send(request))) { IsBackground = true, Name = "Tickrate request" };
            thread.Start();
        }

        public void Abort()
        {
            HttpWebRequest[] all;
            lock (running) all = running.ToArray();
            foreach (HttpWebRequest request in all) Files.Try(request.Abort);
        }

        private Response Send(Request request)
        {
            HttpWebRequest http = null;
            var response = new Response();
            try
            {
                http = Make(request);
                lock (running) running.Add(http);
                using (new Timer(Cut, http, request.TimeoutMs, Timeout.Infinite)) response = Exchange(http, request.Body);
            }
            catch (Exception fault)
            {
                // Whatever a network or a stranger's answer causes counts as no answer.
                response = new Response { Reason = fault.GetBaseException().Message };
            }
            if (http != null) lock (running) running.Remove(http);
            return response;
        }

        private static void Cut(object http) { Files.Try(((HttpWebRequest)http).Abort); }

        private static HttpWebRequest Make(Request request)
        {
            var http = (HttpWebRequest)WebRequest.Create(request.Url);
            http.Method = request.Method;
            http.AllowAutoRedirect = false;
            http.AutomaticDecompression = DecompressionMethods.None;
            http.Timeout = http.ReadWriteTimeout = request.TimeoutMs;
            http.Accept = "application/json";
            http.ServicePoint.Expect100Continue = false;
            if (new Uri(request.Url).IsLoopback) http.Proxy = null;
            if (request.Body != null) http.ContentType = request.ContentType;
            foreach (KeyValuePair<string, string> header in request.Headers) http.Headers[header.Key] = header.Value;
            return http;
        }

        private static Response Exchange(HttpWebRequest http, byte[] body)
        {
            if (body != null)
            {
                http.ContentLength = body.Length;
                using (Stream stream = http.GetRequestStream()) stream.Write(body, 0, body.Length);
            }
            HttpWebResponse answer;
            try
            {
                answer = (HttpWebResponse)http.GetResponse();
            }
            catch (WebException fault)
            {
                answer = fault.Response as HttpWebResponse;
                if (answer == null) throw;
            }
            return Read(http, answer);
        }

        private static Response Read(HttpWebRequest http, HttpWebResponse answer)
        {
            var bytes = new byte[Response.MaxBytes + 1];
            int size = 0;
            Stream stream = answer.GetResponseStream();
            for (int count; size < bytes.Length && (count = stream.Read(bytes, size, bytes.Length - size)) > 0;) size += count;
            if (size > Response.MaxBytes)
            {
                // To close it would read the rest.
                http.Abort();
                return new Response();
            }
            if (answer.ContentLength > size) return new Response();
            var response = new Response { Status = (int)answer.StatusCode, Body = Encoding.UTF8.GetString(bytes, 0, size) };
            double seconds;
            if (double.TryParse(answer.Headers["Retry-After"], NumberStyles.None, CultureInfo.InvariantCulture, out seconds)) response.RetryAfterSeconds = seconds;
            DateTime date;
            if (DateTime.TryParseExact(answer.Headers["Date"], "r", CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out date)) response.Date = date;
            answer.Close();
            return response;
        }
    }
}
