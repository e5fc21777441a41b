/** A time range in which a device was offline; milliseconds since 1970. */
export interface Absence {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ConnectionHistory {
  /** Since when connections are known. */
  readonly knownFromMs: number;
  /** Past absences, oldest first. */
  readonly absences: readonly Absence[];
}

export interface ConnectionChange {
  readonly atMs: number;
  readonly isConnected: boolean;
}

/** @param changes oldest first; repeated states are ignored, as after a restart of the portal */
export function connectionHistory(changes: readonly ConnectionChange[]): ConnectionHistory {
  const absences: Absence[] = [];
  let offlineSinceMs: number | null = null;
  for (const { atMs, isConnected } of changes) {
    if (!isConnected) {
      offlineSinceMs ??= atMs;
    } else if (offlineSinceMs !== null) {
      if (atMs > offlineSinceMs) absences.push({ fromMs: offlineSinceMs, toMs: atMs });
      offlineSinceMs = null;
    }
  }
  return { knownFromMs: changes[0]?.atMs ?? Infinity, absences };
}
