import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Change } from '../platform/change-feed.ts';
import type { LiveConnection } from './live-connection.ts';
import { OutputMask } from './output-mask.ts';
import { EventCursor, SharedEventCount } from './shared-event-count.ts';

interface WatchedInvocation {
  readonly viewers: Set<LiveConnection>;
  readonly mask: OutputMask;
}

type News = SharedEventCount<LiveConnection>;

/**
 * Index of watched items to their viewers. The cost of a change depends on the number of its viewers, not on the
 * number of connections.
 */
export class WatchIndex {
  readonly #devices = new Map<string, Set<LiveConnection>>();
  readonly #auditDevices = new Map<string, Set<LiveConnection>>();
  readonly #runs = new Map<string, Set<LiveConnection>>();
  readonly #invocations = new Map<string, WatchedInvocation>();
  /** Devices of invocations that are watched by viewers with a scope. */
  readonly #scopedDevices = new Map<string, Set<LiveConnection>>();
  /** Viewers of notifications, by their `sub`. */
  readonly #people = new Map<string, Set<LiveConnection>>();
  readonly #cases = new Map<string, Set<LiveConnection>>();
  /** By the scopes in which devices may be read. */
  readonly #fleets = new Map<string, News>();
  /** By the scopes in which the audit trail may be read. */
  readonly #trails = new Map<string, News>();

  /** Indexes a viewer by its interests. Call `remove` first when they change. */
  add(viewer: LiveConnection): void {
    const { interests } = viewer;
    for (const id of interests.devices) put(this.#devices, id, viewer);
    for (const id of interests.auditDevices) put(this.#auditDevices, id, viewer);
    for (const id of interests.runs) put(this.#runs, id, viewer);
    for (const [id, { deviceId, secrets }] of interests.invocations) {
      const known = this.#invocations.get(id);
      if (known) known.viewers.add(viewer);
      else this.#invocations.set(id, { viewers: new Set([viewer]), mask: new OutputMask(secrets) });
      if (!isUnlimited(interests.commandScopes)) put(this.#scopedDevices, deviceId, viewer);
    }
    for (const id of interests.cases) put(this.#cases, id, viewer);
    if (interests.notifications) put(this.#people, viewer.identity.sub, viewer);
    viewer.fleet = interests.fleet
      ? join(newsOf(this.#fleets, interests.deviceScopes), viewer, viewer.fleet)
      : undefined;
    viewer.trail = interests.auditTrail
      ? join(newsOf(this.#trails, interests.auditScopes), viewer, viewer.trail)
      : undefined;
  }

  remove(viewer: LiveConnection): void {
    const { interests } = viewer;
    for (const id of interests.devices) drop(this.#devices, id, viewer);
    for (const id of interests.auditDevices) drop(this.#auditDevices, id, viewer);
    for (const id of interests.runs) drop(this.#runs, id, viewer);
    for (const [id, { deviceId }] of interests.invocations) {
      const known = this.#invocations.get(id);
      known?.viewers.delete(viewer);
      if (known?.viewers.size === 0) this.#invocations.delete(id);
      drop(this.#scopedDevices, deviceId, viewer);
    }
    for (const id of interests.cases) drop(this.#cases, id, viewer);
    drop(this.#people, viewer.identity.sub, viewer);
    viewer.fleet?.news.remove(viewer);
    viewer.trail?.news.remove(viewer);
    for (const all of [this.#fleets, this.#trails])
      for (const [key, news] of all) if (news.isEmpty) all.delete(key);
  }

  /**
   * Viewers with a scope who watch one of these devices, which may have left that scope. Viewers of a run need no
   * check: its counts are read within the scope each time.
   */
  watchersInScope(deviceIds: readonly string[]): Set<LiveConnection> {
    const found = new Set<LiveConnection>();
    for (const id of deviceIds) {
      for (const viewer of this.#scopedDevices.get(id) ?? []) found.add(viewer);
      for (const index of [this.#devices, this.#auditDevices])
        for (const viewer of index.get(id) ?? []) if (viewer.interests.isLimited) found.add(viewer);
    }
    return found;
  }

  /** Records a change for the viewers who watch its subject, and passes each of them to `onDirty`. */
  record(change: Change, onDirty: (viewer: LiveConnection, isFirstOutput: boolean) => void): void {
    const mark = (
      viewers: Iterable<LiveConnection> | undefined,
      note: (viewer: LiveConnection) => unknown,
    ): void => {
      for (const viewer of viewers ?? []) onDirty(viewer, note(viewer) === true);
    };
    switch (change.kind) {
      case 'device-status':
        for (const id of change.deviceIds)
          mark(this.#devices.get(id), (viewer) => viewer.markDevice(id));
        for (const news of this.#fleets.values()) {
          countNews(news, change.deviceIds, 1);
          mark(news.announce(), () => {});
        }
        return;
      case 'device-changed':
        for (const id of change.deviceIds)
          mark(this.#devices.get(id), (viewer) => viewer.markChanged(id));
        return;
      case 'run':
        for (const id of change.runIds) mark(this.#runs.get(id), (viewer) => viewer.markRun(id));
        return;
      case 'invocations':
        if (this.#invocations.size === 0) return;
        for (const { id } of change.changed)
          mark(this.#invocations.get(id)?.viewers, (viewer) => viewer.markInvocation(id));
        return;
      case 'output': {
        const watched = this.#invocations.get(change.invocationId);
        if (watched === undefined) return;
        const { kind: _kind, deviceId: _deviceId, ...piece } = change;
        const masked = { ...piece, text: watched.mask.mask(piece) };
        mark(watched.viewers, (viewer) => viewer.addOutput(masked));
        return;
      }
      case 'case':
        for (const id of change.caseIds) mark(this.#cases.get(id), (viewer) => viewer.markCase(id));
        return;
      case 'notifications':
        for (const sub of change.subjects)
          mark(this.#people.get(sub), (viewer) => viewer.markNotified());
        return;
      case 'audit-trail':
        for (const id of change.deviceIds)
          mark(this.#auditDevices.get(id), (viewer) => viewer.countAudit(id));
        for (const news of this.#trails.values()) {
          countNews(news, change.deviceIds, Math.max(1, change.deviceIds.length));
          mark(news.announce(), () => {});
        }
        return;
      default:
    }
  }
}

function newsOf(all: Map<string, News>, scopes: News['scopes'] & object): News {
  const seesAll = isUnlimited(scopes);
  const key = seesAll ? '' : JSON.stringify(scopes);
  const known = all.get(key);
  if (known) return known;
  const news = new SharedEventCount<LiveConnection>(seesAll ? null : scopes);
  all.set(key, news);
  return news;
}

/** Events of devices in a scope count only after a check that the devices are in it. */
function countNews(news: News, deviceIds: readonly string[], count: number): void {
  if (news.scopes === null) news.total += count;
  else for (const id of deviceIds) news.pending.add(id);
}

const isUnlimited = (scopes: readonly Parameters<typeof isEverywhere>[0][]): boolean =>
  scopes.some(isEverywhere);

/** A viewer who already listens continues from its last total. */
function join(
  news: News,
  viewer: LiveConnection,
  before: EventCursor<LiveConnection> | undefined,
): EventCursor<LiveConnection> {
  news.add(viewer);
  return before?.news === news ? before : new EventCursor(news);
}

function put(index: Map<string, Set<LiveConnection>>, key: string, viewer: LiveConnection): void {
  const known = index.get(key);
  if (known) known.add(viewer);
  else index.set(key, new Set([viewer]));
}

function drop(index: Map<string, Set<LiveConnection>>, key: string, viewer: LiveConnection): void {
  const known = index.get(key);
  if (known?.delete(viewer) && known.size === 0) index.delete(key);
}
