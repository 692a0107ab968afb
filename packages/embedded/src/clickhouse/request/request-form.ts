import type { IncomingMessage } from 'node:http';
import { Code, fault } from '../answer/http-fault.ts';

/** A table that a query contains as a file of a form. */
export interface ExternalTable {
  readonly name: string;
  readonly format: string;
  readonly structure: string;
  readonly data: Blob;
}

const FORM_LIMIT_BYTES = 256 * 1024 * 1024;

/** Reads a multipart body: its fields follow those of the URL. Undefined if the request has none. */
export async function readForm(
  request: IncomingMessage,
  url: URLSearchParams,
): Promise<{ fields: URLSearchParams; tables: ExternalTable[] } | undefined> {
  const type = request.headers['content-type'] ?? '';
  if (request.method !== 'POST' || !/^multipart\/form-data\b/i.test(type)) return undefined;
  const form = await parse(await whole(request), type);
  const fields = new URLSearchParams(url);
  const files: [string, File][] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.append(name, value);
    else files.push([name, value]);
  }
  const tables = files.map(([name, data]) => externalTable(name, data, fields));
  for (const { name } of tables) for (const kind of KINDS) fields.delete(`${name}_${kind}`);
  return { fields, tables };
}

const KINDS = ['format', 'structure', 'types'];

function externalTable(name: string, data: File, fields: URLSearchParams): ExternalTable {
  const types = fields.get(`${name}_types`)?.split(',');
  const numbered = types?.map((type, i) => `_${i + 1} ${type}`).join(', ');
  const structure = fields.get(`${name}_structure`) ?? numbered;
  if (structure === undefined) {
    throw fault(
      Code.badArguments,
      `Neither structure nor types have not been provided for external table ${name}. Use fields ${name}_structure or ${name}_types to do so.`,
    );
  }
  return { name, data, structure, format: fields.get(`${name}_format`) ?? 'TabSeparated' };
}

async function whole(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > FORM_LIMIT_BYTES)
      throw fault(Code.queryIsTooLarge, `The form is larger than ${FORM_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function parse(body: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'Content-Type': type } }).formData();
  } catch (error) {
    throw fault(
      Code.badArguments,
      `The form cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
