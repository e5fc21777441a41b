import type { TargetQuery } from './run-target.ts';

/** A fixed set of devices, independent of later matches of a filter. */
export interface ResolvedTarget {
  readonly count: number;
  /** Number of connected devices. */
  readonly ready: number;
  /** SHA-256 of the sorted device IDs, one per line. */
  readonly sha256: string;
  /** Whether these are the agreed devices. */
  readonly agreed: boolean;
  /** As stored in `command_run.target`. The devices are stored as the run's invocations. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** Set for one individually selected device, with its serial number if it has one. */
  readonly single: { readonly serialNumber: string | null } | null;
  /** The first `idLimit` IDs, sorted. */
  readonly deviceIds: readonly string[];
  /** All IDs if they were written: 16 bytes each, sorted. */
  readonly ids: Buffer;
  /** The query by which they were selected. */
  readonly query: TargetQuery;
}
