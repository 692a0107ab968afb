import { type ErasureCertificate, hashAccount, isCertificateIntact, uuidShape } from '@tickrate/contract';
import { type PostgresSource, usePostgres } from '@tickrate/postgres';
import { type ErasureRequest, type ErasureState, erasureStatement } from './erasure-request.ts';
import { createErasureWork } from './erasure-work.ts';

export interface Erasure {
  readonly id: string;
  readonly projectId: string;
  /** Null: the whole project. */
  readonly accountHash: string | null;
  readonly mode: 'remove' | 'mask';
  readonly requestedBy: string;
  readonly requestedMs: number;
  readonly state: ErasureState;
  /** The fault of the last attempt. Null if there was none. */
  readonly fault: string | null;
  /** Null until the erasure is done. */
  readonly certificate: ErasureCertificate | null;
}

/** `unknown`: no erasure has this id. `changed`: it differs from the certificate that was written. */
export type CertificateCheck = 'intact' | 'changed' | 'unknown';

export interface ErasurePage {
  readonly accountId?: string | undefined;
  /** Erasures before this one. */
  readonly after?: { readonly requestedMs: number; readonly id: string } | null;
  readonly limit?: number;
}

export type ErasuresOptions = PostgresSource & {
  /** Returns UUIDs. */
  newId(): string;
};

const noId = '00000000-0000-0000-0000-000000000000';
const requestedMs = "date_trunc('milliseconds', requested_at)";
const columns = `id, project AS "projectId", account_hash AS "accountHash", mode, requested_by AS "requestedBy",
         (extract(epoch FROM ${requestedMs}) * 1000)::float8 AS "requestedMs", state, fault, certificate`;
const pageSql = (where: string) => `
  SELECT ${columns} FROM delivery.erasures
   WHERE ${where} AND (${requestedMs}, id) < ($3::timestamptz, $4::uuid)
   ORDER BY ${requestedMs} DESC, id DESC LIMIT $5`;
const ofProject = pageSql('project = $1 AND ($2::text IS NULL OR account_hash = $2)');
const ofProjects = pageSql(
  'account_hash IS NULL AND ($1::text IS NULL OR requested_by = $1) AND $2::text IS NULL',
);

/** Erasures as durable jobs. Every call is one statement. It rejects with PostgresUnavailable if Postgres is away. */
export type Erasures = ReturnType<typeof createErasures>;

/** Connects at first use. */
export function createErasures({ newId, ...source }: ErasuresOptions) {
  const { postgres: db, close } = usePostgres(source);

  async function find(id: string): Promise<Erasure | null> {
    if (!uuidShape.test(id)) return null;
    const sql = `SELECT ${columns} FROM delivery.erasures WHERE id = $1`;
    return (await db.query<Erasure>(sql, [id]))[0] ?? null;
  }

  function read(sql: string, first: string | null, page: ErasurePage): Promise<Erasure[]> {
    const { accountId, after = null, limit = 100 } = page;
    const hash = accountId === undefined ? null : hashAccount(accountId);
    const before = [after === null ? 'infinity' : new Date(after.requestedMs), after?.id ?? noId];
    return db.query(sql, [first, hash, ...before, limit]);
  }

  return {
    ...createErasureWork(db),
    /** Resolves with the id of the erasure when it is durable. */
    async request(request: ErasureRequest): Promise<string> {
      const { sql, values } = erasureStatement(newId(), request);
      const rows = await db.query<{ id: string }>(sql, [...values]);
      if (rows[0] === undefined) throw new Error('The requested erasure has no id');
      return rows[0].id;
    },
    find,
    /** The erasures of a project, or of one account, newest first. */
    list: (projectId: string, page: ErasurePage = {}) => read(ofProject, projectId, page),
    /** Deleted projects, newest first: of everybody with null, or those that one administrator deleted. */
    deletedProjects: (requestedBy: string | null, page: Omit<ErasurePage, 'accountId'> = {}) =>
      read(ofProjects, requestedBy, page),
    async verify(certificate: ErasureCertificate): Promise<CertificateCheck> {
      const erasure = await find(String(certificate.id));
      if (erasure === null || erasure.certificate === null) return 'unknown';
      const isSame = erasure.certificate.digest === certificate.digest;
      return isSame && isCertificateIntact(certificate) ? 'intact' : 'changed';
    },
    close,
  };
}
