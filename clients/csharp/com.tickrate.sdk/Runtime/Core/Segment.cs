using System.IO;

namespace Tickrate
{
    /// <summary>A folder of segments whose lock this process holds: its own run, or one that it adopted.</summary>
    internal sealed class Run
    {
        internal string Path;
        internal FolderLock Lock;
        internal int Segments;
        internal bool IsOwn;
    }

    /// <summary>A sealed segment that waits to be sent. Without a run, its contents are in memory only.</summary>
    internal sealed class Segment
    {
        internal Run Run;
        internal string Stem;
        internal string Key;
        internal string Principal;
        internal long TimeMs;
        internal ClockBase Clock;
        /// <summary>Recorded by this start: its age and its X-Client-Time go by the monotonic clock.</summary>
        internal bool IsOfThisStart;
        internal int Events;
        internal int HeaderBytes;
        internal int Bytes;
        internal byte[] Memory;

        internal string File { get { return Path.Combine(Run.Path, Stem + ".seal"); } }

        /// <summary>Null if the file cannot be read any more.</summary>
        internal byte[] Read()
        {
            byte[] bytes = Run == null ? Memory : Files.Read(File);
            return bytes != null && bytes.Length >= Bytes ? bytes : null;
        }

        internal long AgeMs(Now now)
        {
            const long year2020 = 1577836800000;
            if (IsOfThisStart) return now.MonotonicMs - Clock.MonotonicMs;
            return TimeMs < year2020 ? 0 : now.WallMs - TimeMs;
        }
    }
}
