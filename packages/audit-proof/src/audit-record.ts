import { hashText, type Sha256 } from './hashing.ts';

/** The sealed fields of an audit event: everything that was recorded. */
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
  /**
   * JSON text exactly as the database writes it, so that verifiers need not reproduce its
   * serialization.
   */
  readonly data: string;
}

/** The fields of a record, in sealing order. */
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

/**
 * RFC 9162, section 2.1.1: a leaf starts with a zero byte, followed by the values as a JSON array.
 */
export function leafHash(sha256: Sha256, values: RecordValues): Uint8Array {
  return hashText(sha256, 0, JSON.stringify(values));
}
