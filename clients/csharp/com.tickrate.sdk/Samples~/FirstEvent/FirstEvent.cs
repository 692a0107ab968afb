using Tickrate;
using Tickrate.Unity;
using UnityEngine;

/// <summary>Put this on any object of a scene, and set the address and the public key in the inspector.</summary>
public sealed class FirstEvent : MonoBehaviour
{
    public string url = "http://127.0.0.1:8080";
    public string key = "tk_pub_…";

    private void Start()
    {
        TickrateGame.Open(new Options { Url = url, Key = key });
        if (TickrateGame.Client != null) TickrateGame.Client.Lost += (reason, count) => Debug.LogWarning("tickrate: lost " + count + " " + reason);
    }

    /// <summary>Call this from the button that asks the player.</summary>
    public void Allow() { TickrateGame.SetConsent(Consent.Granted); }

    /// <summary>Call this from another button.</summary>
    public void Forbid() { TickrateGame.SetConsent(Consent.Denied); }

    private void Update()
    {
        if (Input.GetKeyDown(KeyCode.Space)) TickrateGame.TrackJson("level_up", 0, "{\"level\":7}");
    }
}
