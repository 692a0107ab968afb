using System;
using Tickrate;

internal static class FirstEvent
{
    private static int Main(string[] arguments)
    {
        if (arguments.Length != 2)
        {
            Console.Error.WriteLine("Usage: first-event ADDRESS KEY");
            return 2;
        }
        var options = new Options
        {
            Url = arguments[0],
            Key = arguments[1],
            Folder = "tickrate",
            Consent = Consent.Granted,
            Debug = Console.Error.WriteLine,
        };
        TickrateClient client = TickrateClient.Open(options);
        client.TrackJson("level_up", 1, "{\"level\":7}");
        bool sent = client.Flush(5000);
        client.Close();
        Console.WriteLine(sent ? "The event is stored." : "The event is kept in the folder tickrate/, and is sent at the next start.");
        return 0;
    }
}
