import type { SQL } from 'drizzle-orm';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { Scope } from '@deviceportal/contract/permissions';

/** Devices that the server finds by itself: those of an earlier run. They do not come to Node, however many they are. */
export interface SelectedTarget {
  readonly kind: 'selected';
  /** A query for their ids, as `id`, each once. */
  readonly select: SQL;
}

export type RunTarget = CommandTarget | SelectedTarget;

/** Which devices a target means and which of them may be reached. */
export interface TargetQuery {
  readonly target: RunTarget;
  /** What the target's filter says: a condition of the device list. */
  readonly matches: SQL | null;
  /** What lies outside does not exist for the viewer. */
  readonly readScopes: readonly Scope[];
  /** What lies outside is seen and not run on. */
  readonly runScopes: readonly Scope[];
  readonly needsSerialNumber: boolean;
  /** Devices that users other than this one are changing are left out. Null leaves none out for that. */
  readonly freeFor: string | null;
}

export const distinctIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];
