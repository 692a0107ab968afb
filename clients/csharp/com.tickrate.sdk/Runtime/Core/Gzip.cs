using System.IO;
using System.IO.Compression;

namespace Tickrate
{
    internal static class Gzip
    {
        private const int MinBytes = 1024;
        /// <summary>The gateway takes a body that shrinks further for a bomb, and may have stored its beginning.</summary>
        private const int MaxShrinking = 100;

        /// <summary>Null if the body is better sent as it is, or if the platform cannot compress.</summary>
        internal static byte[] Pack(byte[] body)
        {
            if (body.Length < MinBytes) return null;
            byte[] packed = null;
            Files.Try(() =>
            {
                using (var memory = new MemoryStream())
                {
                    using (var gzip = new GZipStream(memory, CompressionMode.Compress, true)) gzip.Write(body, 0, body.Length);
                    packed = memory.ToArray();
                }
            });
            bool isWorthIt = packed != null && packed.Length < body.Length && (long)packed.Length * MaxShrinking > body.Length;
            return isWorthIt ? packed : null;
        }
    }
}
