#if UNITY_WEBGL && !UNITY_EDITOR
using System.Runtime.InteropServices;

namespace Tickrate.Unity
{
    /// <summary>The TypeScript SDK of the page, through Tickrate.jslib.</summary>
    internal static class WebBridge
    {
        [DllImport("__Internal")] private static extern int TickrateOpen(string url, string key, string sessionsUrl, string account, string consent, int debug);
        [DllImport("__Internal")] private static extern int TickrateTrack(string eventType, int version, string json);
        [DllImport("__Internal")] private static extern void TickrateSetConsent(string consent);
        [DllImport("__Internal")] private static extern int TickratePending();

        internal static long Pending { get { return TickratePending(); } }

        internal static void Open(Options options)
        {
            string account = options.Principal == Principal.Key ? "key" : "device";
            int debug = UnityEngine.Debug.isDebugBuild ? 1 : 0;
            if (TickrateOpen(options.Url, options.Key, options.SessionsUrl, account, Name(options.Consent), debug) == 0)
                UnityEngine.Debug.LogWarning("tickrate: The page does not load tickrate.iife.js before the game; see the README of com.tickrate.sdk.");
        }

        internal static bool Track(string eventType, int version, string json)
        {
            return json != null && TickrateTrack(eventType, version, json) != 0;
        }

        internal static void SetConsent(Consent consent) { TickrateSetConsent(Name(consent)); }

        private static string Name(Consent consent) { return consent.ToString().ToLowerInvariant(); }
    }
}
#endif
