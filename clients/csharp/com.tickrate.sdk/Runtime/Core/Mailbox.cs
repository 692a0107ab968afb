using System;
using System.Collections.Generic;
using System.Threading;

namespace Tickrate
{
    /// <summary>Answers on their way from the transport's threads to the one that decides.</summary>
    internal sealed class Mailbox
    {
        private readonly Queue<Action> arrived = new Queue<Action>();
        private readonly AutoResetEvent wake;
        private int generation;

        internal Mailbox(AutoResetEvent wake) { this.wake = wake; }

        internal Action<Response> Expect(Action<Response> handle)
        {
            int expected = generation;
            return response =>
            {
                lock (arrived) arrived.Enqueue(() => { if (expected == generation) handle(response); });
                wake.Set();
            };
        }

        internal void Deliver()
        {
            for (;;)
            {
                Action next;
                lock (arrived)
                {
                    if (arrived.Count == 0) return;
                    next = arrived.Dequeue();
                }
                next();
            }
        }

        /// <summary>Ignores every answer that is still to come.</summary>
        internal void Forget() { generation++; }
    }
}
