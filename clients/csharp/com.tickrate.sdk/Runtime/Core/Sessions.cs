using System;
using System.Collections.Generic;

namespace Tickrate
{
    internal sealed class LiveSession
    {
        internal Session Session;
        internal bool IsOfDevice;
        internal long RenewAtMs;
    }

    /// <summary>The sessions of this start, by the principal whose segments they send.</summary>
    internal sealed class Sessions
    {
        private readonly List<LiveSession> all = new List<LiveSession>();
        internal string DevicePrincipal = "";

        internal LiveSession Of(string principal)
        {
            foreach (LiveSession live in all)
                if ((live.IsOfDevice && principal == DevicePrincipal) || principal == "account:" + live.Session.Account) return live;
            return null;
        }

        internal LiveSession WithKey(string key) { return all.Find(live => live.Session.Key == key); }
        internal LiveSession ToRenew(long nowMs) { return all.Find(live => nowMs >= live.RenewAtMs); }

        internal void Keep(Session session, bool isOfDevice, long nowMs)
        {
            long lifeMs = Math.Max(60, session.Expiry - session.Start) * 1000;
            var live = new LiveSession { Session = session, IsOfDevice = isOfDevice, RenewAtMs = nowMs + lifeMs * 8 / 10 };
            int at = all.FindIndex(known => known.Session.Account == session.Account || (isOfDevice && known.IsOfDevice));
            if (at < 0)
            {
                all.Add(live);
                return;
            }
            live.IsOfDevice = isOfDevice || all[at].IsOfDevice;
            all[at] = live;
        }

        /// <summary>True if it was the session of an account that only the game can sign in again.</summary>
        internal bool Drop(string key)
        {
            LiveSession live = WithKey(key);
            return live != null && all.Remove(live) && !live.IsOfDevice;
        }

        internal void Clear() { all.Clear(); }
    }
}
