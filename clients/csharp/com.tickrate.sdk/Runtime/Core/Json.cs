using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Tickrate
{
    /// <summary>
    /// A JSON value: what a sign-in is given and what its prompts contain. Absent members are null values, so chains of
    /// members never fail.
    /// </summary>
    public sealed class Json
    {
        public static readonly Json Null = new Json(null);
        private static readonly List<Json> NoElements = new List<Json>();
        private static readonly List<KeyValuePair<string, Json>> NoMembers = new List<KeyValuePair<string, Json>>();
        private readonly object content;

        private Json(object content) { this.content = content; }

        public static Json Of(string text) { return text == null ? Null : new Json(text); }
        public static Json Of(long number) { return new Json(number); }
        public static Json Of(double number) { return new Json(number); }
        public static Json Of(bool value) { return new Json(value); }
        public static Json Array(params Json[] elements) { return new Json(new List<Json>(elements)); }
        public static Json Object() { return new Json(new List<KeyValuePair<string, Json>>()); }
        internal static Json OfList(List<Json> elements) { return new Json(elements); }

        public bool IsNull { get { return content == null; } }
        public bool IsObject { get { return content is List<KeyValuePair<string, Json>>; } }
        public bool IsArray { get { return content is List<Json>; } }
        public bool IsText { get { return content is string; } }
        public bool IsInteger { get { return content is long; } }
        public bool IsTrue { get { return content is bool && (bool)content; } }
        /// <summary>Empty for anything that is no text.</summary>
        public string Text { get { return content as string ?? ""; } }
        public long Integer { get { return content is long ? (long)content : 0; } }
        public double Number { get { return content is long ? (long)content : content is double ? (double)content : 0; } }
        public IList<Json> Elements { get { return content as List<Json> ?? NoElements; } }
        public IList<KeyValuePair<string, Json>> Members { get { return content as List<KeyValuePair<string, Json>> ?? NoMembers; } }

        public bool Has(string name) { return IndexOf(name) >= 0; }
        public Json this[string name]
        {
            get
            {
                int at = IndexOf(name);
                return at < 0 ? Null : Members[at].Value;
            }
        }

        /// <summary>Sets a member, of objects. Returns the object.</summary>
        public Json With(string name, Json value)
        {
            var members = content as List<KeyValuePair<string, Json>>;
            if (members == null) return this;
            int at = IndexOf(name);
            var member = new KeyValuePair<string, Json>(name, value ?? Null);
            if (at < 0) members.Add(member); else members[at] = member;
            return this;
        }
        public Json With(string name, string value) { return With(name, Of(value)); }

        public void Remove(string name)
        {
            int at = IndexOf(name);
            if (at >= 0) Members.RemoveAt(at);
        }

        private int IndexOf(string name)
        {
            IList<KeyValuePair<string, Json>> members = Members;
            for (int i = 0; i < members.Count; i++) if (members[i].Key == name) return i;
            return -1;
        }

        internal Json Copy()
        {
            if (IsArray)
            {
                var elements = new List<Json>();
                foreach (Json element in Elements) elements.Add(element.Copy());
                return new Json(elements);
            }
            if (!IsObject) return this;
            Json copy = Object();
            foreach (KeyValuePair<string, Json> member in Members) copy.With(member.Key, member.Value.Copy());
            return copy;
        }

        /// <summary>True if both mean the same; the order of members does not count.</summary>
        internal bool Same(Json other)
        {
            if (IsObject && other.IsObject)
            {
                if (Members.Count != other.Members.Count) return false;
                foreach (KeyValuePair<string, Json> member in Members)
                    if (!other.Has(member.Key) || !member.Value.Same(other[member.Key])) return false;
                return true;
            }
            if (IsArray && other.IsArray)
            {
                if (Elements.Count != other.Elements.Count) return false;
                for (int i = 0; i < Elements.Count; i++) if (!Elements[i].Same(other.Elements[i])) return false;
                return true;
            }
            return Equals(content, other.content);
        }

        /// <summary>Null (the C# null) if the text is no JSON.</summary>
        public static Json Parse(string text) { return new JsonReader(text ?? "").Read(); }

        /// <summary>The value as JSON. Empty, which no reader takes for JSON, if it cannot be: a number that is not finite, or more than 65 levels.</summary>
        public override string ToString() { return JsonWriter.ToText(Write, int.MaxValue) ?? ""; }

        private void Write(JsonWriter json)
        {
            if (content == null) json.Null();
            else if (content is bool) json.Value((bool)content);
            else if (content is long) json.Value((long)content);
            else if (content is double) json.Value((double)content);
            else if (content is string) json.Value((string)content);
            else if (IsArray)
            {
                json.BeginArray();
                foreach (Json element in Elements) element.Write(json);
                json.EndArray();
            }
            else
            {
                json.BeginObject();
                foreach (KeyValuePair<string, Json> member in Members)
                {
                    json.Name(member.Key);
                    member.Value.Write(json);
                }
                json.EndObject();
            }
        }
    }

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
            return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out real) && !double.IsInfinity(real) ? Json.Of(real) : null;
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
