import { Code, fault } from '../answer/http-fault.ts';
import type { Connection } from '../engine/engine.ts';
import type { SessionParams } from '../request/request-params.ts';

export interface SessionLease {
  readonly connection: Connection;
  /** Frees the session for the next request, or ends it. */
  leave(options: { readonly close: boolean }): void;
}

interface Session {
  readonly connection: Connection;
  busy: boolean;
  expiry: NodeJS.Timeout | undefined;
}

/**
 * Sessions by name: free → busy (one request) → free, and deleted when free for their timeout. A second request
 * meanwhile is rejected (373), as in ClickHouse.
 */
export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(connect: () => Connection) {
  const open = new Map<string, Session>();
  const forget = async (id: string, session: Session): Promise<void> => {
    clearTimeout(session.expiry);
    open.delete(id);
    await session.connection.close();
  };
  return {
    /** Throws 372 if the session must exist and does not, 373 if it is busy. */
    enter({ id, timeoutS, mustExist }: SessionParams): SessionLease {
      const known = open.get(id);
      if (known === undefined && mustExist) throw fault(Code.sessionNotFound, `Session ${id} not found`);
      if (known?.busy) throw fault(Code.sessionIsLocked, `Session ${id} is locked by a concurrent client`);
      const session = known ?? { connection: connect(), busy: false, expiry: undefined };
      clearTimeout(session.expiry);
      session.busy = true;
      open.set(id, session);
      return {
        connection: session.connection,
        leave({ close }) {
          session.busy = false;
          if (close) return void forget(id, session);
          session.expiry = setTimeout(() => void forget(id, session), timeoutS * 1000).unref();
        },
      };
    },
    async close(): Promise<void> {
      await Promise.all([...open].map(([id, session]) => forget(id, session)));
    },
  };
}
