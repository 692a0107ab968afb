using System;
using System.Collections.Generic;
using System.IO;
using UnityEngine;
using UnityEngine.LowLevel;

namespace Tickrate.Unity
{
    /// <summary>
    /// Tickrate in a game: opened once, without a scene object. Callbacks run on the main thread, once per frame. In web
    /// builds, the TypeScript SDK of the page keeps and sends the events.
    /// </summary>
    public static class TickrateGame
    {
        private static TickrateClient client;
        private static bool isPumped;

        /// <summary>The client, for everything that is not here. Null before Open, and in web builds.</summary>
        public static TickrateClient Client { get { return client; } }

        /// <summary>Opens the buffer in the folder of persistent data, and begins to send. A second call changes nothing.</summary>
        public static void Open(Options options)
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            WebBridge.Open(options);
#else
            if (client != null) return;
            if (string.IsNullOrEmpty(options.Folder)) options.Folder = Path.Combine(Application.persistentDataPath, "tickrate");
            options.CallbacksInPump = true;
            if (options.Debug == null && Debug.isDebugBuild) options.Debug = Debug.LogWarning;
            client = TickrateClient.Open(options);
            Application.focusChanged += OnFocus;
            Application.quitting += Close;
            AddPump();
#endif
        }

        /// <summary>Records an event. False if it could not be kept.</summary>
        public static bool Track<T>(T content) where T : IEvent
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            return WebBridge.Track(content.EventType, content.EventTypeVersion, JsonWriter.ToText(content));
#else
            return client != null && client.Track(content);
#endif
        }

        /// <summary>Records an event that is JSON already.</summary>
        public static bool TrackJson(string eventType, int version, string json)
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            return WebBridge.Track(eventType, version, json);
#else
            return client != null && client.TrackJson(eventType, version, json);
#endif
        }

        public static void SetConsent(Consent consent)
        {
#if UNITY_WEBGL && !UNITY_EDITOR
            WebBridge.SetConsent(consent);
#else
            if (client != null) client.SetConsent(consent);
#endif
        }

        /// <summary>Events that are recorded and not yet stored by the server.</summary>
        public static long Pending
        {
            get
            {
#if UNITY_WEBGL && !UNITY_EDITOR
                return WebBridge.Pending;
#else
                return client == null ? 0 : client.Pending;
#endif
            }
        }

        private static void OnFocus(bool hasFocus)
        {
            if (!hasFocus && client != null) client.Background();
        }

        /// <summary>Seals. What is left is sent at the next start: the quit does not wait for the network.</summary>
        [RuntimeInitializeOnLoadMethod(RuntimeInitializeLoadType.SubsystemRegistration)]
        private static void Close()
        {
            // Also at the start of play mode, where the editor may keep static fields of the run before.
            Application.focusChanged -= OnFocus;
            Application.quitting -= Close;
            isPumped = false;
            if (client != null) client.Close(0);
            client = null;
        }

        private static void Pump()
        {
            if (client != null) client.Pump();
        }

        private static void AddPump()
        {
            if (isPumped) return;
            isPumped = true;
            PlayerLoopSystem loop = PlayerLoop.GetCurrentPlayerLoop();
            var systems = new List<PlayerLoopSystem>(loop.subSystemList ?? new PlayerLoopSystem[0]);
            systems.RemoveAll(system => system.type == typeof(TickrateGame));
            systems.Add(new PlayerLoopSystem { type = typeof(TickrateGame), updateDelegate = Pump });
            loop.subSystemList = systems.ToArray();
            PlayerLoop.SetPlayerLoop(loop);
        }
    }
}
