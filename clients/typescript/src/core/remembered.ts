import type { Loss, LossReason } from './options.ts';
import type { ClientParts } from './parts.ts';
import { type Consent, mergeState, type SavedState } from './saved-state.ts';

/** What this device remembers between runs. Other tabs and processes read and write it too. */
export class Remembered {
  state: SavedState;
  readonly #parts: ClientParts;
  readonly #listeners = new Set<(loss: Loss) => void>();
  /** Losses that are not saved yet. */
  #lost: Record<string, number> = {};
  #isScheduled = false;
  #saving: Promise<unknown> = Promise.resolve();

  constructor(parts: ClientParts, known: SavedState | null) {
    this.#parts = parts;
    const { options, platform } = parts;
    this.state = {
      consent: options.consent ?? known?.consent ?? 'unknown',
      installation: known?.installation ?? platform.randomHex(4),
      device: known?.device ?? null,
      deviceAccount: known?.deviceAccount ?? null,
      deviceRequest: known?.deviceRequest ?? null,
      losses: known?.losses ?? {},
    };
  }

  change(changed: Partial<SavedState>): void {
    this.state = { ...this.state, ...changed };
    this.save();
  }

  /**
   * Before the first event of this installation: all tabs and processes agree on one installation and one request for its
   * device account. With two accounts, an event that one sent could be stored again for the other.
   */
  async claim(consent: Consent): Promise<void> {
    const claimed = this.#saving.then(async () => {
      const { device, deviceRequest } = this.state;
      const fresh = device ? null : (deviceRequest ?? this.#parts.platform.randomHex(16));
      const mine = { ...this.state, consent, deviceRequest: fresh };
      this.state = await this.#parts.store.updateState((known) => mergeState(mine, known, {}));
    });
    this.#saving = claimed.catch(() => undefined);
    await claimed;
  }

  /** Counts lost events. Returns false, which is what `track` then answers. */
  lose(reason: LossReason, count: number): false {
    this.#lost[reason] = (this.#lost[reason] ?? 0) + count;
    const { losses } = this.state;
    this.state = { ...this.state, losses: { ...losses, [reason]: (losses[reason] ?? 0) + count } };
    if (reason !== 'closed') this.save();
    for (const listener of this.#listeners) {
      try {
        listener({ reason, count });
      } catch {
        // The game's own listener: its fault must not stop the buffer.
      }
    }
    return false;
  }

  onLoss(listener: (loss: Loss) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Writes the state soon, once for many changes. */
  save(): void {
    if (this.#isScheduled || this.state.consent === 'unknown') return;
    this.#isScheduled = true;
    this.#saving = this.#saving
      .then(() => {
        this.#isScheduled = false;
        const [mine, lost] = [this.state, this.#lost];
        this.#lost = {};
        return this.#parts.store.updateState((known) => mergeState(mine, known, lost));
      })
      .catch((error: unknown) => this.#parts.tell('state', `state.json cannot be written: ${String(error)}`));
  }

  /** Resolves when everything so far is written. */
  async saved(): Promise<void> {
    await this.#saving;
  }
}
