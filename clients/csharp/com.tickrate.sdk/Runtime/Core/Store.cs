using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace Tickrate
{
    /// <summary>Everything on the disk: the folder of a game, its runs, their sealed segments, and state.json. Used by one thread only.</summary>
    internal sealed class Store
    {
        private const long MaxAside = 1024 * 1024;
        private readonly string folder;
        private readonly Tuning tuning;
        private readonly LossCounter losses;
        private readonly List<Segment> segments = new List<Segment>();
        private Run own;
        private string devicePrincipal = "";
        private long bytes;
        private long events;
        /// <summary>Members of State that are not saved.</summary>
        private readonly HashSet<string> changed = new HashSet<string>();

        internal Json State { get; private set; }

        internal Store(string folder, Tuning tuning, LossCounter losses)
        {
            this.folder = folder ?? "";
            this.tuning = tuning;
            this.losses = losses;
            State = Json.Object();
        }

        internal IList<Segment> Segments { get { return segments; } }
        internal long Events { get { return System.Threading.Interlocked.Read(ref events); } }
        internal Run Own { get { return own; } }

        /// <summary>`State` lacks something that Remember was given.</summary>
        internal bool IsUnsaved { get { return changed.Count > 0; } }

        /// <summary>Makes the folder and a run of its own in it. The fault if that is not possible, otherwise null.</summary>
        internal Exception Open(long wallMs)
        {
            if (folder.Length == 0) return new IOException("no folder was given");
            State = SavedState();
            losses.Restore(State["losses"]);
            Exception fault;
            own = Run.Begin(folder, wallMs, out fault);
            return own == null ? fault : null;
        }

        /// <summary>
        /// Continues with another run, because somebody deleted the former one with state.json, or because the disk has space only
        /// now. Returns how many events were lost with the former one, which are counted. `sending` is left to its answer.
        /// </summary>
        internal long UseRun(Run run, Segment sending)
        {
            if (run == own) return 0;
            Run former = own;
            own = run;
            long lost = 0;
            foreach (Segment segment in segments.ToArray())
            {
                if (segment.Run == null && WriteAgain(segment)) own.Segments++;
                if (segment.Run == null || segment == sending || File.Exists(segment.SealedPath)) continue;
                lost += segment.Events;
                Remove(segment);
            }
            losses.Add(Loss.Storage, lost);
            if (former != null)
            {
                former.IsOwn = false;
                if (former.Segments == 0) RemoveRun(former);
            }
            WriteState();
            return lost;
        }

        private bool WriteSegment(Segment segment, byte[] contents) { return Files.Replace(segment.SealedPath, contents, segment.SealedPath + ".new", own.Empty); }

        /// <summary>Moves a segment of memory into the own run. False if that is not possible: it stays as it is.</summary>
        private bool WriteAgain(Segment segment)
        {
            segment.Run = own;
            bool isWritten = WriteSegment(segment, segment.Memory.ToArray());
            if (isWritten) segment.Memory = null; else segment.Run = null;
            return isWritten;
        }

        /// <summary>
        /// Takes over the segments of runs that have ended, also since the last call. None while the folder is another
        /// installation's: they are sent in its session. Needs no own run: on a full disk, space comes from what is sent.
        /// </summary>
        internal void Adopt(string devicePrincipal)
        {
            if (folder.Length == 0 || IsOfAnother(SavedState())) return;
            this.devicePrincipal = devicePrincipal;
            foreach (string name in Files.Names(folder, true))
            {
                if (name.Length != 25 || name[16] != '-' || !SegmentName.IsHex(name, 0, 16) || !SegmentName.IsHex(name, 17, 8)) continue;
                var run = new Run { Path = Path.Combine(folder, name) };
                Exception held;
                // Those of living processes are locked, this one's too.
                run.Lock = FolderLock.Take(run.Path, out held);
                if (run.Lock == null) continue;
                Recover(run);
                if (run.Segments == 0) RemoveRun(run);
            }
            Sort();
        }

        private void Recover(Run run)
        {
            var kept = new List<string>();
            foreach (SegmentName name in SegmentsIn(run))
            {
                string path = Path.Combine(run.Path, name.Stem + (name.IsSealed ? ".seal" : ".open"));
                // Half of a split that was not finished, of which no byte was sent; or an open file that was sealed when the game died.
                if (kept.Exists(earlier => name.Stem.StartsWith(earlier, StringComparison.Ordinal)))
                {
                    Files.Delete(path);
                    continue;
                }
                kept.Add(name.Stem);
                RecoverFile(run, path, name);
            }
        }

        /// <summary>A parent before its halves, and what is sealed before what is open.</summary>
        private static List<SegmentName> SegmentsIn(Run run)
        {
            var names = new List<SegmentName>();
            foreach (string file in Files.Names(run.Path, false))
            {
                SegmentName name = SegmentName.Parse(file);
                if (name != null) names.Add(name);
            }
            names.Sort((a, b) => a.Stem != b.Stem ? string.CompareOrdinal(a.Stem, b.Stem) : b.IsSealed.CompareTo(a.IsSealed));
            return names;
        }

        private void RecoverFile(Run run, string path, SegmentName name)
        {
            byte[] file = Files.Read(path);
            if (file == null)
            {
                // At least one; only the next start can say.
                if (Files.IsFile(path)) Leave(run, 1);
                return;
            }
            SegmentContents contents = SegmentContents.Read(file, name.IsSealed);
            losses.Add(Loss.Torn, contents.Torn);
            losses.Add(Loss.Damaged, contents.Damaged);
            if (contents.Found == Found.Delete) Files.Delete(path);
            if (contents.Found == Found.Aside) KeepAside(path);
            if (contents.Found == Found.Leave) run.Segments++;
            if (contents.Found != Found.Send) return;
            bool isOfFormer = contents.Principal.StartsWith("device:", StringComparison.Ordinal) && contents.Principal != devicePrincipal;
            if (isOfFormer && name.IsSealed)
            {
                // Perhaps it was stored for the former installation's account.
                losses.Add(Loss.Damaged, contents.Events);
                KeepAside(path);
                return;
            }
            Take(run, path, name, contents, file, isOfFormer);
        }

        private void Take(Run run, string path, SegmentName name, SegmentContents contents, byte[] file, bool isOfFormer)
        {
            byte[] header = isOfFormer ? SegmentContents.Header(devicePrincipal, contents.BaseMs) : null;
            int from = header == null ? 0 : contents.HeaderBytes;
            int before = header == null ? 0 : header.Length;
            var segment = new Segment
            {
                Run = run,
                Stem = name.Stem,
                Key = name.Key,
                Principal = isOfFormer ? devicePrincipal : contents.Principal,
                Clock = new ClockBase { BaseMs = name.TimeMs },
                Events = contents.Events,
                HeaderBytes = header == null ? contents.HeaderBytes : header.Length,
                Bytes = before + contents.GoodBytes - from,
            };
            // What was not sealed may not be on the disk yet: it is written again, flushed, and renamed into place.
            if (!name.IsSealed || contents.GoodBytes != file.Length)
            {
                var good = new byte[segment.Bytes];
                if (header != null) Buffer.BlockCopy(header, 0, good, 0, before);
                Buffer.BlockCopy(file, from, good, before, contents.GoodBytes - from);
                bool isWritten = WriteSegment(segment, good);
                // On a full disk there is no space for a copy, only for the file as it is.
                if (!isWritten && header == null) isWritten = Files.CutInto(path, contents.GoodBytes, segment.SealedPath);
                if (!isWritten)
                {
                    Leave(run, contents.Events);
                    return;
                }
                if (!name.IsSealed) Files.Delete(path);
            }
            Add(segment);
        }

        internal void KeepLocks(long monotonicMs)
        {
            if (own != null) own.Lock.KeepTouched(monotonicMs);
        }

        /// <summary>Seals an open segment: flushes it to the disk, then renames it.</summary>
        internal void Seal(Segment segment)
        {
            if (segment.File == null)
            {
                Add(segment);
                return;
            }
            bool isDeleted = !File.Exists(segment.OpenPath);
            bool isGood = isDeleted ? ReadDeleted(segment) : Files.Try(() =>
            {
                if (segment.IsBroken) segment.File.SetLength(segment.Bytes);
                segment.File.Flush(true);
            });
            Files.Try(segment.File.Dispose);
            segment.File = null;
            if (isDeleted && !isGood) losses.Add(Loss.Storage, segment.Events);
            // Otherwise it stays as it is: the next start recovers it, and sends what is good of it.
            else if (isDeleted || (isGood && Files.Try(() => File.Move(segment.OpenPath, segment.SealedPath)))) Add(segment);
            else Leave(segment.Run, segment.Events);
        }

        /// <summary>Somebody deleted the folder. Moves the events from the open file to the own run.</summary>
        private bool ReadDeleted(Segment segment)
        {
            var contents = new byte[segment.Bytes];
            int size = 0;
            Files.Try(() =>
            {
                segment.File.Position = 0;
                for (int count; size < contents.Length && (count = segment.File.Read(contents, size, contents.Length - size)) > 0;) size += count;
            });
            if (size < contents.Length) return false;
            segment.Memory = new MemoryStream(contents);
            WriteAgain(segment);
            return true;
        }

        /// <summary>Events in a file that only the next start can send.</summary>
        private void Leave(Run run, int left)
        {
            run.Segments++;
            System.Threading.Interlocked.Add(ref events, left);
        }

        private void Add(Segment segment)
        {
            if (segment.Run != null) segment.Run.Segments++;
            bytes += segment.Bytes;
            System.Threading.Interlocked.Add(ref events, segment.Events);
            segments.Add(segment);
        }

        internal void Remove(Segment segment)
        {
            if (!segments.Remove(segment)) return;
            bytes -= segment.Bytes;
            System.Threading.Interlocked.Add(ref events, -segment.Events);
            if (segment.Run == null) return;
            Files.Delete(segment.SealedPath);
            if (--segment.Run.Segments == 0 && !segment.Run.IsOwn) RemoveRun(segment.Run);
        }

        /// <summary>Moves a segment that the server refused to aside/, and keeps 1 MiB there.</summary>
        internal void SetAside(Segment segment)
        {
            if (segment.Run != null) KeepAside(segment.SealedPath);
            Remove(segment);
        }

        private void KeepAside(string path)
        {
            string aside = Path.Combine(folder, "aside");
            string to = Path.Combine(aside, Path.GetFileName(path));
            Files.Try(() => Directory.CreateDirectory(aside));
            Files.Delete(to);
            if (!Files.Try(() => File.Move(path, to))) Files.Delete(path);
            string[] names = Files.Names(aside, false);
            long sum = 0;
            for (int i = names.Length - 1; i >= 0; i--)
            {
                string kept = Path.Combine(aside, names[i]);
                long size = 0;
                Files.Try(() => size = new FileInfo(kept).Length);
                sum += size;
                if (sum > MaxAside) Files.Delete(kept);
            }
        }

        /// <summary>Replaces a segment by its halves. False if they could not be written: the segment stays as it was.</summary>
        internal bool Split(Segment parent)
        {
            byte[] contents = parent.Read();
            if (contents == null) return false;
            byte[][] halves = SegmentContents.Split(contents, parent.HeaderBytes, parent.Bytes, parent.Events);
            var children = new Segment[2];
            for (int i = 0; i < 2; i++)
            {
                Segment child = children[i] = parent.Copy();
                child.Stem += "." + i;
                child.Key += "." + i;
                child.Events = i == 0 ? (parent.Events + 1) / 2 : parent.Events / 2;
                child.Bytes = halves[i].Length;
                if (parent.Run == null) child.Memory = new MemoryStream(halves[i]);
                else if (!WriteSegment(child, halves[i]))
                {
                    if (i == 1) Files.Delete(children[0].SealedPath);
                    return false;
                }
            }
            // The children count before the parent goes, so that the folder of the run stays.
            Add(children[0]);
            Add(children[1]);
            Remove(parent);
            Sort();
            return true;
        }

        /// <summary>Deletes the oldest segments beyond the bounds, except the one that is being sent, and counts their events.</summary>
        internal void EnforceBounds(Now now, Segment sending, long unsealedBytes)
        {
            for (int i = 0; i < segments.Count;)
            {
                Segment segment = segments[i];
                bool tooOld = segment.AgeMs(now) > tuning.MaxAgeMs;
                if (segment == sending || (!tooOld && bytes + unsealedBytes <= tuning.BufferBytes))
                {
                    i++;
                    continue;
                }
                losses.Add(tooOld ? Loss.TooOld : Loss.BufferFull, segment.Events);
                Remove(segment);
            }
        }

        /// <summary>Deletes every segment, without counting: the player said no.</summary>
        internal void Clear()
        {
            while (segments.Count > 0) Remove(segments[segments.Count - 1]);
            string aside = Path.Combine(folder, "aside");
            if (folder.Length > 0) foreach (string name in Files.Names(aside, false)) Files.Delete(Path.Combine(aside, name));
        }

        /// <summary>
        /// Whether the player refused, in this process or in another one on the same folder. A file of its own: no process
        /// that saves state.json later can overwrite it.
        /// </summary>
        internal bool IsRefused
        {
            get { return folder.Length > 0 && File.Exists(Path.Combine(folder, "denied")); }
            set
            {
                string path = Path.Combine(folder, "denied");
                if (folder.Length == 0 || value == File.Exists(path)) return;
                if (value) Files.Try(() => File.WriteAllBytes(path, new byte[0])); else Files.Delete(path);
            }
        }

        /// <summary>Null removes the member. It is saved by the next WriteState.</summary>
        internal void Remember(string member, Json value)
        {
            Set(State, member, value);
            changed.Add(member);
        }

        /// <summary>Takes what others have saved, without a device.</summary>
        internal void ReloadState()
        {
            State = SavedState();
            ForgetDevice();
            changed.Clear();
        }

        /// <summary>
        /// Saves what this process changed. What other processes saved meanwhile stays. After somebody deleted the folder, it may
        /// be another installation's: that one's device stays saved, and this process keeps its own in memory.
        /// </summary>
        internal bool WriteState()
        {
            if (own == null) return false;
            Json saved = SavedState();
            bool isShared = !IsOfAnother(saved) || State["consent"].Text == "denied";
            // Deleted or damaged by hand: nobody has saved anything.
            if (!IsInstallation(saved["installation"].Text)) saved = State;
            foreach (string member in changed)
                if (isShared || !IsOfDevice(member)) Set(saved, member, State[member]);
            long[] counted = losses.Counted();
            saved.With("losses", losses.Sums(saved["losses"], counted));
            // By way of the own run: two processes must not write one file.
            if (!Files.Replace(Path.Combine(folder, "state.json"), Encoding.UTF8.GetBytes(saved.ToString()), Path.Combine(own.Path, "state.new"), own.Empty)) return false;
            losses.SetSaved(counted);
            if (isShared) State = saved;
            changed.Clear();
            return true;
        }

        /// <summary>The members by which an installation has one account.</summary>
        private static bool IsOfDevice(string member)
        {
            return member == "installation" || member.StartsWith("device", StringComparison.Ordinal);
        }

        /// <summary>Whether somebody deleted the folder, and another installation made it again.</summary>
        private bool IsOfAnother(Json saved)
        {
            string installation = saved["installation"].Text;
            string known = State["installation"].Text;
            return IsInstallation(known) && IsInstallation(installation) && installation != known;
        }

        private static void Set(Json json, string member, Json value)
        {
            if (value.IsNull) json.Remove(member); else json.With(member, value);
        }

        /// <summary>
        /// Makes this process one installation with those that use the folder: with one device account, or with one key of
        /// the request for it. `refused` is the device or the key that the server refused. The proposal of one process wins,
        /// because no folder can be renamed onto one with a file in it.
        /// </summary>
        internal void Agree(string refused)
        {
            if (IsOfAnother(SavedState()))
            {
                ForgetDevice();
                Remember("deviceKey", Json.Of(Files.RandomHex(32)));
                return;
            }
            string first = Path.Combine(folder, "first");
            for (int attempt = 0; own != null && attempt < 3 && !TakeAgreed(refused); attempt++)
            {
                string known = State["installation"].Text;
                Propose(first, (IsInstallation(known) ? known : Files.RandomHex(8)) + "-" + Files.RandomHex(32));
                foreach (string name in Files.Names(first, false))
                {
                    if (name.Length != 41 || !SegmentName.IsHex(name, 0, 8)) continue;
                    // Read again: whoever removes a proposal has written the state first.
                    bool isAgreed = TakeAgreed(refused);
                    if (!isAgreed)
                    {
                        ForgetDevice();
                        Remember("installation", Json.Of(name.Substring(0, 8)));
                        Remember("deviceKey", Json.Of(name.Substring(9)));
                        isAgreed = WriteState();
                    }
                    if (isAgreed && Files.Delete(Path.Combine(first, name))) Files.Try(() => Directory.Delete(first, false));
                    return;
                }
            }
            if (!IsInstallation(State["installation"].Text)) Remember("installation", Json.Of(Files.RandomHex(8)));
        }

        internal void ForgetDevice()
        {
            foreach (string member in new[] { "device", "deviceAccount", "deviceKey" }) Remember(member, Json.Null);
        }

        private Json SavedState()
        {
            byte[] bytes = Files.Read(Path.Combine(folder, "state.json"));
            Json saved = bytes == null ? null : Json.Parse(Encoding.UTF8.GetString(bytes));
            return saved != null && saved.IsObject ? saved : Json.Object();
        }

        private static bool IsInstallation(string text) { return text.Length == 8 && SegmentName.IsHex(text, 0, 8); }

        /// <summary>Takes over the device, or the key for it, that another process has saved.</summary>
        private bool TakeAgreed(string refused)
        {
            Json saved = SavedState();
            string device = saved["device"]["deviceId"].Text;
            string key = saved["deviceKey"].Text;
            bool isAgreed = (device.Length > 0 && device != refused) || (key.Length > 0 && key != refused);
            if (!isAgreed || !IsInstallation(saved["installation"].Text)) return false;
            foreach (string member in new[] { "installation", "device", "deviceAccount", "deviceKey" })
            {
                Set(State, member, saved[member]);
                changed.Remove(member);
            }
            return true;
        }

        private void Propose(string first, string name)
        {
            string proposal = Path.Combine(own.Path, "first");
            Files.Try(() => Directory.CreateDirectory(proposal));
            Files.Try(() => File.WriteAllBytes(Path.Combine(proposal, name), new byte[0]));
            if (Files.Try(() => Directory.Move(proposal, first))) return;
            Files.Try(() => Directory.Delete(proposal, true));
        }

        internal void Close()
        {
            foreach (Segment segment in segments)
                if (segment.Run != null && !segment.Run.IsOwn) segment.Run.Lock.Release(false);
            if (own == null) return;
            if (own.Segments == 0) RemoveRun(own); else own.Lock.Release(false);
            own = null;
        }

        private void Sort() { segments.Sort((a, b) => string.CompareOrdinal(a.Stem, b.Stem)); }

        private static void RemoveRun(Run run)
        {
            foreach (string name in Files.Names(run.Path, false))
                if (name.EndsWith(".new", StringComparison.Ordinal)) Files.Delete(Path.Combine(run.Path, name));
            run.Lock.Release(true);
            // Refused, as it should be, if a newer version's segment is still there.
            Files.Try(() => Directory.Delete(run.Path, false));
        }
    }
}
