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

        /// <summary>Makes the folder and a run in it. Null with the reason if that is not possible.</summary>
        internal static Run Begin(string folder, long wallMs, out System.Exception fault)
        {
            fault = null;
            // Another start may adopt, and then delete, a run that is not locked yet.
            for (int attempt = 0; attempt < 3; attempt++)
            {
                var run = new Run { IsOwn = true, Path = System.IO.Path.Combine(folder, SegmentName.MakeStem(wallMs, 0, Files.RandomHex(8))) };
                if (!Files.Try(() => Directory.CreateDirectory(run.Path), out fault)) return null;
                run.Lock = FolderLock.Take(run.Path, out fault);
                if (run.Lock != null && !run.IsDeleted)
                {
                    Files.MakePrivate(run.Empty);
                    return run;
                }
                if (run.Lock != null) run.Lock.Release(false);
                // Only where there was no space for its lock: a folder that another start has adopted is not empty, or gone.
                Files.Try(() => Directory.Delete(run.Path, false));
            }
            if (fault == null) fault = new IOException("its lock cannot be taken");
            return null;
        }

        /// <summary>A file that only its owner can read. Each file of the run begins as a copy of it.</summary>
        internal string Empty { get { return System.IO.Path.Combine(Path, "empty.new"); } }

        /// <summary>By somebody who cleans up: no other process deletes the lock while it is held.</summary>
        internal bool IsDeleted { get { return !File.Exists(System.IO.Path.Combine(Path, "lock")); } }
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
