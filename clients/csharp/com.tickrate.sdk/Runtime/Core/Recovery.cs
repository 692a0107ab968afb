using System;
using System.Collections.Generic;
using System.IO;

namespace Tickrate
{
    /// <summary>Takes over the files of a run that has ended.</summary>
    internal sealed class Recovery
    {
        private readonly Store store;
        private readonly LossCounter losses;
        private readonly string devicePrincipal;

        internal Recovery(Store store, LossCounter losses, string devicePrincipal)
        {
            this.store = store;
            this.losses = losses;
            this.devicePrincipal = devicePrincipal;
        }

        internal void Recover(Run run)
        {
            var kept = new List<string>();
            foreach (SegmentName name in Sorted(run))
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
        private static List<SegmentName> Sorted(Run run)
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
                if (Files.IsFile(path)) store.Leave(run, 1);
                return;
            }
            SegmentContents contents = SegmentContents.Read(file, name.IsSealed);
            losses.Add(Loss.Torn, contents.Torn);
            losses.Add(Loss.Damaged, contents.Damaged);
            if (contents.Found == Found.Delete) Files.Delete(path);
            if (contents.Found == Found.Aside) store.KeepAside(path);
            if (contents.Found == Found.Leave) run.Segments++;
            if (contents.Found != Found.Send) return;
            bool isOfFormer = contents.Principal.StartsWith("device:", StringComparison.Ordinal) && contents.Principal != devicePrincipal;
            if (isOfFormer && name.IsSealed)
            {
                // Perhaps it was stored for the former installation's account.
                losses.Add(Loss.Damaged, contents.Events);
                store.KeepAside(path);
                return;
            }
            Seal(run, path, name, contents, file, isOfFormer);
        }

        private void Seal(Run run, string path, SegmentName name, SegmentContents contents, byte[] file, bool isOfFormer)
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
                bool isWritten = store.WriteSegment(segment, good);
                // On a full disk there is no space for a copy, only for the file as it is.
                if (!isWritten && header == null) isWritten = Files.CutInto(path, contents.GoodBytes, segment.SealedPath);
                if (!isWritten)
                {
                    store.Leave(run, contents.Events);
                    return;
                }
                if (!name.IsSealed) Files.Delete(path);
            }
            store.Add(segment);
        }
    }
}
