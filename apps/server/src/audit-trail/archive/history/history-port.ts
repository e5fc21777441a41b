import type { AuditRecord } from '@deviceportal/audit-proof/audit-record';
import type { ArchivePeriod } from '../../data/archive/archive-file-queries.ts';

/** Conditions on the event itself; null and an empty list match all. */
export interface EventConditions {
  /** Times as in records, both inclusive. */
  readonly from: string | null;
  readonly to: string | null;
  readonly deviceId: string | null;
  readonly actorId: string | null;
  readonly actorKind: string | null;
  readonly requestId: string | null;
  readonly runId: string | null;
  readonly caseId: string | null;
  /** Any of these, as stored. */
  readonly addresses: readonly string[] | null;
  /** Any of these types, or of types that begin as `command.*` does. */
  readonly types: readonly string[];
  /** Only these types can have the result that is asked for; null if none is. */
  readonly typesWithResult: readonly string[] | null;
}

/** A position in the order of time and ID. With an empty ID, it is before all events of its time. */
export type EventPosition = Pick<AuditRecord, 'at' | 'id'>;

export interface NewestEvents {
  /** As `findArchiveFiles` returns them. */
  readonly files: readonly ArchivePeriod[];
  readonly conditions: EventConditions;
  /** Null for the newest. */
  readonly before: EventPosition | null;
  readonly limit: number;
}

/** Events of archived months, and the months whose file is missing. */
export interface ArchivedRecords {
  /** Newest first: by time, then by ID, both descending in the order of their bytes. */
  readonly records: readonly AuditRecord[];
  readonly gaps: readonly string[];
  /** The time, as in records, from which on everything was read; null if all was, or there are as many as asked for. */
  readonly readTo: string | null;
}

export interface EventsOfUser {
  readonly files: readonly ArchivePeriod[];
  readonly userId: string;
}

export interface ArchivedPages {
  /** The newest month first, and within a file by ID. */
  readonly pages: AsyncGenerator<readonly AuditRecord[]>;
  /** Months whose file is missing, once the pages are read. */
  readonly gaps: readonly string[];
}

/**
 * What is asked of archived months. Every engine returns equal records in equal order. Rejects with the reason of the
 * signal after an abort, and with an error of the catalog where an engine has a limit or is unavailable.
 *
 * Verification is none of these questions: it reads the stored files itself.
 */
export interface HistoryPort {
  newestEvents(question: NewestEvents, signal?: AbortSignal): Promise<ArchivedRecords>;
  /** Events of which a user is the actor. */
  eventsOfUser(question: EventsOfUser, signal?: AbortSignal): ArchivedPages;
}
