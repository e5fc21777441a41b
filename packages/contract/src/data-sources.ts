import { z } from 'zod';
import type { Timestamp } from './pages.ts';

/** Data sources of docs/design/portal.md, section 3, that can be a table outside the portal. */
export const tableSources = ['software-versions', 'device-versions', 'geolocations'] as const;
export type TableSource = (typeof tableSources)[number];

/** Why an item of an outside table was set aside. */
export const rejectionReasons = [
  'invalid',
  'unknown-device',
  'time-in-future',
  'not-allowed',
  'limit-reached',
  'not-applied',
  'not-stored',
] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

export const readTableAgainInput = z.object({ source: z.enum(tableSources) });

/** An item that was set aside. */
export interface RejectedItem {
  /** Its key attributes, or what is there of them. */
  readonly key: string;
  readonly reason: RejectionReason;
  /** The attribute or the rule. */
  readonly detail: string;
  readonly at: Timestamp;
}

/** A data source that is a table outside the portal. */
export interface TableFeedView {
  readonly table: string;
  readonly since: Timestamp;
  /** `table` while all items are read. */
  readonly reads: 'table' | 'changes';
  readonly lastReadAt: Timestamp | null;
  readonly lastChangeAt: Timestamp | null;
  /** Age of the newest change when it was applied, in milliseconds; null while all items are read. */
  readonly lagMs: number | null;
  readonly appliedCount: number;
  readonly rejectedCount: number;
  /** The newest ones, at most 20. */
  readonly rejected: readonly RejectedItem[];
  readonly lastWriteAt: Timestamp | null;
  readonly writtenCount: number;
  /** Changes that are not written yet. */
  readonly waitingCount: number;
  /** All items are written because too many changes were waiting, or because the table is new. */
  readonly writesAll: boolean;
  /** When too many changes were waiting; null if they are not, or all items are being written. */
  readonly fullSince: Timestamp | null;
  /** Null if the last attempt succeeded. */
  readonly readFault: string | null;
  readonly writeFault: string | null;
  readonly lastFault: { readonly text: string; readonly at: Timestamp } | null;
}

export interface DataSourceView {
  readonly source: TableSource;
  /** Null for the database of the portal. */
  readonly feed: TableFeedView | null;
}
