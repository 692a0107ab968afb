using System.IO;

namespace Tickrate
{
    /// <summary>A segment that still grows: a file, or memory where there is no folder.</summary>
    internal sealed class OpenSegment
    {
        /// <summary>Null: in memory.</summary>
        internal Run Run;
        internal FileStream File;
        internal MemoryStream Memory;
        internal string Stem;
        internal string Key;
        internal string Principal = "";
        internal ClockBase Clock;
        internal int Used;
        internal int HeaderBytes;
        internal int Events;
        /// <summary>A write failed and its beginning could not be removed: only `Used` bytes count.</summary>
        internal bool IsBroken;

        internal string Path { get { return System.IO.Path.Combine(Run.Path, Stem + ".open"); } }

        internal void Append(byte[] bytes, int count)
        {
            if (File != null) File.Write(bytes, 0, count); else Memory.Write(bytes, 0, count);
            Used += count;
        }

        /// <summary>Removes what a failed write left behind.</summary>
        internal void CutBack()
        {
            IsBroken = !Files.Try(() =>
            {
                Stream stream = File != null ? (Stream)File : Memory;
                stream.SetLength(Used);
                stream.Position = Used;
            });
        }
    }
}
