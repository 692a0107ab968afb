import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { type Coding, encoder, responseCoding } from '../request/content-coding.ts';
import { isTrue, type RequestParams } from '../request/request-params.ts';

export interface Packing {
  readonly coding?: Coding;
  /** Undefined when nothing is packed, or the engine does it. */
  readonly packer: Transform | undefined;
}

export const UNPACKED: Packing = { packer: undefined };

const DEFAULT_LEVEL = 3;

/** The packing of the answer. With `engineCan`, the engine applies codings that Node does not know. */
export function packingOf(params: RequestParams, request: IncomingMessage, engineCan: boolean): Packing {
  const wanted = isTrue(params.settings.get('enable_http_compression') ?? '1');
  const coding = wanted ? responseCoding(request.headers['accept-encoding']) : undefined;
  if (coding === undefined) return UNPACKED;
  const packer = encoder(coding, levelOf(params));
  return packer === undefined && !engineCan ? UNPACKED : { coding, packer };
}

/** An invalid level does not reach the packer, which would throw. The engine reports it. */
function levelOf({ settings }: RequestParams): number {
  const level = Number(settings.get('http_zlib_compression_level') ?? DEFAULT_LEVEL);
  return Number.isInteger(level) && level > 0 ? level : DEFAULT_LEVEL;
}
