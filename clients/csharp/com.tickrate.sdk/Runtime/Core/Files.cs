using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace Tickrate
{
    /// <summary>Files, with answers in place of exceptions.</summary>
    internal static class Files
    {
        private const int MaxReadBytes = 1024 * 1024;
        private static readonly RandomNumberGenerator Random = RandomNumberGenerator.Create();

        internal static string RandomHex(int digits)
        {
            var bytes = new byte[(digits + 1) / 2];
            lock (Random) Random.GetBytes(bytes);
            var text = new StringBuilder();
            foreach (byte value in bytes) text.Append(value.ToString("x2"));
            return text.ToString(0, digits);
        }

        /// <summary>From 0 to below 1.</summary>
        internal static double RandomFraction()
        {
            var bytes = new byte[4];
            lock (Random) Random.GetBytes(bytes);
            return BitConverter.ToUInt32(bytes, 0) / 4294967296.0;
        }

        /// <summary>Runs `act`. False if the system refused it.</summary>
        internal static bool Try(Action act)
        {
            Exception fault;
            return Try(act, out fault);
        }

        internal static bool Try(Action act, out Exception fault)
        {
            fault = null;
            try
            {
                act();
                return true;
            }
            catch (Exception caught)
            {
                // The system's reasons differ by platform; none of them may reach the game.
                fault = caught;
                return false;
            }
        }

        /// <summary>At most 1 MiB, more than any file of the buffer has. Null if it cannot be read.</summary>
        internal static byte[] Read(string path)
        {
            byte[] bytes = null;
            Try(() =>
            {
                // A pipe in place of a file has no length, and would hold the game.
                var found = new byte[(int)Math.Min(MaxReadBytes, new FileInfo(path).Length)];
                int size = 0;
                if (found.Length > 0)
                    using (var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete))
                        for (int count; size < found.Length && (count = file.Read(found, size, found.Length - size)) > 0;) size += count;
                System.Array.Resize(ref found, size);
                bytes = found;
            });
            return bytes;
        }

        /// <summary>False for a folder, and for a link to nothing.</summary>
        internal static bool IsFile(string path)
        {
            bool isFile = false;
            Try(() => isFile = (File.GetAttributes(path) & (FileAttributes.Directory | FileAttributes.ReparsePoint)) == 0);
            return isFile;
        }

        internal static string[] Names(string folder, bool folders)
        {
            var names = new string[0];
            Try(() => names = folders ? Directory.GetDirectories(folder) : Directory.GetFiles(folder));
            for (int i = 0; i < names.Length; i++) names[i] = Path.GetFileName(names[i]);
            Array.Sort(names, StringComparer.Ordinal);
            return names;
        }

        internal static bool Delete(string path) { return Try(() => File.Delete(path)); }

        /// <summary>
        /// Makes an empty file that only its owner can read. .NET Standard has no call for that, but where the system has modes,
        /// a temporary file is such a file, and a copy keeps the mode.
        /// </summary>
        internal static void MakePrivate(string path)
        {
            if (Path.DirectorySeparatorChar != '/') return;
            string temporary = null;
            if (!Try(() => temporary = Path.GetTempFileName())) return;
            if (!Try(() => File.Move(temporary, path))) Delete(temporary);
        }

        /// <summary>A new file with the mode of `empty`, or with that of the system where there is no such file.</summary>
        internal static FileStream Create(string path, string empty)
        {
            bool isCopied = File.Exists(empty) && !Directory.Exists(path) && Try(() => File.Copy(empty, path));
            FileMode mode = isCopied ? FileMode.Open : FileMode.CreateNew;
            return new FileStream(path, mode, FileAccess.ReadWrite, FileShare.Read | FileShare.Delete, 1);
        }

        /// <summary>
        /// Writes `beside`, a file that no other process writes, with the mode of `empty`. Then flushes and renames: the file is the
        /// old one or the new one, whatever happens.
        /// </summary>
        internal static bool Replace(string path, byte[] bytes, string beside, string empty)
        {
            bool done = Try(() =>
            {
                Delete(beside);
                using (FileStream file = Create(beside, empty))
                {
                    file.Write(bytes, 0, bytes.Length);
                    file.Flush(true);
                }
                if (File.Exists(path)) File.Replace(beside, path, null); else File.Move(beside, path);
            });
            if (!done) Delete(beside);
            return done;
        }

        /// <summary>Cuts a file, flushes it, and renames it. Needs no space on the disk.</summary>
        internal static bool CutInto(string path, int length, string to)
        {
            return Try(() =>
            {
                using (var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None))
                {
                    if (file.Length != length) file.SetLength(length);
                    file.Flush(true);
                }
                if (path != to) File.Move(path, to);
            });
        }

        internal static bool IsDiskFull(Exception fault)
        {
            int code = fault is IOException ? System.Runtime.InteropServices.Marshal.GetHRForException(fault) & 0xffff : 0;
            return code == 112 || code == 39 || code == 28;
        }
    }
}
