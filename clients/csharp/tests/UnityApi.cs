// Declarations of the Unity API that the package uses, after Unity's documentation, so that mcs can compile the package.
using System;

namespace UnityEngine
{
    public enum RuntimeInitializeLoadType { SubsystemRegistration }
    public enum KeyCode { Space }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class RuntimeInitializeOnLoadMethodAttribute : Attribute
    {
        public RuntimeInitializeOnLoadMethodAttribute(RuntimeInitializeLoadType loadType) { }
    }

    public static class Application
    {
        public static event Action<bool> focusChanged { add { } remove { } }
        public static event Action quitting { add { } remove { } }
        public static string persistentDataPath { get { return ""; } }
    }

    public static class Debug
    {
        public static bool isDebugBuild { get { return false; } }
        public static void LogWarning(object message) { }
    }

    public static class Input { public static bool GetKeyDown(KeyCode key) { return false; } }
    public static class GUILayout { public static bool Button(string text, params object[] options) { return false; } }
    public class MonoBehaviour { }
}

namespace UnityEngine.LowLevel
{
    public struct PlayerLoopSystem
    {
        public delegate void UpdateFunction();
        public Type type;
        public PlayerLoopSystem[] subSystemList;
        public UpdateFunction updateDelegate;
    }

    public static class PlayerLoop
    {
        public static PlayerLoopSystem GetCurrentPlayerLoop() { return new PlayerLoopSystem(); }
        public static void SetPlayerLoop(PlayerLoopSystem loop) { }
    }
}

namespace UnityEditor
{
    public enum MessageType { Info }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MenuItemAttribute : Attribute { public MenuItemAttribute(string itemName) { } }

    public class EditorWindow
    {
        public static T GetWindow<T>(string title) where T : EditorWindow { return null; }
        public void Repaint() { }
    }

    public static class EditorGUILayout
    {
        public static void HelpBox(string message, MessageType type) { }
        public static void LabelField(string label, params object[] options) { }
        public static void LabelField(string label, string text, params object[] options) { }
        public static string TextField(string label, string text, params object[] options) { return text; }
        public static void Space() { }
    }
}
