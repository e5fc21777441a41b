import type { Server } from 'node:http';
import {
  watchMessageSchema,
  type LiveChange,
  type LiveMessage,
} from '@deviceportal/contract/live-channel';
import type { Grant } from '@deviceportal/contract/permissions';
import type { ParameterVault } from '../commands/parameter-vault.ts';
import type { GatewayLogger } from '../gateway/gateway-logger.ts';
import type { ViewerTransport } from '../gateway/viewer-transport.ts';
import type { Change, ChangeFeed } from '../platform/change-feed.ts';
import type { Database } from '../platform/database/database.ts';
import { acceptUpgrades, type AcceptUpgradesOptions } from './accept-upgrades.ts';
import { LiveConnection } from './live-connection.ts';
import { readDeviceStates, readInvocationStates, readRunStates } from './live-state-store.ts';
import { findDevices, noInterests, resolveInterests, scopeOf } from './resolve-interests.ts';
import type { LiveIdentity } from './viewer-identity.ts';

export interface LiveChannelDependencies {
  readonly database: Database;
  readonly changes: ChangeFeed;
  readonly viewers: ViewerTransport;
  readonly vault: Pick<ParameterVault, 'secretTexts'>;
  readonly logger: GatewayLogger;
  readonly server: Server;
  readonly verify: AcceptUpgradesOptions['verify'];
  /** The rights of this moment. @throws when the person may not use the portal (any more) */
  readonly findGrants: (identity: LiveIdentity) => Promise<readonly Grant[]>;
  /** How often rights are looked at again. */
  readonly recheckMs?: number;
}

/** At most four a second for each viewer (architecture, section 5), evenly unless something is urgent. */
const SENDS_PER_SECOND = 4;
const SEND_INTERVAL_MS = 1_000 / SENDS_PER_SECOND;
const RECHECK_MS = 30_000;
/** A message stays well below what a slow line takes in one go. */
const MAX_MESSAGE_CHARACTERS = 100_000;

/** Tells browsers what changes of what they look at, and nothing that they may not see. */
export function createLiveChannel(deps: LiveChannelDependencies): AsyncDisposable {
  const live = new LiveViewers(deps);
  const subscription = deps.changes.subscribe((change) => live.hear(change));
  const upgrades = acceptUpgrades({
    server: deps.server,
    socketPath: deps.viewers.socketPath,
    verify: deps.verify,
    onAccepted: (viewerId, identity) => live.accept(viewerId, identity),
    logger: deps.logger,
  });
  deps.viewers.attach({
    watched: (messages) => {
      for (const message of messages) live.watch(message);
    },
    gone: (connections) => live.forget(connections),
  });
  const recheck = setInterval(() => live.recheckAll(), deps.recheckMs ?? RECHECK_MS);
  recheck.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(recheck);
      subscription[Symbol.dispose]();
      upgrades[Symbol.dispose]();
      await live[Symbol.asyncDispose]();
    },
  };
}

class LiveViewers implements AsyncDisposable {
  readonly #deps: LiveChannelDependencies;
  /** The newest proof of each viewer; connections keep their own. */
  readonly #identities = new Map<string, LiveIdentity>();
  readonly #connections = new Map<string, LiveConnection>();
  readonly #due = new Set<LiveConnection>();
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #sending: Promise<void> | undefined;
  #stopped = false;

  constructor(deps: LiveChannelDependencies) {
    this.#deps = deps;
  }

  accept(viewerId: string, identity: LiveIdentity): void {
    const nowMs = Date.now();
    for (const [id, known] of this.#identities)
      if (known.expiresAt.getTime() < nowMs) this.#identities.delete(id);
    this.#identities.set(viewerId, identity);
  }

  watch(message: { connection: string; viewerId: string; payload: string }): void {
    const { connection, viewerId } = message;
    const identity = this.#identities.get(viewerId);
    const watches = parseWatches(message.payload);
    if (!identity || !watches) return;
    const viewer =
      this.#connections.get(connection) ?? new LiveConnection(connection, viewerId, identity);
    this.#connections.set(connection, viewer);
    viewer.watches = watches;
    void this.#resolve(viewer);
  }

  forget(connections: readonly string[]): void {
    for (const connection of connections) {
      const viewer = this.#connections.get(connection);
      if (viewer) this.#due.delete(viewer);
      this.#connections.delete(connection);
    }
  }

  hear(change: Change): void {
    for (const viewer of this.#connections.values()) {
      if (change.kind === 'device-changed' && touches(viewer, change.deviceIds))
        void this.#resolve(viewer, 'quietly');
      viewer.hear(change);
      if (viewer.isDirty) this.#schedule(viewer);
    }
  }

  recheckAll(): void {
    for (const viewer of this.#connections.values()) void this.#resolve(viewer, 'quietly');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sending;
  }

  /** Rights may have changed, or the device has left the scope: everything is asked again. */
  async #resolve(viewer: LiveConnection, manner: 'aloud' | 'quietly' = 'aloud'): Promise<void> {
    viewer.generation += 1;
    if (manner === 'aloud') viewer.isNew = true;
    const { generation } = viewer;
    try {
      const grants = await this.#deps.findGrants(viewer.identity);
      const interests = await resolveInterests(this.#deps, grants, viewer.watches);
      if (generation !== viewer.generation || this.#stopped) return;
      if (viewer.isNew) viewer.watch(interests);
      else viewer.interests = interests;
      if (viewer.isDirty) this.#schedule(viewer);
    } catch (error) {
      if (this.#stopped) return;
      viewer.interests = noInterests;
      this.#deps.logger.info({ err: error }, 'a live channel ended: its viewer may not look');
      this.#deps.viewers.end([viewer.connection]);
    }
  }

  #schedule(viewer: LiveConnection): void {
    if (this.#stopped) return;
    this.#due.add(viewer);
    const atMs = Math.max(performance.now(), dueAtMs(viewer));
    if (atMs >= this.#timerAtMs) return;
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    this.#timer = setTimeout(() => this.#tick(), Math.max(0, atMs - performance.now()));
  }

  #tick(): void {
    this.#timerAtMs = Number.POSITIVE_INFINITY;
    if (this.#sending) return;
    const nowMs = performance.now();
    const viewers = [...this.#due].filter((viewer) => dueAtMs(viewer) <= nowMs + 1);
    for (const viewer of viewers) {
      this.#due.delete(viewer);
      viewer.sentMs = [...viewer.sentMs, nowMs].slice(-SENDS_PER_SECOND);
    }
    this.#sending = this.#send(viewers)
      .catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'live changes were lost'))
      .finally(() => {
        this.#sending = undefined;
        for (const viewer of this.#due) this.#schedule(viewer);
      });
  }

  /** One statement of each kind for everybody whose turn it is. */
  async #send(viewers: readonly LiveConnection[]): Promise<void> {
    const { database } = this.#deps;
    const turns = viewers.map((viewer) => ({ viewer, ...takeDirty(viewer) }));
    const union = (pick: (turn: (typeof turns)[number]) => ReadonlySet<string>): Set<string> =>
      new Set(turns.flatMap((turn) => [...pick(turn)]));
    for (const { viewer, audit } of turns) await this.#scopeAudit(viewer, audit);
    const [devices, runs, invocations] = await Promise.all([
      readDeviceStates(
        database,
        union((turn) => turn.devices),
      ),
      readRunStates(
        database,
        union((turn) => turn.runs),
      ),
      readInvocationStates(
        database,
        union((turn) => turn.invocations),
      ),
    ]);
    const messages = turns.flatMap(({ viewer, ...dirty }) => {
      const { interests } = viewer;
      // Asked again: rights may have been taken since the change was heard.
      const changes: (LiveChange | undefined)[] = [
        ...[...dirty.devices].map((id) =>
          interests.devices.has(id) ? devices.get(id) : undefined,
        ),
        ...[...dirty.runs].map((id) => (interests.runs.has(id) ? runs.get(id) : undefined)),
        ...[...dirty.invocations].map((id) =>
          interests.invocations.has(id) ? invocations.get(id) : undefined,
        ),
        ...viewer.takeOwn().filter((change) => isStillSeen(viewer, change)),
      ];
      return toPayloads(changes.filter((change) => change !== undefined)).map((payload) => ({
        connection: viewer.connection,
        viewerId: viewer.viewerId,
        payload,
      }));
    });
    if (messages.length > 0) this.#deps.viewers.publish(messages);
  }

  async #scopeAudit(viewer: LiveConnection, deviceIds: readonly string[]): Promise<void> {
    if (deviceIds.length === 0) return;
    const grants = await this.#deps.findGrants(viewer.identity);
    const scope = scopeOf(grants, 'audit-trail:read');
    viewer.countAudit(await findDevices(this.#deps, [...new Set(deviceIds)], scope));
  }
}

/** The first line of output need not keep the even distance, only the number of sends in a second. */
function dueAtMs({ sentMs, isUrgent }: LiveConnection): number {
  const last = sentMs.at(-1) ?? Number.NEGATIVE_INFINITY;
  const fourthLast = sentMs.at(-SENDS_PER_SECOND) ?? Number.NEGATIVE_INFINITY;
  return Math.max(fourthLast + 1_000, isUrgent ? last : last + SEND_INTERVAL_MS);
}

function parseWatches(payload: string): LiveConnection['watches'] | undefined {
  try {
    const parsed = watchMessageSchema.safeParse(JSON.parse(payload));
    return parsed.success ? parsed.data.watches : undefined;
  } catch {
    return undefined;
  }
}

const touches = ({ interests }: LiveConnection, deviceIds: readonly string[]): boolean =>
  deviceIds.some((id) => interests.devices.has(id) || interests.auditDevices.has(id)) ||
  (deviceIds.length > 0 && (interests.invocations.size > 0 || interests.runs.size > 0));

function takeDirty(viewer: LiveConnection) {
  const { devices, runs, invocations, unscopedAudit: audit } = viewer;
  viewer.devices = new Set();
  viewer.runs = new Set();
  viewer.invocations = new Set();
  viewer.unscopedAudit = [];
  return { devices, runs, invocations, audit };
}

function isStillSeen({ interests }: LiveConnection, change: LiveChange): boolean {
  switch (change.kind) {
    case 'device-changed':
      return interests.devices.has(change.id);
    case 'output':
      return interests.invocations.has(change.invocationId);
    case 'audit-trail':
      return change.deviceId === null
        ? interests.auditTrail !== 'none'
        : interests.auditDevices.has(change.deviceId);
    case 'fleet':
      return interests.fleet;
    default:
      return true;
  }
}

function toPayloads(changes: readonly LiveChange[]): string[] {
  const payloads: string[] = [];
  let gathered: LiveChange[] = [];
  let length = 0;
  const flush = (): void => {
    if (gathered.length > 0)
      payloads.push(JSON.stringify({ changes: gathered } satisfies LiveMessage));
    gathered = [];
    length = 0;
  };
  for (const change of changes) {
    const size = change.kind === 'output' ? change.text.length + 200 : 300;
    if (length + size > MAX_MESSAGE_CHARACTERS) flush();
    gathered.push(change);
    length += size;
  }
  flush();
  return payloads;
}
