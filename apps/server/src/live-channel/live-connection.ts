import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import type { RecentChanges, EventOnlyKind } from './recent-changes.ts';
import { noInterests, type Interests } from './resolve-interests.ts';
import { SendThrottle } from './send-throttle.ts';
import { WatchThrottle } from './watch-throttle.ts';
import type { EventCursor } from './shared-event-count.ts';
import type { LiveIdentity } from './viewer-identity.ts';

type OutputChange = Extract<LiveChange, { kind: 'output' }>;

/** Output beyond this between two sends is left to the browser's own refresh, which detects the gap by the offsets. */
const MAX_PENDING_OUTPUT = 512 * 1024;

/** Watched items whose state must be read before it can be sent. */
export interface DirtyStates {
  readonly devices: ReadonlySet<string>;
  readonly runs: ReadonlySet<string>;
  readonly invocations: ReadonlySet<string>;
}

/** What one connection watches, and its changes since the last send. */
export class LiveConnection {
  /** MQTT client id. */
  readonly connection: string;
  readonly identity: LiveIdentity;
  readonly sendThrottle = new SendThrottle();
  /** A watch request that is delayed by its rate limit. */
  watchTimer: NodeJS.Timeout | undefined;
  readonly watchThrottle = new WatchThrottle();
  watches: readonly Watch[] = [];
  interests: Interests = noInterests;
  /** Identifies the permissions under which the interests were resolved. */
  rightsKey = '';
  /** The current state of the watched items has not been sent yet. */
  isNew = true;
  /** Nothing may be sent until the viewer's permissions have been checked again. */
  isHeld = true;
  /** A watch is answered for the first time. */
  isFresh = false;
  fleet: EventCursor<LiveConnection> | undefined;
  trail: EventCursor<LiveConnection> | undefined;
  #devices = new Set<string>();
  #runs = new Set<string>();
  #invocations = new Set<string>();
  #changed = new Set<string>();
  #auditCounts = new Map<string, number>();
  #cases = new Set<string>();
  #isNotified = false;
  #output: OutputChange[] = [];
  #outputLength = 0;
  readonly #begun = new Set<string>();

  constructor(connection: string, identity: LiveIdentity) {
    this.connection = connection;
    this.identity = identity;
  }

  /** Whether there is anything to send. */
  get isDirty(): boolean {
    return (
      this.#isNotified ||
      this.#output.length > 0 ||
      this.fleet?.hasMore === true ||
      this.trail?.hasMore === true ||
      [
        this.#devices,
        this.#runs,
        this.#invocations,
        this.#changed,
        this.#cases,
        this.#auditCounts,
      ].some((set) => set.size > 0)
    );
  }

  /**
   * Replaces the interests. Their current state and recent changes are sent first, so that no change is missed in
   * between.
   */
  watch(interests: Interests, recent: Pick<RecentChanges, 'has'>): void {
    const before = this.interests;
    const missed = (kind: EventOnlyKind, now: ReadonlySet<string>, then: ReadonlySet<string>) =>
      [...now].filter((id) => !then.has(id) && recent.has(kind, id));
    for (const id of missed('device-changed', interests.devices, before.devices))
      this.markChanged(id);
    for (const id of missed('audit-trail', interests.auditDevices, before.auditDevices))
      this.countAudit(id);
    for (const id of missed('case', interests.cases, before.cases)) this.markCase(id);
    if (interests.notifications && !before.notifications)
      this.#isNotified ||= recent.has('notifications', this.identity.sub);
    this.isNew = false;
    this.isFresh = true;
    this.interests = interests;
    this.#devices = new Set(interests.devices);
    this.#runs = new Set(interests.runs);
    this.#invocations = new Set(interests.invocations.keys());
  }

  markDevice(id: string): void {
    this.#devices.add(id);
  }

  markChanged(id: string): void {
    this.#changed.add(id);
  }

  markRun(id: string): void {
    this.#runs.add(id);
  }

  markInvocation(id: string): void {
    this.#invocations.add(id);
  }

  markCase(id: string): void {
    this.#cases.add(id);
  }

  markNotified(): void {
    this.#isNotified = true;
  }

  countAudit(deviceId: string): void {
    this.#auditCounts.set(deviceId, (this.#auditCounts.get(deviceId) ?? 0) + 1);
  }

  /**
   * Adds output with its secrets masked.
   * @returns whether it is the first of its invocation on this connection, which a user may be waiting for
   */
  addOutput({ invocationId, stream, offset, text }: Omit<OutputChange, 'kind'>): boolean {
    if (this.#outputLength + text.length > MAX_PENDING_OUTPUT) return false;
    this.#outputLength += text.length;
    const last = this.#output.at(-1);
    const continues =
      last?.invocationId === invocationId &&
      last.stream === stream &&
      last.offset + last.text.length === offset;
    if (continues) this.#output[this.#output.length - 1] = { ...last, text: last.text + text };
    else this.#output.push({ kind: 'output', invocationId, stream, offset, text });
    if (this.#begun.has(invocationId)) return false;
    this.#begun.add(invocationId);
    return true;
  }

  /** Returns and clears the states to read. */
  takeStates(): DirtyStates {
    const taken = { devices: this.#devices, runs: this.#runs, invocations: this.#invocations };
    this.#devices = new Set();
    this.#runs = new Set();
    this.#invocations = new Set();
    return taken;
  }

  /** Returns states that could not be sent. */
  putBack({ devices, runs, invocations }: DirtyStates): void {
    for (const id of devices) this.#devices.add(id);
    for (const id of runs) this.#runs.add(id);
    for (const id of invocations) this.#invocations.add(id);
  }

  takeOutput(): LiveChange[] {
    const output = this.#output;
    this.#output = [];
    this.#outputLength = 0;
    return output.filter(({ invocationId }) => this.interests.invocations.has(invocationId));
  }

  /** Returns and clears all changes that need no database read, as far as the viewer may still see them. */
  takeOwn(): LiveChange[] {
    const { devices, auditDevices, cases } = this.interests;
    const fleet = this.fleet?.take() ?? 0;
    const trail = this.trail?.take() ?? 0;
    const changes: LiveChange[] = [
      ...[...this.#changed]
        .filter((id) => devices.has(id))
        .map((id) => ({ kind: 'device-changed', id }) as const),
      ...[...this.#auditCounts]
        .filter(([id]) => auditDevices.has(id))
        .map(([deviceId, count]) => ({ kind: 'audit-trail', deviceId, count }) as const),
      ...[...this.#cases]
        .filter((id) => cases.has(id))
        .map((id) => ({ kind: 'case', id }) as const),
      ...(trail > 0 ? [{ kind: 'audit-trail', deviceId: null, count: trail } as const] : []),
      ...this.takeOutput(),
      ...(fleet > 0 ? [{ kind: 'fleet' } as const] : []),
      ...(this.#isNotified ? [{ kind: 'notifications' } as const] : []),
    ];
    this.#isNotified = false;
    this.#changed = new Set();
    this.#cases = new Set();
    this.#auditCounts = new Map();
    return changes;
  }
}
