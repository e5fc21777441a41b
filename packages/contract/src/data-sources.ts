import { z } from 'zod';
import type { Timestamp } from './pages.ts';
import type { DataSourceState } from './states.ts';

/** Data sources of docs/design/portal.md, section 3, that can be a table outside the portal. */
export const tableSources = ['software-versions', 'device-versions', 'geolocations'] as const;
export type TableSource = (typeof tableSources)[number];

/** All data sources: those of docs/design/portal.md, section 3, and what its section 6 names. */
export const dataSources = [
  'database',
  ...tableSources,
  'analytics',
  'audit-trail-queue',
  'report-location',
  'user-pool',
  'identity-pool',
  'iot-policy',
  'parameters',
  'air-blast-role',
  'messages',
] as const;
export type DataSource = (typeof dataSources)[number];

/** Why an outside system does not answer as expected. */
export const faultReasons = [
  'access-denied',
  'credentials',
  'not-found',
  'throttled',
  'unreachable',
  'other',
] as const;
export type FaultReason = (typeof faultReasons)[number];

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

/** What answers a data source. */
export interface AnsweringSystem {
  /** Its name as a product, such as `Amazon SQS`. */
  readonly product: string;
  /** Name, ARN, or URL without secrets; null for a part of this installation. */
  readonly name: string | null;
}

/** The failure of an outside system. */
export interface DataSourceFault {
  readonly reason: FaultReason;
  /** The error as the system, or the client of it, reported it. */
  readonly text: string;
  /** The first of the attempts that have all failed since. */
  readonly since: Timestamp;
  /** Host and process of the server that failed; null for what one server does for all. */
  readonly server: string | null;
}

/** One direction of the exchange with an outside system. */
export interface DataSourceFlow {
  readonly lastAt: Timestamp | null;
  /** Milliseconds between a change and its arrival on the other side; null if that is not known. */
  readonly delayMs: number | null;
  /** Changes that have not arrived; null if that is not known. */
  readonly waitingCount: number | null;
}

export interface DataSourceView {
  readonly source: DataSource;
  /** The environment variable that selects the system. */
  readonly setting: string;
  readonly place: 'embedded' | 'outside';
  readonly systems: readonly AnsweringSystem[];
  readonly state: DataSourceState;
  readonly fault: DataSourceFault | null;
  /** When an outside system last answered. */
  readonly lastAnswerAt: Timestamp | null;
  readonly incoming: DataSourceFlow | null;
  readonly outgoing: DataSourceFlow | null;
  /** Calls of all running servers since each started; null if they are not counted. */
  readonly calls: { readonly count: number; readonly failedCount: number } | null;
  /** Null unless it is a table outside the portal. */
  readonly feed: TableFeedView | null;
}
