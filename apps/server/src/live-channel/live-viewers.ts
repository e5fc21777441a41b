import {
  watchMessageSchema,
  type LiveChange,
  type Watch,
} from '@deviceportal/contract/live-channel';
import type { Grant } from '@deviceportal/contract/permissions';
import type { ParameterVault } from '../commands/parameters/parameter-vault.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import type { ViewerTransport } from '../gateway/viewer-transport.ts';
import type { Change } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { LiveConnection } from './live-connection.ts';
import { RecentChanges } from './recent-changes.ts';
import { findDevices, noInterests, resolveInterests, type Interests } from './resolve-interests.ts';
import { readStates, toPayloads } from './read-states.ts';
import { WatchIndex } from './watch-index.ts';
import type { LiveIdentity } from './viewer-identity.ts';

export interface LiveViewersDependencies {
  readonly database: Database;
  readonly viewers: Pick<ViewerTransport, 'publish' | 'end'>;
  readonly vault: Pick<ParameterVault, 'secretTexts'>;
  readonly logger: GatewayLogger;
  /** The current permissions of all identities, in one statement. Users who may not use the portal are absent. */
  readonly findGrants: (
    identities: readonly LiveIdentity[],
  ) => Promise<ReadonlyMap<LiveIdentity, readonly Grant[]>>;
}

/** Sends are aligned to multiples of this, so that many viewers share their statements. */
const STEP_MS = 10;

/** The connected viewers, and their pending changes. */
export class LiveViewers implements AsyncDisposable {
  readonly #deps: LiveViewersDependencies;
  /** The newest identity of each viewer; connections keep their own. */
  readonly #identities = new Map<string, LiveIdentity>();
  readonly #connections = new Map<string, LiveConnection>();
  readonly #index = new WatchIndex();
  readonly #recent = new RecentChanges();
  readonly #due = new Set<LiveConnection>();
  readonly #unresolved = new Set<LiveConnection>();
  #resolving: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #sending: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: LiveViewersDependencies) {
    this.#deps = deps;
  }

  accept(identity: LiveIdentity): void {
    const nowMs = Date.now();
    for (const [id, known] of this.#identities)
      if (known.expiresAt.getTime() < nowMs) this.#identities.delete(id);
    this.#identities.set(identity.identityId, identity);
  }

  watch(message: { connection: string; viewerId: string; payload: string }): void {
    const { connection, viewerId } = message;
    const identity = this.#identities.get(viewerId);
    const watches = parseWatches(message.payload);
    if (!identity || !watches) return;
    const viewer = this.#connections.get(connection) ?? new LiveConnection(connection, identity);
    this.#connections.set(connection, viewer);
    viewer.watches = watches;
    this.#recheckThrottled(viewer);
  }

  forget(connections: readonly string[]): void {
    for (const connection of connections) {
      const viewer = this.#connections.get(connection);
      if (viewer) this.#leave(viewer);
    }
  }

  onChange(change: Change): void {
    this.#recent.record(change);
    if (change.kind === 'device-changed')
      for (const viewer of this.#index.watchersInScope(change.deviceIds)) this.#recheck(viewer);
    this.#index.record(change, (viewer, isFirstOutput) => {
      // A user may be waiting for the first line of output: it needs no database read and no rate limit.
      if (isFirstOutput && !viewer.isHeld) this.#publish(viewer, viewer.takeOutput());
      this.#schedule(viewer);
    });
  }

  /** Checks whether permissions have changed, in one statement for all connections. */
  async recheckRights(): Promise<void> {
    const viewers = [...this.#connections.values()];
    if (viewers.length === 0) return;
    const grants = await this.#deps.findGrants(viewers.map(({ identity }) => identity));
    for (const viewer of viewers) {
      const found = grants.get(viewer.identity);
      if (found === undefined) this.#end(viewer, 'viewer without permission');
      else if (JSON.stringify(found) !== viewer.rightsKey) this.#recheck(viewer);
    }
  }

  /** Devices may have come into a viewer's scope without a change event. */
  recheckScopes(): void {
    for (const viewer of this.#connections.values())
      if (viewer.interests.isLimited) this.#recheck(viewer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const { watchTimer } of this.#connections.values()) clearTimeout(watchTimer);
    await Promise.all([this.#sending, this.#resolving]);
  }

  /** If watch requests arrive faster than they are processed, the last one counts. */
  #recheckThrottled(viewer: LiveConnection): void {
    if (viewer.watchTimer !== undefined) return;
    const waitMs = viewer.watchThrottle.take(performance.now());
    if (waitMs === 0) {
      viewer.isNew = true;
      this.#recheck(viewer);
      return;
    }
    viewer.watchTimer = setTimeout(() => {
      viewer.watchTimer = undefined;
      this.#recheckThrottled(viewer);
    }, Math.ceil(waitMs));
  }

  /** Sends nothing more to a viewer until its permissions have been read again. */
  #recheck(viewer: LiveConnection): void {
    viewer.isHeld = true;
    this.#unresolved.add(viewer);
    if (this.#stopped) return;
    this.#resolving ??= this.#resolveAll();
  }

  async #resolveAll(): Promise<void> {
    // After everything else that arrived in the same turn.
    await Promise.resolve();
    while (this.#unresolved.size > 0 && !this.#stopped) {
      const viewers = [...this.#unresolved];
      this.#unresolved.clear();
      try {
        const grants = await this.#deps.findGrants(viewers.map(({ identity }) => identity));
        await Promise.all(
          viewers.map((viewer) => this.#resolve(viewer, grants.get(viewer.identity))),
        );
      } catch (error) {
        this.#deps.logger.warn({ err: error }, 'live channel permission check failed');
        // They reconnect and receive the complete state.
        for (const viewer of viewers) this.#end(viewer, 'permission check failed');
      }
    }
    // Cleared here and not when the promise has settled: a request in between would never be processed.
    this.#resolving = undefined;
  }

  async #resolve(viewer: LiveConnection, grants: readonly Grant[] | undefined): Promise<void> {
    if (grants === undefined) return this.#end(viewer, 'viewer without permission');
    const interests = await resolveInterests(this.#deps, grants, viewer.watches);
    // Disconnected, or requested again in the meantime: the newer result counts.
    if (this.#connections.get(viewer.connection) !== viewer || this.#unresolved.has(viewer)) return;
    viewer.rightsKey = JSON.stringify(grants);
    this.#settle(viewer, interests);
    viewer.isHeld = false;
    this.#schedule(viewer);
  }

  #settle(viewer: LiveConnection, interests: Interests): void {
    this.#index.remove(viewer);
    if (viewer.isNew) viewer.watch(interests, this.#recent);
    else viewer.interests = interests;
    this.#index.add(viewer);
  }

  #leave(viewer: LiveConnection): void {
    clearTimeout(viewer.watchTimer);
    this.#due.delete(viewer);
    this.#unresolved.delete(viewer);
    this.#index.remove(viewer);
    viewer.interests = noInterests;
    viewer.isHeld = true;
    this.#connections.delete(viewer.connection);
  }

  #end(viewer: LiveConnection, why: string): void {
    if (this.#stopped || this.#connections.get(viewer.connection) !== viewer) return;
    this.#leave(viewer);
    this.#deps.logger.info({ why }, 'live channel connection ended');
    this.#deps.viewers.end([viewer.connection]);
  }

  #schedule(viewer: LiveConnection): void {
    if (this.#stopped || viewer.isHeld || !viewer.isDirty) return;
    this.#due.add(viewer);
    const nowMs = performance.now();
    const wantedMs = Math.max(nowMs, viewer.sendThrottle.dueAtMs(viewer.isFresh));
    if (wantedMs >= this.#timerAtMs) return;
    const atMs = wantedMs === nowMs ? nowMs : Math.ceil(wantedMs / STEP_MS) * STEP_MS;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, atMs - nowMs));
  }

  #tick(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    if (this.#sending) return;
    const nowMs = performance.now();
    const viewers: LiveConnection[] = [];
    for (const viewer of this.#due) {
      if (viewer.isHeld) this.#due.delete(viewer);
      if (viewer.isHeld || viewer.sendThrottle.dueAtMs(viewer.isFresh) > nowMs + 1) continue;
      this.#due.delete(viewer);
      viewer.sendThrottle.sent(nowMs, viewer.isFresh);
      viewer.isFresh = false;
      viewers.push(viewer);
    }
    this.#sending = this.#send(viewers)
      .catch((error: unknown) =>
        this.#deps.logger.warn({ err: error }, 'live update delivery delayed'),
      )
      .finally(() => {
        this.#sending = undefined;
        for (const viewer of [...viewers, ...this.#due]) this.#schedule(viewer);
      });
  }

  async #send(viewers: readonly LiveConnection[]): Promise<void> {
    const pending = viewers.map((viewer) => ({ viewer, states: viewer.takeStates() }));
    let statesOf: Awaited<ReturnType<typeof readStates>>;
    try {
      await this.#countWithinScopes(viewers);
      statesOf = await readStates(this.#deps.database, pending);
    } catch (error) {
      // Sent when the database is available again; until then the browsers' own refresh shows the error.
      for (const { viewer, states } of pending) viewer.putBack(states);
      throw error;
    }
    const messages = pending.flatMap((request) => {
      const { viewer, states } = request;
      if (viewer.isHeld) {
        viewer.putBack(states);
        return [];
      }
      return this.#messages(viewer, [...statesOf(request), ...viewer.takeOwn()]);
    });
    if (messages.length > 0) this.#deps.viewers.publish(messages);
  }

  /** An event shared by many viewers counts within a scope only if its devices are in that scope. */
  async #countWithinScopes(viewers: readonly LiveConnection[]): Promise<void> {
    const all = new Set(
      viewers.flatMap(({ fleet, trail }) => [fleet?.news ?? [], trail?.news ?? []].flat()),
    );
    await Promise.all(
      [...all].map(async (news) => {
        if (news.scopes === null || news.pending.size === 0) return;
        const ids = [...news.pending];
        const found = await findDevices(this.#deps, ids, news.scopes);
        for (const id of ids) news.pending.delete(id);
        news.total += found.length;
      }),
    );
  }

  #publish(viewer: LiveConnection, changes: readonly LiveChange[]): void {
    const messages = this.#messages(viewer, changes);
    if (messages.length > 0) this.#deps.viewers.publish(messages);
  }

  #messages(viewer: LiveConnection, changes: readonly LiveChange[]) {
    const { connection, identity } = viewer;
    return toPayloads(changes).map((payload) => ({
      connection,
      viewerId: identity.identityId,
      payload,
    }));
  }
}

function parseWatches(payload: string): readonly Watch[] | undefined {
  try {
    const parsed = watchMessageSchema.safeParse(JSON.parse(payload));
    return parsed.success ? parsed.data.watches : undefined;
  } catch {
    return undefined;
  }
}
