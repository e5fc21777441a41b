import { createHash } from 'node:crypto';

/** What of an audit event is sealed: everything that was recorded, and its place in the chain. */
export interface SealedContent {
  readonly sequence: number;
  readonly id: string;
  /** UTC with microseconds. */
  readonly at: string;
  readonly deviceId: string | null;
  readonly type: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string;
  readonly actorAddress: string | null;
  readonly caseId: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  readonly data: unknown;
}

/** Before the first event. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32);

/** SHA-256 over the canonical JSON of the event followed by the hash of the one before. */
export function sealHash(content: SealedContent, previousHash: Buffer): Buffer {
  return createHash('sha256').update(canonicalJson(content), 'utf8').update(previousHash).digest();
}

/** JSON with sorted keys and no white space: the same value always gives the same text (after RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}
