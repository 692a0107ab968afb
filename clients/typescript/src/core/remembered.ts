import type { Core } from './core.ts';
import type { LossReason } from './options.ts';
import { addLosses, type Consent, mergeState, type SavedState } from './saved-state.ts';

/* What this device remembers between runs. Other tabs and processes read and write it too. */

export function remember(core: Core, changed: Partial<SavedState>): void {
  core.saved = { ...core.saved, ...changed };
  saveSoon(core);
}

/**
 * Before the first event of this installation: all tabs and processes agree on one installation and one request for its
 * device account. With two accounts, an event that one sent could be stored again for the other.
 */
export async function claim(core: Core, consent: Consent): Promise<void> {
  const claimed = core.saving.then(async () => {
    const { device, deviceRequest } = core.saved;
    const fresh = device ? null : (deviceRequest ?? core.platform.randomHex(16));
    const mine = { ...core.saved, consent, deviceRequest: fresh };
    core.saved = await core.store.updateState((known) =>
      mergeState(mine, known, { lost: {}, isChosen: core.isConsentChosen }),
    );
  });
  core.saving = claimed.catch(() => undefined);
  await claimed;
}

/** Counts lost events. Returns false, which is what `track` then answers. */
export function lose(core: Core, reason: LossReason, count = 1): false {
  const lost = { [reason]: count };
  core.unsavedLosses = addLosses(core.unsavedLosses, lost);
  core.saved = { ...core.saved, losses: addLosses(core.saved.losses, lost) };
  if (reason !== 'closed') saveSoon(core);
  for (const listener of core.lossListeners) {
    try {
      listener({ reason, count });
    } catch {
      // The game's own listener: its fault must not stop the buffer.
    }
  }
  return false;
}

/** Writes the state soon, once for many changes. */
export function saveSoon(core: Core): void {
  if (core.isSaveDue || core.saved.consent === 'unknown') return;
  core.isSaveDue = true;
  core.saving = core.saving
    .then(() => {
      const { saved, unsavedLosses: lost, isConsentChosen: isChosen } = core;
      core.isSaveDue = core.isUnsaved = false;
      core.isConsentChosen = false;
      core.unsavedLosses = {};
      return core.store
        .updateState((known) => mergeState(saved, known, { lost, isChosen }))
        .catch((error) => {
          core.isUnsaved = true;
          core.unsavedLosses = addLosses(core.unsavedLosses, lost);
          core.isConsentChosen ||= isChosen;
          throw error;
        });
    })
    .then(({ consent }) => {
      if (consent === 'denied' && !core.isConsentChosen) core.learnConsent(consent);
    })
    .catch((error) => core.tell('state', error));
}
