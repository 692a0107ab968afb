using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Tickrate
{
    /// <summary>Reads JSON of strangers: never throws, and never goes deeper than 64.</summary>
    internal sealed class JsonReader
    {
        private const int MaxDepth = 64;
        private readonly string text;
        private int at;

        internal JsonReader(string text) { this.text = text; }

        internal Json Read()
        {
            Json value = ReadValue(0);
            SkipSpace();
            return value != null && at == text.Length ? value : null;
        }

        private Json ReadValue(int depth)
        {
            SkipSpace();
            if (at >= text.Length || depth > MaxDepth) return null;
            switch (text[at])
            {
                case '{': return ReadObject(depth);
                case '[': return ReadArray(depth);
                case '"': string read = ReadText(); return read == null ? null : Json.Of(read);
                case 't': return Take("true") ? Json.Of(true) : null;
                case 'f': return Take("false") ? Json.Of(false) : null;
                case 'n': return Take("null") ? Json.Null : null;
                default: return ReadNumber();
            }
        }

        private Json ReadObject(int depth)
        {
            Json value = Json.Object();
            at++;
            if (TakeMark('}')) return value;
            do
            {
                SkipSpace();
                if (at >= text.Length || text[at] != '"') return null;
                string name = ReadText();
                if (name == null || !TakeMark(':')) return null;
                Json member = ReadValue(depth + 1);
                if (member == null) return null;
                value.Members.Add(new KeyValuePair<string, Json>(name, member));
            } while (TakeMark(','));
            return TakeMark('}') ? value : null;
        }

        private Json ReadArray(int depth)
        {
            var elements = new List<Json>();
            at++;
            if (TakeMark(']')) return Json.OfList(elements);
            do
            {
                Json element = ReadValue(depth + 1);
                if (element == null) return null;
                elements.Add(element);
            } while (TakeMark(','));
            return TakeMark(']') ? Json.OfList(elements) : null;
        }

        private string ReadText()
        {
            var read = new StringBuilder();
            for (at++; at < text.Length; at++)
            {
                char c = text[at];
                if (c == '"') { at++; return read.ToString(); }
                if (c < ' ') return null;
                if (c != '\\') { read.Append(c); continue; }
                if (++at >= text.Length) return null;
                int escape = "\"\\/bfnrt".IndexOf(text[at]);
                if (escape >= 0) { read.Append("\"\\/\b\f\n\r\t"[escape]); continue; }
                int code;
                if (text[at] != 'u' || at + 4 >= text.Length) return null;
                if (!int.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code)) return null;
                read.Append((char)code);
                at += 4;
            }
            return null;
        }

        private Json ReadNumber()
        {
            int from = at;
            TakeChar('-');
            if (TakeChar('0')) { if (at < text.Length && IsDigit(text[at])) return null; }
            else if (!TakeDigits()) return null;
            bool whole = true;
            if (TakeChar('.')) { whole = false; if (!TakeDigits()) return null; }
            if (TakeChar('e') || TakeChar('E'))
            {
                whole = false;
                if (!TakeChar('-')) TakeChar('+');
                if (!TakeDigits()) return null;
            }
            string number = text.Substring(from, at - from);
            long integer;
            if (whole && long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out integer)) return Json.Of(integer);
            double real;
            return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out real) ? Json.Of(real) : null;
        }

        private static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

        private bool TakeDigits()
        {
            int from = at;
            while (at < text.Length && IsDigit(text[at])) at++;
            return at > from;
        }

        private bool TakeChar(char c)
        {
            if (at >= text.Length || text[at] != c) return false;
            at++;
            return true;
        }

        private bool TakeMark(char mark)
        {
            SkipSpace();
            return TakeChar(mark);
        }

        private bool Take(string word)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) return false;
            at += word.Length;
            return true;
        }

        private void SkipSpace()
        {
            while (at < text.Length && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) at++;
        }
    }
}
