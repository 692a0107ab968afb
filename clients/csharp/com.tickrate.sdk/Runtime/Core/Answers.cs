using System;

namespace Tickrate
{
    internal enum Act { Delete, Retry, Wait, Pause, Split, SignIn, Stop, SetAside }

    /// <summary>What a client does on an answer: the table of docs/clients.md.</summary>
    internal sealed class Verdict
    {
        internal Act Act = Act.Retry;
        internal long Code;
        internal double WaitSeconds;
        /// <summary>Events of the segment that the server rejected, of Delete.</summary>
        internal long Rejected;
        internal Json Body = Json.Null;

        internal static Verdict Of(Response response)
        {
            var verdict = new Verdict { Body = Json.Parse(response.Body) ?? Json.Null };
            Json data = verdict.Body["data"];
            if (data.IsObject && verdict.Body["code"].IsInteger) verdict.Code = verdict.Body["code"].Integer;
            verdict.Act = verdict.Judge(response, data);
            return verdict;
        }

        private Act Judge(Response response, Json data)
        {
            int status = response.Status;
            if (status == 200) return JudgeStored();
            WaitSeconds = Bounded(data["retryAfterSeconds"].Number);
            if (status == 503 && Code == 6001) return Act.Wait;
            if (status == 429 && Code == 6002) return Act.Wait;
            if (status == 429 && Code == 8009) return Act.Pause;
            if (status == 429)
            {
                WaitSeconds = Bounded(response.RetryAfterSeconds);
                return response.RetryAfterSeconds >= 0 ? Act.Wait : Act.Retry;
            }
            // A proxy's answer says nothing about this request or earlier attempts: one may be stored.
            if (Code == 0) return Act.Retry;
            if (status == 413) return Act.Split;
            if (status == 401 && Code == 2004) return Act.SignIn;
            if (status == 401 || status == 403) return Act.Stop;
            return status >= 400 && status < 500 && status != 408 ? Act.SetAside : Act.Retry;
        }

        /// <summary>The same request would be refused again.</summary>
        internal static bool IsFinal(int status) { return status >= 400 && status < 500 && status != 408 && status != 429; }

        private Act JudgeStored()
        {
            if (!Body["accepted"].IsInteger) return Act.Retry;
            Json inAll = Body["rejectedInAll"];
            Rejected = inAll.IsInteger ? Math.Max(0, inAll.Integer) : Body["rejected"].Elements.Count;
            return Act.Delete;
        }

        internal static double Bounded(double seconds)
        {
            const double most = 31.0 * 24 * 3600;
            return seconds > 0 && !double.IsInfinity(seconds) ? Math.Min(seconds, most) : 0;
        }

        /// <summary>Full jitter: attempt 0 waits up to `from`, each further one up to twice as long.</summary>
        internal static long Backoff(int attempt, double random, Tuning tuning)
        {
            return (long)Math.Floor(random * Math.Min(tuning.BackoffToMs, tuning.BackoffFromMs * Math.Pow(2, Math.Min(attempt, 40))));
        }

        /// <summary>How long to wait before the next request, of the acts that wait.</summary>
        internal long Delay(int attempt, double random, Tuning tuning)
        {
            long asked = (long)(WaitSeconds * 1000);
            if (Act == Act.Pause) return asked + (long)Math.Floor(random * 3600000);
            if (Act == Act.Wait) return asked + Backoff(0, random, tuning);
            return Backoff(attempt, random, tuning);
        }
    }
}
