import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  isPermitted,
  type Operation,
  parameterInvalid,
  personalScope,
  type SystemError,
  systemError,
} from '@tickrate/contract';
import { answerText, contextOf, type RequestContext, readBody } from '@tickrate/platform';
import { projectDatabase, type ResultFormat } from '@tickrate/warehouse';
import type { Express } from 'express';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { translateOutage } from '../calls/translate-outage.ts';
import { viewsOf } from '../event-types/personal-members.ts';
import { queryOperations } from '../queries/query-operations.ts';
import { askRows, sendRows } from '../queries/query-routes.ts';
import { compressedBlocks } from './compressed-blocks.ts';
import { helloBlock, isHello } from './native-hello.ts';
import { readStatement } from './read-statement.ts';

interface BiParts extends ConsoleParts {
  /** As for every other call, with the key that is the password. */
  readonly admit: (context: RequestContext, operation: Operation) => Promise<Caller>;
}

/** Before every refusal, so that BI tools can read it. */
export function refuseAsClickHouse(app: Express): void {
  app.post('/', (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    const context = contextOf(request);
    context.writeFailure = (failure) => {
      const code = codeOf(failure);
      response.setHeader('X-ClickHouse-Exception-Code', code);
      const { message, fields, code: ours } = failure;
      return `Code: ${code}. DB::Exception: ${fields ?? message} (Tickrate ${ours}, request ${context.requestId})\n`;
    };
    next();
  });
}

/**
 * ClickHouse's HTTP interface for BI tools, at the root: some tools have no field for a path. The user is the id of a project
 * and the password one of its keys. Every statement runs as one of `POST /v1/query`.
 */
export function addBiRoutes(app: Express, parts: BiParts): void {
  app.get('/ping', (_request, response) => answerText(response, 'Ok.\n', { contentType: plainText }));
  app.post('/', (request: IncomingMessage) => translateOutage(() => answer(parts, contextOf(request))));
}

const plainText = 'text/plain; charset=utf-8';

async function answer(parts: BiParts, context: RequestContext): Promise<void> {
  const caller = await callerOf(parts, context);
  const { sql, format, revision, isFramed } = await readAsked(context, caller);
  const { response } = context;
  response.setHeader('X-ClickHouse-Format', format.clickhouse);
  response.setHeader('X-ClickHouse-Timezone', 'UTC');
  response.setHeader('X-ClickHouse-Server-Display-Name', 'Tickrate');
  response.setHeader('X-ClickHouse-Query-Id', context.requestId);
  const isGreeted = format.clickhouse === 'Native' && isHello(sql);
  const result = isGreeted
    ? { contentType: format.contentType, stream: Readable.from([helloBlock(revision)]), resultRows: 1 }
    : await ask(parts, context, { caller, sql, format });
  if (result === null) return;
  // The numbers of rows that ClickHouse read include those of other projects.
  if (result.resultRows !== null)
    response.setHeader('X-ClickHouse-Summary', JSON.stringify({ result_rows: String(result.resultRows) }));
  await sendRows(context, result, isFramed ? compressedBlocks() : undefined);
}

/** The database and the format are in a header or in the URL. Settings in the URL have no effect. */
async function readAsked({ request }: RequestContext, { projectId }: Caller) {
  const { headers } = request;
  const fields = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
  const given = (header: string, field: string) => String(headers[header] ?? fields.get(field) ?? '');
  const own = projectDatabase(projectId);
  if (!['', 'default', own].includes(given('x-clickhouse-database', 'database')))
    throw parameterInvalid('database', `not the database of this user, which is ${own}`);
  const parameter = [...fields.keys()].find((name) => name.startsWith('param_'));
  if (parameter !== undefined) throw parameterInvalid(parameter, 'write its value in the statement');
  const body = await readBody(request, {
    limitBytes: 64 * 1024,
    types: ['application/x-www-form-urlencoded'],
  });
  const { sql, format } = readStatement(`${fields.get('query') ?? ''}\n${body.toString()}`);
  return {
    sql,
    format: formatOf(format ?? (given('x-clickhouse-format', 'default_format') || 'TabSeparated')),
    revision: Number(fields.get('client_protocol_version') ?? 0),
    isFramed: fields.get('compress') === '1',
  };
}

async function ask(
  parts: ConsoleParts,
  context: RequestContext,
  { caller, ...query }: { readonly caller: Caller; readonly sql: string; readonly format: ResultFormat },
) {
  const { projectId, scopes } = caller;
  const views = await viewsOf(projectId, parts.registry);
  const isWhole = isPermitted(scopes, personalScope);
  const tables = parts.warehouse.describeTables(views, isWhole ? 'whole' : 'masked');
  const catalogue = { user: projectId, tables };
  const masked = isWhole ? undefined : views;
  return askRows(parts, { caller, context, masked, query: { ...query, catalogue } });
}

async function callerOf({ admit }: BiParts, context: RequestContext): Promise<Caller> {
  const caller = await admit(context, queryOperations.runQuery);
  if (caller.kind !== 'administrative')
    throw systemError('apiKeyKindNotPermitted', { expectedSessionType: 'administrative' });
  if (credentialsOf(context.request)?.user !== caller.projectId)
    throw systemError(
      'apiKeyInvalid',
      {},
      { fields: `user: not ${caller.projectId}, the project of the password` },
    );
  return caller;
}

/** The password, which is a key. A URL is logged on its way, so it is not read there. */
export function passwordOf({ request }: Pick<RequestContext, 'request'>): string | null {
  return credentialsOf(request)?.password ?? null;
}

function credentialsOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  const [user, password] = [headers['x-clickhouse-user'], headers['x-clickhouse-key']];
  if (typeof user === 'string' && typeof password === 'string') return { user, password };
  const [, encoded] = /^basic +(\S+)\s*$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const [name = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  return { user: name, password: rest.join(':') };
}

/** Formats that only depend on the rows. Others read files of the server, or speak the protocols of other databases. */
const formats = new RegExp(
  `^(?:${[
    'Native',
    'RowBinary(?:WithNames(?:AndTypes)?)?',
    '(?:TabSeparated|TSV)(?:Raw)?(?:WithNames(?:AndTypes)?)?',
    'CSV(?:WithNames(?:AndTypes)?)?',
    'JSON(?:Strings)?(?:EachRow)?',
    'JSONCompact(?:Strings)?(?:EachRow(?:WithNames(?:AndTypes)?)?)?',
    'Parquet|Arrow(?:Stream)?|Values|Vertical|Pretty(?:Compact)?|Null',
  ].join('|')})$`,
);

function formatOf(clickhouse: string): ResultFormat {
  if (!formats.test(clickhouse))
    throw parameterInvalid('default_format', 'not a format that queries of BI tools have');
  return { clickhouse, contentType: contentTypeOf(clickhouse) };
}

function contentTypeOf(format: string): string {
  if (format.startsWith('JSON')) return 'application/json; charset=utf-8';
  return /^(?:Native|RowBinary|Parquet|Arrow)/.test(format) ? 'application/octet-stream' : plainText;
}

const codesOfReasons: Readonly<Record<string, string>> = {
  syntax: '62',
  notSelect: '164',
  settings: '164',
  table: '60',
  function: '46',
  name: '47',
  construct: '48',
  parameter: '456',
  tooLong: '159',
  tooManyRows: '396',
  tooMuchMemory: '241',
};

/** The code of ClickHouse for the same refusal, by which drivers recognise an error. */
function codeOf({ reason, status, data }: SystemError): string {
  if (status === 401) return '516';
  if (status === 403) return '497';
  if (reason === 'rateLimited') return '202';
  const [fault] = Array.isArray(data['queryFailureErrors']) ? data['queryFailureErrors'] : [];
  const [, exact] = /\(ClickHouse (\d+)\)$/.exec(String(fault?.message)) ?? [];
  return exact ?? codesOfReasons[String(fault?.reason)] ?? (status < 500 ? '36' : '210');
}
