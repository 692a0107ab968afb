export interface Circuit {
  readonly open: boolean;
  failed(): void;
  succeeded(): void;
}

export interface CircuitOptions {
  /** Failures in a row after which it opens. */
  readonly threshold: number;
  onOpen(): void;
  onClose(): void;
}

/** closed → (failures in a row) → open → (a success) → closed. */
export function createCircuit({ threshold, onOpen, onClose }: CircuitOptions): Circuit {
  let failures = 0;
  return {
    get open() {
      return failures >= threshold;
    },
    failed() {
      failures += 1;
      if (failures === threshold) onOpen();
    },
    succeeded() {
      const wasOpen = failures >= threshold;
      failures = 0;
      if (wasOpen) onClose();
    },
  };
}
