/** ClickHouse did not do what it was asked. `code` is its exception code, or a name where it gave none. */
export class WarehouseFault extends Error {
  override readonly name = 'WarehouseFault';
  readonly code: string;
  /** Whether the same call may succeed later. */
  readonly transient: boolean;

  constructor(message: string, details: { code: string; transient: boolean; cause?: unknown }) {
    super(`ClickHouse: ${details.code}: ${message}`, { cause: details.cause });
    this.code = details.code;
    this.transient = details.transient;
  }
}
