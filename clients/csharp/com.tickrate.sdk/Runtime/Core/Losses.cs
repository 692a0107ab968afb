using System;
using System.Collections.Generic;

namespace Tickrate
{
    /// <summary>Why an event is lost. Counted in Losses, and kept over restarts.</summary>
    public enum Loss { BufferFull, TooOld, TooLarge, DiskFull, Storage, Torn, Damaged, Rejected, Refused, Consent, Closed }

    /// <summary>Counted by any thread, reported and saved by the one that sends.</summary>
    internal sealed class LossCounter
    {
        internal static readonly string[] Names =
        {
            "bufferFull", "tooOld", "tooLarge", "diskFull", "storage", "torn", "damaged", "rejected", "refused", "consent", "closed",
        };
        private readonly long[] counts = new long[Names.Length];
        private readonly long[] reported = new long[Names.Length];
        private long[] saved = new long[Names.Length];

        internal void Add(Loss reason, long count = 1)
        {
            lock (counts) counts[(int)reason] += count;
        }

        internal Dictionary<Loss, long> All()
        {
            var all = new Dictionary<Loss, long>();
            lock (counts)
                for (int i = 0; i < counts.Length; i++) if (counts[i] > 0) all[(Loss)i] = counts[i];
            return all;
        }

        /// <summary>Calls report for what came since the last call. Returns whether anything did.</summary>
        internal bool TakeNews(Action<Loss, long> report)
        {
            bool any = false;
            for (int i = 0; i < Names.Length; i++)
            {
                long news;
                lock (counts)
                {
                    news = counts[i] - reported[i];
                    reported[i] = counts[i];
                }
                if (news == 0) continue;
                any = true;
                report((Loss)i, news);
            }
            return any;
        }

        internal long[] Counted() { lock (counts) return (long[])counts.Clone(); }

        /// <summary>The sums of `others`, which other processes may have changed, with what this one counted since its last save.</summary>
        internal Json Sums(Json others, long[] counted)
        {
            Json json = Json.Object();
            for (int i = 0; i < Names.Length; i++)
            {
                long sum = Math.Max(0, others[Names[i]].Integer) + counted[i] - saved[i];
                if (sum > 0) json.With(Names[i], Json.Of(sum));
            }
            return json;
        }

        internal void SetSaved(long[] counted) { saved = counted; }

        /// <summary>Adds the counts of an earlier start, which are not news.</summary>
        internal void Restore(Json json)
        {
            lock (counts)
            {
                for (int i = 0; i < Names.Length; i++)
                {
                    long count = Math.Max(0, json[Names[i]].Integer);
                    counts[i] += count;
                    reported[i] += count;
                    saved[i] += count;
                }
            }
        }
    }
}
