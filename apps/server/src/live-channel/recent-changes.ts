import type { Change } from '../platform/change-feed.ts';

/** What a browser learns only by being told that it happened: its state is not sent when a watch begins. */
export type ToldKind = 'device-changed' | 'audit-trail' | 'case' | 'notifications';

/** A screen asks first and watches then; on a slow machine that takes as long. */
const RECENT_MS = 5_000;
const MOST = 20_000;

/** Of what something was told a moment ago: whoever begins to look at it may have asked just before. */
export class RecentChanges {
  /** In the order of their moments. */
  readonly #atMs = new Map<string, number>();

  hear(change: Change, nowMs = performance.now()): void {
    for (const id of idsOf(change)) {
      const key = `${change.kind} ${id}`;
      this.#atMs.delete(key);
      this.#atMs.set(key, nowMs);
    }
    for (const [key, atMs] of this.#atMs) {
      if (nowMs - atMs <= RECENT_MS && this.#atMs.size <= MOST) return;
      this.#atMs.delete(key);
    }
  }

  has(kind: ToldKind, id: string, nowMs = performance.now()): boolean {
    const atMs = this.#atMs.get(`${kind} ${id}`);
    return atMs !== undefined && nowMs - atMs <= RECENT_MS;
  }
}

function idsOf(change: Change): readonly string[] {
  switch (change.kind) {
    case 'device-changed':
    case 'audit-trail':
      return change.deviceIds;
    case 'case':
      return change.caseIds;
    case 'notifications':
      return change.subjects;
    default:
      return [];
  }
}
