import type { OutputPiece } from '@deviceportal/contract/invocations';
import type { Executor } from '../../platform/database/database.ts';
import { findBeginnings, findPieces, type OutputRow } from '../data/output-queries.ts';
import { maskOverlap, maskSecrets } from './mask-secrets.ts';

/** Maximum size of a response per stream, in UTF-16 code units. The next call continues after it. */
const MAX_PIECE_LENGTH = 1024 * 1024;

export interface OutputRequest {
  readonly invocationId: string;
  readonly stream: 'stdout' | 'stderr';
  readonly from: number;
  readonly total: number;
  readonly truncated: boolean;
  readonly secrets: readonly string[];
}

/** A value per stream: the requested number of UTF-16 code units, or the text itself. */
interface OfStreams<Value> {
  readonly stdout: Value;
  readonly stderr: Value;
}
export type Beginning = OfStreams<string>;

/**
 * Reads the first part of the output of invocations. Secrets are masked per stream, in a longer text than requested,
 * which is truncated afterwards, so that a truncated secret is masked too. Invocations without output are absent.
 *
 * @param secretsOf texts to mask, by invocation
 */
export async function readBeginnings(
  executor: Executor,
  secretsOf: ReadonlyMap<string, readonly string[]>,
  limits: OfStreams<number>,
): Promise<Map<string, Beginning>> {
  const overlap = Math.max(0, ...[...secretsOf.values()].map(maskOverlap));
  const pieces = await findBeginnings(executor, [...secretsOf.keys()], {
    stdout: limits.stdout + overlap,
    stderr: limits.stderr + overlap,
  });
  return new Map(
    [...Map.groupBy(pieces, ({ invocationId }) => invocationId)].map(([id, own]) => {
      const beginning = (stream: OutputRow['stream']): string => {
        const text = joined(
          own.filter((piece) => piece.stream === stream),
          0,
        );
        return maskSecrets(text, secretsOf.get(id) ?? []).slice(0, limits[stream]);
      };
      return [id, { stdout: beginning('stdout'), stderr: beginning('stderr') }];
    }),
  );
}

/** A stream from an offset, with secrets masked. It ends before a missing piece. */
export async function readOutput(executor: Executor, request: OutputRequest): Promise<OutputPiece> {
  const { from, total, truncated, secrets } = request;
  const begin = Math.max(0, from - maskOverlap(secrets));
  const pieces = await findPieces(executor, {
    invocationId: request.invocationId,
    stream: request.stream,
    from: begin,
    before: from + MAX_PIECE_LENGTH,
  });
  const text = joined(pieces, begin);
  const masked = maskSecrets(text, secrets, { fromStart: begin === 0 });
  return {
    offset: from,
    text: masked.slice(from - begin),
    total: Math.max(total, begin + text.length),
    truncated,
  };
}

function joined(pieces: readonly Pick<OutputRow, 'offset' | 'text'>[], begin: number): string {
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
