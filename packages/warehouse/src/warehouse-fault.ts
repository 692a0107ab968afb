/** A failed call to ClickHouse. `code` is its exception code, or a name if it returned none. */
export class WarehouseFault extends Error {
  override readonly name = 'WarehouseFault';
  readonly code: string;
  /** Whether the same call can succeed later. */
  readonly transient: boolean;

  constructor(message: string, details: { code: string; transient: boolean; cause?: unknown }) {
    super(`ClickHouse: ${details.code}: ${message}`, { cause: details.cause });
    this.code = details.code;
    this.transient = details.transient;
  }
}
