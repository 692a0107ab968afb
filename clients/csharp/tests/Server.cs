// A server that answers as a test wants it, on 127.0.0.1.
using System;
using System.Collections.Generic;
using System.IO;
using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;

internal sealed class Received
{
    internal string Path = "", Key = "", Body = "", IdempotencyKey = "", Sdk = "", ClientTime = "", Encoding = "", Traceparent = "";
}

internal sealed class Server : IDisposable
{
    private readonly TcpListener listener = new TcpListener(IPAddress.Loopback, 0);
    private readonly List<Received> received = new List<Received>();
    private readonly Func<Received, string> answer;

    /// <summary>`answer` returns all bytes of the answer; null closes the connection, "" keeps it open in silence.</summary>
    internal Server(Func<Received, string> answer)
    {
        this.answer = answer;
        listener.Start();
        new Thread(Accept) { IsBackground = true }.Start();
    }

    internal string Url { get { return "http://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port; } }
    public void Dispose() { listener.Stop(); }

    /// <summary>Requests with events, oldest first.</summary>
    internal List<Received> Events
    {
        get { lock (received) return received.FindAll(request => request.Path.StartsWith("/v1/event/", StringComparison.Ordinal)); }
    }

    /// <summary>How many requests asked for `path`.</summary>
    internal int Count(string path) { lock (received) return received.FindAll(request => request.Path == path).Count; }

    internal static string Json(int status, string body, string headers = "")
    {
        return "HTTP/1.1 " + status + " X\r\nConnection: close\r\nContent-Type: application/json\r\n" + headers + "Content-Length: " +
            Encoding.UTF8.GetByteCount(body) + "\r\n\r\n" + body;
    }

    /// <summary>What Tickrate says at a path that it does not know. A proxy has no code.</summary>
    internal const string NotFound = "{\"code\":1006,\"data\":{}}";

    internal static string Stored(Received request)
    {
        if (request.Path == "/.well-known/tickrate") return Json(404, NotFound);
        return Json(200, "{\"accepted\":" + (request.Body.Split('\n').Length - 1) + ",\"rejected\":[]}");
    }

    private void Accept()
    {
        try
        {
            for (;;)
            {
                TcpClient client = listener.AcceptTcpClient();
                new Thread(() => Serve(client)) { IsBackground = true }.Start();
            }
        }
        catch (SocketException)
        {
            // Stopped while it waited.
        }
        catch (InvalidOperationException)
        {
            // Stopped between two connections; an ObjectDisposedException is one of these.
        }
    }

    private void Serve(TcpClient client)
    {
        try
        {
            NetworkStream stream = client.GetStream();
            Received request = Read(stream);
            lock (received) received.Add(request);
            string text = answer(request);
            if (text == "")
            {
                stream.ReadByte();
                return;
            }
            byte[] bytes = Encoding.UTF8.GetBytes(text ?? "");
            stream.Write(bytes, 0, bytes.Length);
        }
        catch (IOException)
        {
            // The client went away.
        }
        finally
        {
            client.Close();
        }
    }

    private static Received Read(Stream stream)
    {
        var request = new Received();
        int length = 0;
        string line = ReadLine(stream);
        request.Path = line.Split(' ').Length > 1 ? line.Split(' ')[1] : "";
        while ((line = ReadLine(stream)).Length > 0)
        {
            int colon = line.IndexOf(':');
            string name = line.Substring(0, colon).ToLowerInvariant(), value = line.Substring(colon + 1).Trim();
            if (name == "content-length") length = int.Parse(value);
            if (name == "x-api-key") request.Key = value;
            if (name == "idempotency-key") request.IdempotencyKey = value;
            if (name == "traceparent") request.Traceparent = value;
            if (name == "x-tickrate-sdk") request.Sdk = value;
            if (name == "content-encoding") request.Encoding = value;
            if (name == "x-client-time") request.ClientTime = value;
        }
        var body = new byte[length];
        for (int at = 0, count; at < length && (count = stream.Read(body, at, length - at)) > 0;) at += count;
        request.Body = Encoding.UTF8.GetString(request.Encoding == "gzip" ? Unpacked(body) : body);
        return request;
    }

    private static byte[] Unpacked(byte[] packed)
    {
        using (var gzip = new GZipStream(new MemoryStream(packed), CompressionMode.Decompress))
        using (var memory = new MemoryStream())
        {
            gzip.CopyTo(memory);
            return memory.ToArray();
        }
    }

    private static string ReadLine(Stream stream)
    {
        var line = new StringBuilder();
        for (int c; (c = stream.ReadByte()) >= 0 && c != '\n';) if (c != '\r') line.Append((char)c);
        return line.ToString();
    }
}
