import type { Transform } from 'node:stream';
import { createBlockPacker } from '../native/blocks.ts';
import type { ReadStatement } from '../sql/statement.ts';
import { type Answer, createAnswer } from './answer.ts';
import { type Coding, encoder, responseCoding } from './content-coding.ts';
import type { Exchange } from './exchange.ts';
import { contentType } from './formats.ts';
import { isTrue } from './request-params.ts';

const HOLD_BYTES = 1024 * 1024;
const DEFAULT_LEVEL = 3;

export interface OpenAnswer {
  readonly body: Answer;
  /** What the engine itself has to pack the result with. */
  readonly engineCoding: Coding | undefined;
}

/** The answer to a request, in the format of `read` (undefined for statements that only have small results). */
export function openAnswer(
  exchange: Exchange,
  read: ReadStatement | undefined,
  about: { readonly version: string; readonly newId: () => string },
): OpenAnswer {
  const { params, response, headers } = exchange;
  const format = read?.format ?? params.defaultFormat;
  const packing = packingOf(exchange, read !== undefined);
  const body = createAnswer(response, {
    headers: {
      ...headers,
      'Content-Type': contentType(format),
      'X-ClickHouse-Format': format,
      ...(packing.coding === undefined ? {} : { 'Content-Encoding': packing.coding }),
    },
    version: about.version,
    holdBytes: params.bufferBytes ?? HOLD_BYTES,
    exceptionTag: about.newId().replaceAll('-', '').slice(0, 16),
    packer: packing.packer,
  });
  return { body, engineCoding: packing.packer === undefined ? packing.coding : undefined };
}

interface Packing {
  readonly coding?: Coding;
  /** Undefined when nothing is packed, or the engine does it. */
  readonly packer: Transform | undefined;
}

function packingOf({ params, request }: Exchange, engineCan: boolean): Packing {
  if (params.nativeCompression) return { packer: createBlockPacker() };
  const wanted = isTrue(params.settings.get('enable_http_compression') ?? '1');
  const coding = wanted ? responseCoding(request.headers['accept-encoding']) : undefined;
  if (coding === undefined) return { packer: undefined };
  const packer = encoder(coding, Number(params.settings.get('http_zlib_compression_level') ?? DEFAULT_LEVEL));
  return packer === undefined && !engineCan ? { packer } : { coding, packer };
}
