using System.Globalization;

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
        internal int Number;
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
            return new SegmentName
            {
                Stem = stem,
                Key = stem.Substring(KeyAt),
                TimeMs = long.Parse(stem.Substring(0, 12), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
                Number = int.Parse(stem.Substring(12, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture),
                IsSealed = isSealed,
            };
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
}
