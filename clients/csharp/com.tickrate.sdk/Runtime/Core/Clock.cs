using System;
using System.Diagnostics;

namespace Tickrate
{
    /// <summary>What the two clocks show at one moment.</summary>
    internal struct Now
    {
        internal long WallMs;
        internal long MonotonicMs;
    }

    /// <summary>The wall clock of a segment's begin, and what the monotonic clock showed then.</summary>
    internal struct ClockBase
    {
        private const long Jump = 2000;
        internal long BaseMs;
        internal long MonotonicMs;

        internal long At(long monotonicMs) { return BaseMs + (monotonicMs - MonotonicMs); }

        internal bool Jumped(Now now)
        {
            long difference = now.WallMs - At(now.MonotonicMs);
            return difference > Jump || difference < -Jump;
        }
    }

    internal sealed class Clock
    {
        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        /// <summary>Moves the wall clock, for tests.</summary>
        internal long OffsetMs;

        internal Now Now
        {
            get { return new Now { WallMs = WallMs + System.Threading.Interlocked.Read(ref OffsetMs), MonotonicMs = MonotonicMs }; }
        }
        internal static long MonotonicMs { get { return Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1000); } }
        private static long WallMs { get { return (DateTime.UtcNow.Ticks - Epoch.Ticks) / TimeSpan.TicksPerMillisecond; } }

        /// <summary>Writes 24 characters: 2025-11-22T11:00:01.250Z. Years before 1 and after 9999 become those.</summary>
        internal static void WriteTime(long ms, byte[] into, int at)
        {
            const long earliest = -62135596800000, latest = 253402300799999;
            long bounded = Math.Max(earliest, Math.Min(latest, ms));
            DateTime time = new DateTime(Epoch.Ticks + bounded * TimeSpan.TicksPerMillisecond, DateTimeKind.Utc);
            Digits(time.Year, 4, into, at);
            into[at + 4] = into[at + 7] = (byte)'-';
            Digits(time.Month, 2, into, at + 5);
            Digits(time.Day, 2, into, at + 8);
            into[at + 10] = (byte)'T';
            Digits(time.Hour, 2, into, at + 11);
            into[at + 13] = into[at + 16] = (byte)':';
            Digits(time.Minute, 2, into, at + 14);
            Digits(time.Second, 2, into, at + 17);
            into[at + 19] = (byte)'.';
            Digits(time.Millisecond, 3, into, at + 20);
            into[at + 23] = (byte)'Z';
        }

        private static void Digits(int value, int count, byte[] into, int at)
        {
            for (int i = count - 1; i >= 0; i--, value /= 10) into[at + i] = (byte)('0' + value % 10);
        }
    }
}
