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
}
