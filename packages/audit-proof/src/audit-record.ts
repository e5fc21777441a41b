import { hashText, type Sha256 } from './hashing.ts';

/** What of an audit event is sealed: everything that was recorded. */
export interface AuditRecord {
  readonly id: string;
  /** UTC with microseconds: `2026-11-01T00:00:00.000000Z`. */
  readonly at: string;
  readonly type: string;
  readonly deviceId: string | null;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly actorName: string;
  readonly actorAddress: string | null;
  readonly caseId: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  /** JSON as the database writes it: sealed to the letter, so that nobody has to write it the same way again. */
  readonly data: string;
}

/** The fields of a record in the order in which they are sealed. */
export const recordFields = [
  'id',
  'at',
  'type',
  'deviceId',
  'actorKind',
  'actorId',
  'actorName',
  'actorAddress',
  'caseId',
  'requestId',
  'runId',
  'data',
] as const satisfies readonly (keyof AuditRecord)[];

export type RecordValues = readonly (string | null)[];

export function recordValues(record: AuditRecord): RecordValues {
  return recordFields.map((field) => record[field]);
}

/** RFC 9162, section 2.1.1: a leaf begins with a zero byte. What follows is the values as a JSON array. */
export function leafHash(sha256: Sha256, values: RecordValues): Uint8Array {
  return hashText(sha256, 0, JSON.stringify(values));
}
