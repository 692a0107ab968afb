using System;

namespace Tickrate
{
    /// <summary>Plays the reducer of a sign-in against the server: one request at a time, the same key for the same body.</summary>
    internal sealed class SignInFlow
    {
        private readonly Tuning tuning;
        private readonly Action<SignInStep, string, Action<Response>> send;
        private readonly Action<Session> accept;
        private SignIn reducer = new SignIn();
        private Action<SignInStep> answered;
        private SignInStep sent;
        private string key;
        private int attempt;
        private bool isWaiting;
        private long dueMs;
        private long nowMs;

        internal SignInFlow(Tuning tuning, Action<SignInStep, string, Action<Response>> send, Action<Session> accept)
        {
            this.tuning = tuning;
            this.send = send;
            this.accept = accept;
        }

        internal void Begin(Json input, Action<SignInStep> whenAnswered)
        {
            reducer = new SignIn();
            Continue(input, whenAnswered);
        }

        internal void Continue(Json input, Action<SignInStep> whenAnswered)
        {
            Finish(new SignInStep { ErrorMessage = "replaced" });
            answered = whenAnswered;
            isWaiting = false;
            Apply(reducer.Input(input ?? Json.Object()));
        }

        /// <summary>Repeats a request whose delay is over.</summary>
        internal void Step(long monotonicMs)
        {
            nowMs = monotonicMs;
            if (!isWaiting || nowMs < dueMs) return;
            isWaiting = false;
            Send();
        }

        internal void Cancel()
        {
            isWaiting = false;
            sent = null;
            Finish(new SignInStep { ErrorMessage = "cancelled" });
        }

        private void Apply(SignInStep step)
        {
            switch (step.Kind)
            {
                case SignInKind.Send:
                    sent = step;
                    key = Files.RandomHex(32);
                    attempt = 0;
                    Send();
                    return;
                case SignInKind.Resend:
                    isWaiting = true;
                    dueMs = nowMs + (long)(Verdict.Bounded(step.RetryAfterSeconds) * 1000) + Verdict.Backoff(attempt++, Files.RandomFraction(), tuning);
                    return;
                case SignInKind.Session:
                    accept(step.Session);
                    break;
            }
            sent = null;
            Finish(step);
        }

        private void Send()
        {
            SignInStep sending = sent;
            send(sending, key, response =>
            {
                // A later sign-in has replaced this one.
                if (sending != sent) return;
                Json answer = Json.Parse(response.Body);
                Apply(reducer.Received(answer == null ? 0 : response.Status, answer ?? Json.Null));
            });
        }

        private void Finish(SignInStep step)
        {
            Action<SignInStep> whenAnswered = answered;
            answered = null;
            if (whenAnswered != null) whenAnswered(step);
        }
    }
}
