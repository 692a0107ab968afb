import type { Core } from './core.ts';
import type { Loss, LossReason } from './options.ts';
import { addLosses, type Consent, mergeState, type SavedState } from './saved-state.ts';

export interface WithState extends Core {
  readonly deviceState: DeviceState;
}

/** What this device remembers between runs. Other tabs and processes read and write it too. */
export class DeviceState {
  private readonly core: Core;
  saved: SavedState;
  readonly lossListeners = new Set<(loss: Loss) => void>();
  /** Another tab or process may have changed it. */
  onConsent?: (consent: Consent) => void;
  /** The consent of this run is newer than what is saved. */
  isConsentChosen: boolean;
  /** Resolves when what was changed is saved, or cannot be saved. */
  saving: Promise<unknown> = Promise.resolve();
  /** Losses that are not saved yet. */
  #unsavedLosses: Record<string, number> = {};
  #isSaveDue = false;
  #isUnsaved: boolean | undefined;

  constructor(core: Core, known: SavedState | null) {
    const { options, platform } = core;
    const consent = options.consent === 'unknown' ? undefined : options.consent;
    this.core = core;
    this.isConsentChosen = consent !== undefined;
    this.saved = {
      consent: 'unknown',
      installation: platform.randomHex(4),
      device: null,
      deviceAccount: null,
      deviceRequest: null,
      losses: {},
      ...known,
      ...(consent && { consent }),
    };
  }

  remember(changed: Partial<SavedState>): void {
    this.saved = { ...this.saved, ...changed };
    this.saveSoon();
  }

  /**
   * Before the first event of this installation: all tabs and processes agree on one installation and one request for its
   * device account. With two accounts, an event that one sent could be stored again for the other.
   */
  async agree(consent: Consent): Promise<void> {
    const { platform, store } = this.core;
    const agreed = this.saving.then(async () => {
      const { device, deviceRequest } = this.saved;
      const fresh = device ? null : (deviceRequest ?? platform.randomHex(16));
      const mine = { ...this.saved, consent, deviceRequest: fresh };
      this.saved = await store.updateState((known) =>
        mergeState(mine, known, { lost: {}, isChosen: this.isConsentChosen }),
      );
    });
    this.saving = agreed.catch(() => undefined);
    await agreed;
  }

  /** Returns false, which is what `track` then answers. */
  countLoss(reason: LossReason, count = 1): false {
    const lost = { [reason]: count };
    this.#unsavedLosses = addLosses(this.#unsavedLosses, lost);
    this.saved = { ...this.saved, losses: addLosses(this.saved.losses, lost) };
    if (reason !== 'closed') this.saveSoon();
    for (const listener of this.lossListeners) {
      try {
        listener({ reason, count });
      } catch {
        // The game's own listener: its fault must not stop the buffer.
      }
    }
    return false;
  }

  /** Saves again what could not be saved. */
  saveAgain(): void {
    if (this.#isUnsaved) this.saveSoon();
  }

  /** Writes the state soon, once for many changes. */
  saveSoon(): void {
    if (this.#isSaveDue || this.saved.consent === 'unknown') return;
    this.#isSaveDue = true;
    this.saving = this.saving
      .then(() => this.#save())
      .then(({ consent }) => {
        if (consent === 'denied' && !this.isConsentChosen) this.onConsent?.(consent);
      })
      .catch((error) => this.core.report('state', error));
  }

  async #save(): Promise<SavedState> {
    const { saved, isConsentChosen: isChosen } = this;
    const lost = this.#unsavedLosses;
    this.#isSaveDue = this.#isUnsaved = this.isConsentChosen = false;
    this.#unsavedLosses = {};
    try {
      return await this.core.store.updateState((known) => mergeState(saved, known, { lost, isChosen }));
    } catch (error) {
      this.#isUnsaved = true;
      this.#unsavedLosses = addLosses(this.#unsavedLosses, lost);
      this.isConsentChosen ||= isChosen;
      throw error;
    }
  }
}
