using System.Globalization;
using System.Text;

namespace Tickrate
{
    /// <summary>The parts of `TIMEn-KEY.open` and `….seal`.</summary>
    internal sealed class SegmentName
    {
        private const int KeyAt = 17, KeySize = 32;
        /// <summary>The name without its end: time, number and key.</summary>
        internal string Stem;
        internal string Key;
        internal long TimeMs;
        internal bool IsSealed;

        /// <summary>Null for a file that is no segment.</summary>
        internal static SegmentName Parse(string file)
        {
            bool isSealed = file.EndsWith(".seal", System.StringComparison.Ordinal);
            if (!isSealed && !file.EndsWith(".open", System.StringComparison.Ordinal)) return null;
            string stem = file.Substring(0, file.Length - 5);
            if (stem.Length < KeyAt + KeySize || stem[16] != '-') return null;
            if (!IsHex(stem, 0, 16) || !IsHex(stem, KeyAt, KeySize)) return null;
            string splits = stem.Substring(KeyAt + KeySize);
            if (splits.Length % 2 != 0) return null;
            for (int i = 0; i < splits.Length; i += 2)
                if (splits[i] != '.' || (splits[i + 1] != '0' && splits[i + 1] != '1')) return null;
            long timeMs = long.Parse(stem.Substring(0, 12), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
            return new SegmentName { Stem = stem, Key = stem.Substring(KeyAt), TimeMs = timeMs, IsSealed = isSealed };
        }

        internal static bool IsHex(string text, int from, int count)
        {
            for (int i = from; i < from + count; i++)
                if (!(text[i] >= '0' && text[i] <= '9') && !(text[i] >= 'a' && text[i] <= 'f')) return false;
            return true;
        }

        internal static string MakeStem(long timeMs, int number, string key)
        {
            return (timeMs & 0xffffffffffff).ToString("x12", CultureInfo.InvariantCulture) +
                (number & 0xffff).ToString("x4", CultureInfo.InvariantCulture) + "-" + key;
        }
    }

    internal enum Found { Send, Aside, Leave, Delete }

    /// <summary>The format of a segment, and what recovery makes of a file.</summary>
    internal sealed class SegmentContents
    {
        internal const int LineOverhead = 10;
        internal const int MaxBytes = 256 * 1024;
        internal const int MaxEvents = 1000;
        internal const int MaxEventBytes = 64 * 1024;
        private static readonly UTF8Encoding Utf8 = new UTF8Encoding(false);

        internal Found Found = Found.Delete;
        internal string Principal = "";
        internal long BaseMs;
        internal int HeaderBytes;
        internal int GoodBytes;
        internal int Events;
        internal int Torn;
        internal int Damaged;

        /// <summary>Reads lines up to the first bad one.</summary>
        internal static SegmentContents Read(byte[] file, bool isSealed)
        {
            var contents = new SegmentContents();
            int end = LineEnd(file, 0);
            if (end < 0)
            {
                if (System.Array.IndexOf(file, (byte)'\n') >= 0) return contents.SetAside(file);
                contents.CountRest(file, isSealed);
                return contents;
            }
            Json header = Json.Parse(Utf8.GetString(file, 9, end - 10)) ?? Json.Null;
            long version = header["tickrate"].Integer;
            if (version > 1)
            {
                contents.Found = Found.Leave;
                return contents;
            }
            if (version != 1 || !header["principal"].IsText || !header["base"].IsInteger) return contents.SetAside(file);
            contents.Principal = header["principal"].Text;
            contents.BaseMs = header["base"].Integer;
            contents.HeaderBytes = contents.GoodBytes = end;
            contents.ReadEvents(file, isSealed);
            return contents;
        }

        private void ReadEvents(byte[] file, bool isSealed)
        {
            for (int end; (end = LineEnd(file, GoodBytes)) >= 0; GoodBytes = end)
            {
                if (file[GoodBytes + 9] != '{') break;
                Json json = Json.Parse(Utf8.GetString(file, GoodBytes + 9, end - GoodBytes - 10));
                if (json == null || !json.IsObject) break;
                Events++;
            }
            CountRest(file, isSealed);
            Found = Events > 0 ? Found.Send : Found.Delete;
        }

        /// <summary>The event lines without their checksums: the body of the request.</summary>
        internal static byte[] Body(byte[] file, int headerBytes, int goodBytes, int events)
        {
            var body = new byte[goodBytes - headerBytes - 9 * events];
            int at = 0;
            for (int from = headerBytes; from < goodBytes;)
            {
                int end = System.Array.IndexOf(file, (byte)'\n', from) + 1;
                System.Buffer.BlockCopy(file, from + 9, body, at, end - from - 9);
                at += end - from - 9;
                from = end;
            }
            return body;
        }

        internal static byte[] Header(string principal, long baseMs)
        {
            byte[] json = Utf8.GetBytes(Json.Object().With("tickrate", Json.Of(1)).With("principal", principal).With("base", Json.Of(baseMs)).ToString());
            var line = new byte[json.Length + LineOverhead];
            System.Buffer.BlockCopy(json, 0, line, 9, json.Length);
            Complete(line, json.Length);
            return line;
        }

        /// <summary>Writes the checksum and the line feed around JSON that begins at the tenth byte.</summary>
        internal static void Complete(byte[] line, int jsonBytes)
        {
            Crc32.WriteHex(Crc32.Of(line, 9, jsonBytes), line, 0);
            line[8] = (byte)' ';
            line[9 + jsonBytes] = (byte)'\n';
        }

        /// <summary>The contents of KEY.0 and KEY.1 of a segment that is too large for the server.</summary>
        internal static byte[][] Split(byte[] file, int headerBytes, int goodBytes, int events)
        {
            int middle = headerBytes;
            for (int i = 0; i < (events + 1) / 2; i++) middle = System.Array.IndexOf(file, (byte)'\n', middle) + 1;
            var first = new byte[middle];
            var second = new byte[headerBytes + goodBytes - middle];
            System.Buffer.BlockCopy(file, 0, first, 0, middle);
            System.Buffer.BlockCopy(file, 0, second, 0, headerBytes);
            System.Buffer.BlockCopy(file, middle, second, headerBytes, goodBytes - middle);
            return new[] { first, second };
        }

        private void CountRest(byte[] file, bool isSealed)
        {
            // A sealed file ends with its last event, and has one.
            if (isSealed && (GoodBytes < file.Length || Events == 0)) Damaged = System.Math.Max(1, CountLines(file, GoodBytes));
            if (!isSealed && !OnlyZeros(file, GoodBytes)) Torn = 1;
        }

        private SegmentContents SetAside(byte[] file)
        {
            Found = Found.Aside;
            Damaged = CountLines(file, 0);
            return this;
        }

        /// <summary>The end of a good line, or -1.</summary>
        private static int LineEnd(byte[] file, int from)
        {
            int feed = from < file.Length ? System.Array.IndexOf(file, (byte)'\n', from) : -1;
            if (feed - from < 10 || file[from + 8] != ' ') return -1;
            var checksum = new byte[8];
            Crc32.WriteHex(Crc32.Of(file, from + 9, feed - from - 9), checksum, 0);
            for (int i = 0; i < 8; i++) if (checksum[i] != file[from + i]) return -1;
            return feed + 1;
        }

        private static bool OnlyZeros(byte[] file, int from)
        {
            for (int i = from; i < file.Length; i++) if (file[i] != 0) return false;
            return true;
        }

        private static int CountLines(byte[] file, int from)
        {
            int end = file.Length;
            while (end > from && file[end - 1] == 0) end--;
            int lines = 0;
            for (int i = from; i < end; i++) if (file[i] == '\n') lines++;
            return lines + (end > from && file[end - 1] != '\n' ? 1 : 0);
        }
    }
}
