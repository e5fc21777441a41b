import type { LiveChange, Watch } from '@deviceportal/contract/live-channel';
import { maskOverlap, maskSecrets } from '../commands/mask-secrets.ts';
import type { Change } from '../platform/change-feed.ts';
import { noInterests, type Interests } from './resolve-interests.ts';
import type { LiveIdentity } from './viewer-identity.ts';

type OutputChange = Extract<LiveChange, { kind: 'output' }>;

/** More than this between two sends is left to the browser's own refresh, which sees the hole by the offsets. */
const MAX_PENDING_OUTPUT = 512 * 1024;

/** What one connection watches, and what has changed of it since it was last told. */
export class LiveConnection {
  readonly connection: string;
  readonly viewerId: string;
  readonly identity: LiveIdentity;
  watches: readonly Watch[] = [];
  /** Counts watch messages: an answer to an older one is dropped. */
  generation = 0;
  /** The present state of what is watched has not been told yet. */
  isNew = true;
  interests: Interests = noInterests;
  /** Times of the last sends, newest last, as many as there may be in a second. */
  sentMs: readonly number[] = [];
  /** Watched, and their state may have changed. */
  devices = new Set<string>();
  runs = new Set<string>();
  invocations = new Set<string>();
  /** Devices of audit events that are only told if they are in scope. */
  unscopedAudit: string[] = [];
  #changed = new Set<string>();
  #auditCounts = new Map<string | null, number>();
  #output: OutputChange[] = [];
  #outputLength = 0;
  #fleet = false;
  #isUrgent = false;
  readonly #begun = new Set<string>();
  /** Ends of output, kept to find secrets that reach over pieces. */
  readonly #tails = new Map<string, string>();

  constructor(connection: string, viewerId: string, identity: LiveIdentity) {
    this.connection = connection;
    this.viewerId = viewerId;
    this.identity = identity;
  }

  /** Whether there is anything to tell. */
  get isDirty(): boolean {
    return (
      this.#fleet ||
      this.#output.length > 0 ||
      this.unscopedAudit.length > 0 ||
      [this.devices, this.runs, this.invocations, this.#changed, this.#auditCounts].some(
        (set) => set.size > 0,
      )
    );
  }

  /** Somebody waits for the first line of a command's output. */
  get isUrgent(): boolean {
    return this.#isUrgent;
  }

  /** From now on these; their present state is told first, so that nothing falls between. */
  watch(interests: Interests): void {
    this.isNew = false;
    this.interests = interests;
    this.devices = new Set(interests.devices);
    this.runs = new Set(interests.runs);
    this.invocations = new Set(interests.invocations.keys());
  }

  hear(change: Change): void {
    const { interests } = this;
    switch (change.kind) {
      case 'device-status':
        addWatched(this.devices, change.deviceIds, interests.devices);
        if (interests.fleet) this.#fleet = true;
        return;
      case 'device-changed':
        addWatched(this.#changed, change.deviceIds, interests.devices);
        return;
      case 'run':
        addWatched(this.runs, change.runIds, interests.runs);
        return;
      case 'invocations':
        if (interests.invocations.size === 0) return;
        for (const { id } of change.changed)
          if (interests.invocations.has(id)) this.invocations.add(id);
        return;
      case 'output':
        this.#hearOutput(change);
        return;
      case 'audit-trail':
        this.#hearAudit(change.deviceIds);
        return;
      default:
    }
  }

  /** Events of these devices are within the viewer's scope. */
  countAudit(deviceIds: readonly string[]): void {
    if (deviceIds.length > 0) this.#count(null, deviceIds.length);
  }

  /** Everything that needs no look at the database, and forgets it. */
  takeOwn(): LiveChange[] {
    const changes: LiveChange[] = [
      ...[...this.#changed].map((id) => ({ kind: 'device-changed', id }) as const),
      ...[...this.#auditCounts].map(
        ([deviceId, count]) => ({ kind: 'audit-trail', deviceId, count }) as const,
      ),
      ...this.#output,
      ...(this.#fleet ? [{ kind: 'fleet' } as const] : []),
    ];
    this.#changed = new Set();
    this.#auditCounts = new Map();
    this.#output = [];
    this.#outputLength = 0;
    this.#fleet = false;
    this.#isUrgent = false;
    return changes;
  }

  #hearOutput(change: Extract<Change, { kind: 'output' }>): void {
    const secrets = this.interests.invocations.get(change.invocationId);
    if (!secrets) return;
    const { invocationId, stream, offset } = change;
    const text = this.#mask(change, secrets);
    if (this.#outputLength + text.length > MAX_PENDING_OUTPUT) return;
    this.#outputLength += text.length;
    if (!this.#begun.has(invocationId)) {
      this.#begun.add(invocationId);
      this.#isUrgent = true;
    }
    const last = this.#output.at(-1);
    const continues =
      last?.invocationId === invocationId &&
      last.stream === stream &&
      last.offset + last.text.length === offset;
    if (continues) this.#output[this.#output.length - 1] = { ...last, text: last.text + text };
    else this.#output.push({ kind: 'output', invocationId, stream, offset, text });
  }

  #mask(change: Extract<Change, { kind: 'output' }>, secrets: readonly string[]): string {
    if (secrets.length === 0) return change.text;
    const key = `${change.invocationId} ${change.stream}`;
    const tail = this.#tails.get(key) ?? '';
    const overlap = maskOverlap(secrets);
    const whole = tail + change.text;
    this.#tails.set(key, overlap === 0 ? '' : whole.slice(-overlap));
    return maskSecrets(whole, secrets).slice(tail.length);
  }

  #hearAudit(deviceIds: readonly string[]): void {
    const { auditDevices, auditTrail } = this.interests;
    for (const deviceId of deviceIds) if (auditDevices.has(deviceId)) this.#count(deviceId, 1);
    if (auditTrail === 'everywhere') this.#count(null, Math.max(1, deviceIds.length));
    if (auditTrail === 'in-scope') this.unscopedAudit.push(...deviceIds);
  }

  #count(deviceId: string | null, count: number): void {
    this.#auditCounts.set(deviceId, (this.#auditCounts.get(deviceId) ?? 0) + count);
  }
}

/** Walks the shorter side. */
function addWatched(
  dirty: Set<string>,
  ids: readonly string[],
  watched: ReadonlySet<string>,
): void {
  if (watched.size === 0) return;
  for (const id of ids) if (watched.has(id)) dirty.add(id);
}
