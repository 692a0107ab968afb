using System;
using System.Globalization;

namespace Tickrate
{
    /// <summary>Something that writes itself as one JSON value.</summary>
    public interface IWritable
    {
        void Write(JsonWriter json);
    }

    /// <summary>An event. `tickrate event-types code NAME --language unity` writes structs of this kind.</summary>
    public interface IEvent : IWritable
    {
        string EventType { get; }
        int EventTypeVersion { get; }
    }

    /// <summary>Writes JSON as UTF-8 into one array that is used again for each event, so that events make no garbage.</summary>
    public sealed class JsonWriter
    {
        /// <summary>What JsonReader reads can be written.</summary>
        private const int MaxDepth = 65;
        private const double MostExact = 9007199254740992.0;
        private byte[] bytes;
        private readonly bool[] isObject = new bool[MaxDepth];
        private readonly bool[] isFilled = new bool[MaxDepth];
        private readonly int limit;
        private int depth;
        private int size;
        private int start;
        private bool named;

        /// <summary>With room for a line feed behind the JSON.</summary>
        internal JsonWriter(int limit) : this(limit, limit + 1) { }

        private JsonWriter(int limit, int room)
        {
            this.limit = limit;
            bytes = new byte[room];
        }

        /// <summary>The JSON of something that writes itself; null if it makes no JSON, or more than 64 KiB.</summary>
        public static string ToText<T>(T content) where T : IWritable
        {
            return ToText(content.Write, SegmentContents.MaxEventBytes);
        }

        internal static string ToText(Action<JsonWriter> write, int limit)
        {
            var writer = new JsonWriter(limit, 256);
            return Files.Try(() => write(writer)) && writer.Complete ? System.Text.Encoding.UTF8.GetString(writer.bytes, 0, writer.size) : null;
        }

        internal byte[] Bytes { get { return bytes; } }
        internal int Size { get { return size; } }
        internal bool Overflowed { get; private set; }
        /// <summary>Something that JSON has no form for, or values in an order that makes no JSON.</summary>
        internal bool Invalid { get; private set; }
        internal bool Complete { get { return !Overflowed && !Invalid && depth == 0 && !named && size > start; } }

        /// <summary>Begins again at a place of the array.</summary>
        internal void Reset(int at)
        {
            size = start = at;
            depth = 0;
            named = Overflowed = Invalid = false;
        }

        public void BeginObject() { Open((byte)'{', true); }
        public void EndObject() { Close((byte)'}', true); }
        public void BeginArray() { Open((byte)'[', false); }
        public void EndArray() { Close((byte)']', false); }

        public void Name(string name)
        {
            if (depth == 0 || !isObject[depth - 1] || named || name == null) { Invalid = true; return; }
            if (isFilled[depth - 1]) Put((byte)',');
            isFilled[depth - 1] = true;
            Text(name);
            Put((byte)':');
            named = true;
        }

        public void Null() { if (Begin()) Raw("null"); }
        public void Value(bool value) { if (Begin()) Raw(value ? "true" : "false"); }
        public void Value(int value) { if (Begin()) Integer(value); }
        public void Value(long value) { if (Begin()) Integer(value); }
        public void Value(ulong value) { if (Begin()) Digits(value); }

        public void Value(string value)
        {
            if (!Begin()) return;
            if (value == null) Raw("null"); else Text(value);
        }

        public void Value(double value)
        {
            if (!Begin()) return;
            if (double.IsNaN(value) || double.IsInfinity(value)) { Invalid = true; return; }
            if (!WriteExactly(value)) WriteShortest(value);
        }

        /// <summary>JSON that is known to be good.</summary>
        internal void Json(string json)
        {
            if (!Begin()) return;
            for (int i = 0; i < json.Length; i++)
            {
                if (json[i] == '\n' || json[i] == '\r') Put((byte)' ');
                else i += Character(json, i);
            }
        }

        internal void Ascii(byte[] text, int count)
        {
            if (!Begin()) return;
            for (int i = 0; i < count; i++) Put(text[i]);
        }

        private void Open(byte mark, bool asObject)
        {
            if (!Begin()) return;
            if (depth == MaxDepth) { Invalid = true; return; }
            isObject[depth] = asObject;
            isFilled[depth] = false;
            depth++;
            Put(mark);
        }

        private void Close(byte mark, bool asObject)
        {
            if (depth == 0 || isObject[depth - 1] != asObject || named) { Invalid = true; return; }
            depth--;
            Put(mark);
        }

        private bool Begin()
        {
            if (Invalid) return false;
            if (depth == 0)
            {
                Invalid = size > start;
                return !Invalid;
            }
            if (isObject[depth - 1])
            {
                Invalid = !named;
                named = false;
                return !Invalid;
            }
            if (isFilled[depth - 1]) Put((byte)',');
            isFilled[depth - 1] = true;
            return true;
        }

        private void Put(byte value)
        {
            if (size >= limit) { Overflowed = true; return; }
            if (size == bytes.Length) Array.Resize(ref bytes, (int)Math.Min(limit, 2L * size));
            bytes[size++] = value;
        }

        private void Raw(string ascii)
        {
            for (int i = 0; i < ascii.Length; i++) Put((byte)ascii[i]);
        }

        private void Integer(long value)
        {
            if (value < 0) Put((byte)'-');
            Digits(value < 0 ? (ulong)-(value + 1) + 1 : (ulong)value);
        }

        private void Digits(ulong value)
        {
            ulong power = 1;
            while (value / power >= 10) power *= 10;
            for (; power > 0; power /= 10) Put((byte)('0' + value / power % 10));
        }

        /// <summary>Numbers with at most six digits behind the point make no garbage.</summary>
        private bool WriteExactly(double value)
        {
            double positive = Math.Abs(value);
            double scale = 1;
            for (int digits = 0; digits <= 6; digits++, scale *= 10)
            {
                double scaled = Math.Round(positive * scale);
                if (scaled >= MostExact) return false;
                if (scaled / scale != positive) continue;
                if (value < 0) Put((byte)'-');
                ulong whole = (ulong)scaled, unit = (ulong)scale;
                Digits(whole / unit);
                if (digits == 0) return true;
                Put((byte)'.');
                for (ulong rest = whole % unit; unit > 1; rest %= unit)
                {
                    unit /= 10;
                    Put((byte)('0' + rest / unit));
                }
                return true;
            }
            return false;
        }

        private void WriteShortest(double value)
        {
            string text = value.ToString("R", CultureInfo.InvariantCulture);
            if (double.Parse(text, CultureInfo.InvariantCulture) != value) text = value.ToString("G17", CultureInfo.InvariantCulture);
            Raw(text);
        }

        private void Text(string text)
        {
            Put((byte)'"');
            for (int i = 0; i < text.Length && !Overflowed; i++)
            {
                char c = text[i];
                if (c >= ' ' && c < 0x80 && c != '"' && c != '\\') Put((byte)c);
                else if (c < 0x80) Escaped(c);
                else i += Character(text, i);
            }
            Put((byte)'"');
        }

        private void Escaped(char c)
        {
            Put((byte)'\\');
            switch (c)
            {
                case '"': case '\\': Put((byte)c); return;
                case '\b': Put((byte)'b'); return;
                case '\f': Put((byte)'f'); return;
                case '\n': Put((byte)'n'); return;
                case '\r': Put((byte)'r'); return;
                case '\t': Put((byte)'t'); return;
            }
            if (c == 0x7f) { size--; Put((byte)c); return; }
            Raw("u00");
            Put((byte)(c < 16 ? '0' : '1'));
            Put((byte)"0123456789abcdef"[c & 15]);
        }

        /// <summary>Writes one character as UTF-8. Returns how many more chars it took. Half a pair becomes U+FFFD.</summary>
        private int Character(string text, int at)
        {
            int code = text[at];
            int more = 0;
            if (char.IsHighSurrogate(text[at]) && at + 1 < text.Length && char.IsLowSurrogate(text[at + 1]))
            {
                code = char.ConvertToUtf32(text[at], text[at + 1]);
                more = 1;
            }
            else if (char.IsSurrogate(text[at]))
            {
                code = 0xfffd;
            }
            if (code < 0x80) { Put((byte)code); return more; }
            if (code < 0x800) Put((byte)(0xc0 | code >> 6));
            else if (code < 0x10000) Put((byte)(0xe0 | code >> 12));
            else Put((byte)(0xf0 | code >> 18));
            if (code >= 0x10000) Put((byte)(0x80 | code >> 12 & 63));
            if (code >= 0x800) Put((byte)(0x80 | code >> 6 & 63));
            Put((byte)(0x80 | code & 63));
            return more;
        }
    }
}
