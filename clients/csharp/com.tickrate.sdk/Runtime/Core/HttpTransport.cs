using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Text;
using System.Threading;

namespace Tickrate
{
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
