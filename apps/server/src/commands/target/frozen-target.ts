import type { TargetQuery } from './run-target.ts';

/** Exactly these devices, whatever matches a filter later. */
export interface FrozenTarget {
  readonly count: number;
  /** Of these, connected. */
  readonly ready: number;
  /** SHA-256 over the sorted device ids, one a line. */
  readonly sha256: string;
  /** Whether these are the devices that were agreed. */
  readonly agreed: boolean;
  /** As `command_run.target` keeps it: the devices themselves are the run's invocations. */
  readonly summary: Readonly<Record<string, unknown>>;
  /** One device, chosen by itself; with its serial number, where it has one. */
  readonly single: { readonly serialNumber: string | null } | null;
  /** The first `idLimit` of them, in the order of ids. */
  readonly deviceIds: readonly string[];
  /** All of them where they were written: 16 bytes each, in the order of ids. */
  readonly ids: Buffer;
  /** By which they were found. */
  readonly query: TargetQuery;
}
