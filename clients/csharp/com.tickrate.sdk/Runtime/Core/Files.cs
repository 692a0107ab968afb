using System;
using System.IO;
using System.Security.Cryptography;
using System.Text;

namespace Tickrate
{
    /// <summary>Files, with answers in place of exceptions.</summary>
    internal static class Files
    {
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

        /// <summary>Null if it cannot be read.</summary>
        internal static byte[] Read(string path)
        {
            byte[] bytes = null;
            Try(() => bytes = File.ReadAllBytes(path));
            return bytes;
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

        /// <summary>Writes beside the file, flushes, and renames: the file is the old one or the new one, whatever happens.</summary>
        internal static bool Replace(string path, byte[] bytes) { return Replace(path, bytes, path + ".new"); }

        /// <summary>The same by way of a file that no other process writes.</summary>
        internal static bool Replace(string path, byte[] bytes, string beside)
        {
            bool done = Try(() =>
            {
                using (var file = new FileStream(beside, FileMode.Create, FileAccess.Write, FileShare.None))
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
