using System.Collections.Generic;
using Tickrate.Unity;
using UnityEditor;
using UnityEngine;

namespace Tickrate.Editor
{
    /// <summary>Window → Tickrate: what the running game has in its buffer, and what the server answered last.</summary>
    public sealed class TickrateWindow : EditorWindow
    {
        private string eventType = "level_up";
        private string json = "{\"level\":7}";
        private string result = "";

        [MenuItem("Window/Tickrate")]
        private static void Open() { GetWindow<TickrateWindow>("Tickrate"); }

        private void OnInspectorUpdate() { Repaint(); }

        private void OnGUI()
        {
            TickrateClient client = TickrateGame.Client;
            if (client == null)
            {
                EditorGUILayout.HelpBox("Tickrate is not open. Enter play mode, in a scene that calls TickrateGame.Open().", MessageType.Info);
                return;
            }
            EditorGUILayout.LabelField("Events in the buffer", client.Pending.ToString());
            EditorGUILayout.LabelField("Last answer", client.LastAnswer.Length == 0 ? "none yet" : client.LastAnswer);
            EditorGUILayout.LabelField("Consent", client.Consent.ToString());
            EditorGUILayout.LabelField("Survives a crash", client.IsDurable ? "yes" : "no: the folder cannot be written");
            foreach (KeyValuePair<Loss, long> loss in client.Losses) EditorGUILayout.LabelField("Lost: " + loss.Key, loss.Value.ToString());
            EditorGUILayout.Space();
            eventType = EditorGUILayout.TextField("Event type", eventType);
            json = EditorGUILayout.TextField("Event as JSON", json);
            if (GUILayout.Button("Track this event")) result = client.TrackJson(eventType, 0, json) ? "tracked" : "refused: see what was lost";
            if (GUILayout.Button("Send now")) client.Background();
            EditorGUILayout.LabelField(result);
        }
    }
}
