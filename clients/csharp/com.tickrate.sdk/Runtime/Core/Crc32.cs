namespace Tickrate
{
    /// <summary>The checksum of zlib.</summary>
    internal static class Crc32
    {
        private static readonly uint[] Table = MakeTable();

        internal static uint Of(byte[] bytes, int from, int count)
        {
            uint crc = 0xffffffff;
            uint[] table = Table;
            for (int i = from, end = from + count; i < end; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
            return ~crc;
        }

        /// <summary>Writes 8 lowercase hex digits.</summary>
        internal static void WriteHex(uint value, byte[] into, int at)
        {
            for (int i = 7; i >= 0; i--, value >>= 4) into[at + i] = (byte)"0123456789abcdef"[(int)(value & 15)];
        }

        private static uint[] MakeTable()
        {
            var table = new uint[256];
            for (uint n = 0; n < 256; n++)
            {
                uint value = n;
                for (int bit = 0; bit < 8; bit++) value = (value & 1) != 0 ? 0xedb88320 ^ value >> 1 : value >> 1;
                table[n] = value;
            }
            return table;
        }
    }
}
