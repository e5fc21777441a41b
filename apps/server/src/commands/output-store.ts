import { sql } from 'drizzle-orm';
import type { OutputPiece } from '@deviceportal/contract/commands';
import type { Executor } from '../platform/database/database.ts';
import { maskOverlap, maskSecrets } from './mask-secrets.ts';

/** One answer holds no more than this of a stream, in UTF-16 units; the next call goes on behind it. */
const MAX_PIECE_LENGTH = 1024 * 1024;

export interface OutputRequest {
  readonly invocationId: string;
  readonly stream: 'stdout' | 'stderr';
  readonly from: number;
  readonly total: number;
  readonly truncated: boolean;
  readonly secrets: readonly string[];
}

/** A stream from an offset on, secrets hidden. Where a piece is missing, it ends before the hole. */
export async function readOutput(executor: Executor, request: OutputRequest): Promise<OutputPiece> {
  const { from, total, truncated, secrets } = request;
  const begin = Math.max(0, from - maskOverlap(secrets));
  const { rows } = await executor.execute(sql`
    select "offset"::float8 as "offset", text from invocation_output
    where invocation_id = ${request.invocationId} and stream = ${request.stream}
      and "offset" < ${from + MAX_PIECE_LENGTH}
      and "offset" >= coalesce((
        select max("offset") from invocation_output
        where invocation_id = ${request.invocationId} and stream = ${request.stream} and "offset" <= ${begin}), 0)
    order by "offset"`);
  const pieces = rows as unknown as { offset: number; text: string }[];
  const text = joined(pieces, begin);
  const masked = secrets.length === 0 ? text : maskSecrets(text, secrets);
  return {
    offset: from,
    text: masked.slice(from - begin),
    total: Math.max(total, begin + text.length),
    truncated,
  };
}

function joined(pieces: readonly { offset: number; text: string }[], begin: number): string {
  const parts: string[] = [];
  let reached = begin;
  for (const { offset, text } of pieces) {
    if (offset > reached) break;
    const part = text.slice(reached - offset);
    parts.push(part);
    reached += part.length;
  }
  return parts.join('');
}
