using System;
using System.Collections.Generic;
using System.IO;

namespace Tickrate
{
    /// <summary>
    /// The side of the game: writes events into the open segment.
    /// no segment → (the first event) → open → (full, aged, another principal, a clock that jumped) → finished.
    /// Track may be called from several threads; finished segments are taken by the thread that seals.
    /// </summary>
    internal sealed class Recorder
    {
        private const int MaxInMemory = 200;
        private const int MostFinished = 16;
        private readonly object gate = new object();
        private readonly Tuning tuning;
        private readonly LossCounter losses;
        private readonly JsonWriter writer = new JsonWriter(SegmentContents.MaxEventBytes + 9);
        private readonly byte[] time = new byte[26];
        private List<Segment> finished = new List<Segment>(MostFinished);
        private readonly string folder;
        private Run run;
        /// <summary>The disk was full when the run should begin.</summary>
        private bool awaitsSpace;
        private string principal = "";
        private Consent consent;
        private bool isClosed;
        private bool isWriting;
        private Segment open;
        private Segment spare;
        private int inMemory;
        private int number;
        private long lastTimeMs;
        private long timeSecond = long.MinValue;
        private long nextAttemptMs = long.MinValue;
        private Loss storageLoss = Loss.Storage;

        /// <summary>Set when a segment was begun: another should be prepared, and the one before sealed.</summary>
        internal volatile bool WantsAttention;

        internal Recorder(string folder, Tuning tuning, LossCounter losses)
        {
            this.folder = folder;
            this.tuning = tuning;
            this.losses = losses;
            time[0] = time[25] = (byte)'"';
        }

        internal bool IsDurable { get { lock (gate) return run != null; } }

        /// <summary>Another one than before after somebody deleted the folder.</summary>
        internal Run Run { get { lock (gate) return run; } }

        /// <summary>Null: no folder, so at most 200 events are kept in memory; none on a full disk, until it has space for a run.</summary>
        internal void UseRun(Run first, bool isDiskFull)
        {
            lock (gate)
            {
                run = first;
                awaitsSpace = isDiskFull;
            }
        }

        /// <summary>
        /// Begins another run if somebody deleted this one, or if the disk has space only now. Ends the segment: a file without a name
        /// does not survive the process.
        /// </summary>
        internal void KeepRun(long wallMs)
        {
            lock (gate) if (consent == Consent.Granted && !isClosed && RenewRun(wallMs)) Finish();
        }

        internal bool HasFinished { get { lock (gate) return consent == Consent.Granted && finished.Count > 0; } }

        private bool RenewRun(long wallMs)
        {
            if (run == null ? !awaitsSpace : !run.IsDeleted) return false;
            Exception fault;
            Run next = Run.Begin(folder, wallMs, out fault);
            if (next == null) return false;
            Discard(spare);
            spare = null;
            run = next;
            return true;
        }

        internal void SetPrincipal(string next)
        {
            lock (gate)
            {
                if (next == principal) return;
                Finish();
                principal = next;
            }
        }

        internal void SetConsent(Consent next) { lock (gate) consent = next; }

        internal void Close()
        {
            lock (gate)
            {
                isClosed = true;
                Finish();
                Discard(spare);
                spare = null;
            }
        }

        internal bool Track<T>(Now now, ref T content) where T : IEvent
        {
            lock (gate)
            {
                if (isClosed) return CountLoss(Loss.Closed);
                if (consent == Consent.Denied || isWriting) return false;
                try
                {
                    isWriting = true;
                    return Keep(now, ref content);
                }
                finally
                {
                    isWriting = false;
                }
            }
        }

        private bool Keep<T>(Now now, ref T content) where T : IEvent
        {
            if ((open == null || IsFull() || open.Clock.Jumped(now)) && !Renew(now)) return CountLoss(storageLoss);
            WriteEvent(now, ref content);
            if (open.Bytes + writer.Size + 1 > SegmentContents.MaxBytes && !writer.Overflowed)
            {
                if (!Renew(now)) return CountLoss(storageLoss);
                WriteEvent(now, ref content);
            }
            if (writer.Overflowed) return CountLoss(Loss.TooLarge);
            if (!writer.Complete || content.EventType == null) return CountLoss(Loss.Rejected);
            bool memory = open.File == null;
            if (memory && inMemory >= MaxInMemory) return CountLoss(consent == Consent.Unknown ? Loss.Consent : storageLoss);
            if (!AppendLine()) return CountLoss(storageLoss);
            open.Events++;
            if (memory) inMemory++;
            return true;
        }

        private void WriteEvent<T>(Now now, ref T content) where T : IEvent
        {
            writer.Reset(9);
            writer.BeginObject();
            writer.Name("eventType");
            writer.Value(content.EventType);
            if (content.EventTypeVersion > 0)
            {
                writer.Name("eventTypeVersion");
                writer.Value(content.EventTypeVersion);
            }
            writer.Name("occurredAt");
            WriteTime(open.Clock.At(now.MonotonicMs));
            writer.Name("event");
            content.Write(writer);
            writer.EndObject();
        }

        private bool IsFull()
        {
            return open.IsBroken || open.Bytes >= tuning.SealBytes || open.Events >= Math.Min(tuning.SealEvents, SegmentContents.MaxEvents);
        }

        /// <summary>Only the milliseconds are written anew within a second.</summary>
        private void WriteTime(long ms)
        {
            long second = ms >= 0 ? ms / 1000 : long.MinValue;
            if (second != timeSecond || second < 0)
            {
                Clock.WriteTime(ms, time, 1);
                timeSecond = second;
            }
            else
            {
                int rest = (int)(ms % 1000);
                time[21] = (byte)('0' + rest / 100);
                time[22] = (byte)('0' + rest / 10 % 10);
                time[23] = (byte)('0' + rest % 10);
            }
            writer.Ascii(time, 26);
        }

        /// <summary>What the writer holds, as a line.</summary>
        private bool AppendLine()
        {
            try
            {
                SegmentContents.Complete(writer.Bytes, writer.Size - 9);
                open.Append(writer.Bytes, writer.Size + 1);
                return true;
            }
            catch (Exception fault)
            {
                storageLoss = Files.IsDiskFull(fault) ? Loss.DiskFull : Loss.Storage;
                open.CutBack();
                return false;
            }
        }

        /// <summary>Ends the open segment, if it has events and is old enough (or always).</summary>
        internal void FinishIf(bool always, long monotonicMs)
        {
            lock (gate)
            {
                if (consent != Consent.Granted || open == null || open.Events == 0) return;
                if (always || monotonicMs - open.Clock.MonotonicMs >= tuning.SealAfterMs) Finish();
            }
        }

        /// <summary>The segments that wait to be sealed; null if there are none.</summary>
        /// <remarks>Their events are added to `sealing` in the same moment, so that none is ever missing from a count.</remarks>
        internal List<Segment> TakeFinished(ref long sealing)
        {
            lock (gate)
            {
                if (consent != Consent.Granted || finished.Count == 0) return null;
                List<Segment> taken = finished;
                // With its room, so that the game's thread makes no garbage.
                finished = new List<Segment>(MostFinished);
                foreach (Segment segment in taken) System.Threading.Interlocked.Add(ref sealing, segment.Events);
                return taken;
            }
        }

        /// <summary>Makes the next segment's file beforehand, so that the game does not wait for it.</summary>
        internal void Prepare(long wallMs)
        {
            WantsAttention = false;
            Segment next;
            lock (gate)
            {
                if (spare != null || run == null || isClosed || consent != Consent.Granted) return;
                next = Named(wallMs);
                next.Run = run;
            }
            if (!Files.Try(() => Create(next))) return;
            lock (gate)
            {
                if (spare == null && !isClosed && consent == Consent.Granted && next.Run == run) spare = next; else Discard(next);
            }
        }

        /// <summary>Consent was given: events of memory move to the folder, as far as it has room.</summary>
        internal void MoveToFolder(long wallMs)
        {
            lock (gate)
            {
                Finish();
                RenewRun(wallMs);
                if (run == null) return;
                foreach (Segment segment in finished)
                {
                    if (segment.File != null) continue;
                    Segment named = Named(wallMs);
                    named.Run = run;
                    bool moved = Files.Try(() =>
                    {
                        Create(named);
                        named.File.Write(segment.Memory.GetBuffer(), 0, segment.Bytes);
                    });
                    if (!moved)
                    {
                        Discard(named);
                        continue;
                    }
                    segment.Run = run;
                    segment.File = named.File;
                    segment.Stem = named.Stem;
                    segment.Key = named.Key;
                    segment.Memory = null;
                    inMemory -= segment.Events;
                }
            }
        }

        /// <summary>Forgets everything that is not sealed. Files are closed and deleted.</summary>
        internal void Clear()
        {
            lock (gate)
            {
                foreach (Segment segment in finished) Discard(segment);
                finished.Clear();
                Discard(open);
                Discard(spare);
                open = spare = null;
                inMemory = 0;
            }
        }

        internal void CountSentFromMemory(int events) { lock (gate) inMemory = Math.Max(0, inMemory - events); }

        /// <summary>Events and bytes that are not sealed.</summary>
        internal void Unsealed(out long events, out long bytes)
        {
            lock (gate)
            {
                events = open == null ? 0 : open.Events;
                bytes = open == null ? 0 : open.Bytes;
                foreach (Segment segment in finished)
                {
                    events += segment.Events;
                    bytes += segment.Bytes;
                }
            }
        }

        private bool CountLoss(Loss reason)
        {
            losses.Add(reason);
            return false;
        }

        private static void Create(Segment segment)
        {
            segment.File = Files.Create(segment.OpenPath, segment.Run.Empty);
        }

        private Segment Named(long wallMs)
        {
            lastTimeMs = Math.Max(lastTimeMs, Math.Max(0, wallMs));
            string key = Files.RandomHex(32);
            return new Segment { Key = key, Stem = SegmentName.MakeStem(lastTimeMs, number++, key) };
        }

        private void Finish()
        {
            if (open == null) return;
            if (open.Events > 0) finished.Add(open); else Discard(open);
            open = null;
        }

        private bool Renew(Now now)
        {
            Finish();
            // On a full disk the game does not ask the file system again for each event.
            if (spare == null && now.MonotonicMs < nextAttemptMs) return false;
            storageLoss = Loss.Storage;
            open = spare ?? Begin(now);
            spare = null;
            WantsAttention = true;
            if (open != null)
            {
                open.Principal = principal;
                open.IsOfThisStart = true;
                open.Clock = new ClockBase { BaseMs = now.WallMs, MonotonicMs = now.MonotonicMs };
                WriteHeader(now.WallMs);
                open.HeaderBytes = writer.Size + 1;
                if (AppendLine()) return true;
                Discard(open);
                open = null;
            }
            nextAttemptMs = now.MonotonicMs + 1000;
            return false;
        }

        private void WriteHeader(long baseMs)
        {
            writer.Reset(9);
            writer.BeginObject();
            writer.Name("tickrate");
            writer.Value(1);
            writer.Name("principal");
            writer.Value(principal);
            writer.Name("base");
            writer.Value(baseMs);
            writer.EndObject();
        }

        private Segment Begin(Now now)
        {
            Segment begun = Named(now.WallMs);
            if (run == null && awaitsSpace && consent == Consent.Granted && !RenewRun(now.WallMs))
            {
                storageLoss = Loss.DiskFull;
                return null;
            }
            if (run == null || consent != Consent.Granted)
            {
                begun.Memory = new MemoryStream();
                return begun;
            }
            begun.Run = run;
            Exception fault;
            if (Files.Try(() => Create(begun), out fault)) return begun;
            if (RenewRun(now.WallMs))
            {
                begun.Run = run;
                if (Files.Try(() => Create(begun), out fault)) return begun;
            }
            storageLoss = Files.IsDiskFull(fault) ? Loss.DiskFull : Loss.Storage;
            return null;
        }

        private void Discard(Segment segment)
        {
            if (segment == null || segment.File == null) return;
            Files.Try(segment.File.Dispose);
            Files.Delete(segment.OpenPath);
        }
    }
}
