import { LRUCache } from 'lru-cache';
import type { Change } from '../platform/change-feed.ts';

/** Changes that a browser learns only from an event: their state is not sent when a watch starts. */
export type EventOnlyKind = 'device-changed' | 'audit-trail' | 'case' | 'notifications';

/** A screen reads first and watches afterwards; on a slow machine that can take this long. */
const RECENT_MS = 5_000;
const MOST = 20_000;

/** Subjects of recent events, for viewers who read them just before they start to watch. */
export class RecentChanges {
  readonly #atMs = new LRUCache<string, number>({ max: MOST });

  record(change: Change, nowMs = performance.now()): void {
    for (const id of idsOf(change)) this.#atMs.set(`${change.kind} ${id}`, nowMs);
  }

  has(kind: EventOnlyKind, id: string, nowMs = performance.now()): boolean {
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
