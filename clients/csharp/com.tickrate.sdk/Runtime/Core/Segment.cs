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

    /// <summary>A segment: one that still grows, or a sealed one that waits to be sent. Without a run, it is in memory only.</summary>
    internal sealed class Segment
    {
        internal Run Run;
        internal string Stem;
        internal string Key;
        internal string Principal = "";
        internal ClockBase Clock;
        /// <summary>Recorded by this start: its age and its X-Client-Time go by the monotonic clock.</summary>
        internal bool IsOfThisStart;
        internal int Events;
        internal int HeaderBytes;
        internal int Bytes;
        internal MemoryStream Memory;
        /// <summary>Of one that grows.</summary>
        internal FileStream File;
        /// <summary>A write failed and its beginning could not be removed: only the first `Bytes` of the file count.</summary>
        internal bool IsBroken;

        internal string OpenPath { get { return Path.Combine(Run.Path, Stem + ".open"); } }
        internal string SealedPath { get { return Path.Combine(Run.Path, Stem + ".seal"); } }

        internal void Append(byte[] bytes, int count)
        {
            if (File != null) File.Write(bytes, 0, count); else Memory.Write(bytes, 0, count);
            Bytes += count;
        }

        /// <summary>Removes what a failed write left behind.</summary>
        internal void CutBack()
        {
            IsBroken = !Files.Try(() =>
            {
                Stream stream = File != null ? (Stream)File : Memory;
                stream.SetLength(Bytes);
                stream.Position = Bytes;
            });
        }

        /// <summary>Of a sealed one. Null if the file cannot be read any more.</summary>
        internal byte[] Read()
        {
            byte[] bytes = Run == null ? Memory.ToArray() : Files.Read(SealedPath);
            return bytes != null && bytes.Length >= Bytes ? bytes : null;
        }

        internal long AgeMs(Now now)
        {
            const long year2020 = 1577836800000;
            if (IsOfThisStart) return now.MonotonicMs - Clock.MonotonicMs;
            return Clock.BaseMs < year2020 ? 0 : now.WallMs - Clock.BaseMs;
        }

        internal Segment Copy() { return (Segment)MemberwiseClone(); }
    }
}
