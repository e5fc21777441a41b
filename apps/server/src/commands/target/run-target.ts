import type { SQL } from 'drizzle-orm';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { Scope } from '@deviceportal/contract/permissions';

/** Devices selected by the server: those of an earlier run. Their IDs are not loaded into this process. */
export interface SelectedTarget {
  readonly kind: 'selected';
  /** A query for their IDs, as `id`, each once. */
  readonly select: SQL;
}

export type RunTarget = CommandTarget | SelectedTarget;

/** The devices of a target, and conditions for including them. */
export interface TargetQuery {
  readonly target: RunTarget;
  /** Condition of the target's filter in the device list. */
  readonly matches: SQL | null;
  /** Devices outside these scopes do not exist for the viewer. */
  readonly readScopes: readonly Scope[];
  /** Devices outside these scopes are visible but excluded. */
  readonly runScopes: readonly Scope[];
  readonly needsSerialNumber: boolean;
  /** What the document requires of devices that AWS Systems Manager manages. */
  readonly runCommand: RunCommandNeeds;
  /** Excludes devices with change locks of other users than this one. Null excludes none for that reason. */
  readonly freeFor: string | null;
}

export interface RunCommandNeeds {
  /** Whether Run Command can execute the document. */
  readonly isPossible: boolean;
  /** Whether parameters are passed as environment variables. */
  readonly environment: boolean;
}

export const distinctIds = (ids: readonly string[]): string[] => [
  ...new Set(ids.map((id) => id.toLowerCase())),
];
