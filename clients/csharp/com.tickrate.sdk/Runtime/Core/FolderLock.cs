using System;
using System.Collections.Generic;
using System.IO;

namespace Tickrate
{
    /// <summary>
    /// The lock of a run. The system ends it with the process. Where the system has no locks of file ranges, the file is
    /// touched every ten seconds, and is free after sixty.
    /// </summary>
    internal sealed class FolderLock
    {
        private static readonly HashSet<string> HeldHere = new HashSet<string>();
        private readonly string path;
        private FileStream file;
        private bool isTouched;
        private long touchedMs;

        private FolderLock(string path) { this.path = path; }

        /// <summary>Null if another run holds it, or with the fault of the system.</summary>
        internal static FolderLock Take(string folder, out Exception fault)
        {
            fault = null;
            string path = Path.GetFullPath(Path.Combine(folder, "lock"));
            // To open and close a locked file once more would end the lock on some systems.
            lock (HeldHere)
            {
                if (!HeldHere.Add(path)) return null;
                var taken = new FolderLock(path);
                if (Files.Try(taken.Open, out fault)) return taken;
                taken.CloseFile();
                HeldHere.Remove(path);
                return null;
            }
        }

        private void Open()
        {
            bool existed = File.Exists(path);
            DateTime touched = existed ? File.GetLastWriteTimeUtc(path) : DateTime.MinValue;
            file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1);
            try
            {
                file.Lock(0, 1);
            }
            catch (PlatformNotSupportedException)
            {
                isTouched = true;
                if (existed && DateTime.UtcNow - touched < TimeSpan.FromSeconds(60)) throw new IOException("held");
                Touch(0);
            }
        }

        internal void KeepTouched(long monotonicMs)
        {
            if (!isTouched || monotonicMs - touchedMs < 10000) return;
            Files.Try(() => Touch(monotonicMs));
        }

        private void Touch(long monotonicMs)
        {
            touchedMs = monotonicMs;
            file.Position = 0;
            file.WriteByte((byte)'t');
            file.Flush();
        }

        private void CloseFile()
        {
            if (file != null) Files.Try(file.Dispose);
            file = null;
        }

        /// <summary>Deletes the file as well, if the folder goes.</summary>
        internal void Release(bool delete)
        {
            lock (HeldHere)
            {
                if (file == null) return;
                // Deleted while it is held, except where the system refuses that: it may be another process's a moment later.
                bool isDeleted = delete && Files.Delete(path);
                CloseFile();
                if (delete && !isDeleted) Files.Delete(path);
                HeldHere.Remove(path);
            }
        }
    }
}
