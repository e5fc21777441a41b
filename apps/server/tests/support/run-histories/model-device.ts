import { randomUUID } from 'node:crypto';
import type {
  JournalDraft,
  JournalEntry,
  JournalMessage,
} from '@deviceportal/device-protocol/journal';
import type { DownMessage } from '../../../src/gateway/device-transport.ts';
import { wholePayload } from '../../../src/gateway/broker/whole-payload.ts';
import type { DeviceEnd, Fate } from './history.ts';

interface OnTheWay {
  readonly message: DownMessage;
  /** Offset of the run's time when it was sent. */
  readonly aheadMs: number;
}

interface Active {
  readonly invocationId: string;
  stage: 'taken' | 'started' | 'speaking';
  isCancelled: boolean;
}

/** A device that behaves like the agent: it never starts a known invocation again. */
export class ModelDevice {
  readonly deviceId: string;
  readonly clockSkewMs: number;
  instanceId: string;
  isOnline: boolean;
  isRetired = false;
  /** How often each invocation was started, by all instances. */
  readonly begun = new Map<string, number>();
  /** The reported result of each invocation. */
  readonly said = new Map<string, DeviceEnd>();
  inbox: OnTheWay[] = [];
  /** Journals in transit. */
  overdue: JournalMessage[] = [];
  #epoch = randomUUID();
  #seq = 0;
  #journal: JournalEntry[] = [];
  #seen = new Set<string>();
  #active: Active[] = [];

  constructor(
    deviceId: string,
    instanceId: string,
    state: { isOnline: boolean; clockSkewMs: number },
  ) {
    this.deviceId = deviceId;
    this.instanceId = instanceId;
    this.isOnline = state.isOnline;
    this.clockSkewMs = state.clockSkewMs;
  }

  /** Loses its disk: another instance without state. */
  begin(instanceId: string): void {
    this.instanceId = instanceId;
    this.#epoch = randomUUID();
    this.#seq = 0;
    this.#journal = [];
    this.#seen = new Set();
    this.#active = [];
    this.inbox = [];
  }

  disconnect(): void {
    this.isOnline = false;
    this.inbox = [];
  }

  /** @param aheadMs offset of the run's time */
  deliver(pick: number, fate: Fate, aheadMs: number): void {
    if (!this.isOnline || this.inbox.length === 0) return;
    const at = pick % this.inbox.length;
    const [one] = fate === 'late' ? [] : this.inbox.splice(at, 1);
    if (one === undefined || fate === 'lost') return;
    this.#take(one, aheadMs);
    if (fate === 'twice') this.#take(one, aheadMs);
  }

  /** The next event of the running invocation. */
  work(end: DeviceEnd): void {
    const active = this.#active[0];
    if (active === undefined) return;
    const { invocationId } = active;
    if (active.stage === 'taken') {
      active.stage = 'started';
      this.#say({ kind: 'invocation-started', invocationId });
    } else if (active.stage === 'started') {
      active.stage = 'speaking';
      this.#say({
        kind: 'invocation-output',
        invocationId,
        stream: 'stdout',
        offset: 0,
        text: end,
      });
    } else {
      this.#active.shift();
      // A success may be faster than a cancellation.
      this.#end(invocationId, active.isCancelled && end !== 'Success' ? 'Cancelled' : end);
    }
  }

  /** Sends unacknowledged entries, oldest first. Returns the messages that arrive now. */
  report(fate: Fate): JournalMessage[] {
    if (!this.isOnline || this.#journal.length === 0) return [];
    const whole = this.#message(this.#journal);
    if (fate === 'late') this.overdue.push(whole);
    if (fate === 'lost' || fate === 'late') return [];
    if (fate === 'twice') return [whole, whole];
    if (fate === 'once') return [whole];
    const middle = Math.floor(this.#journal.length / 2);
    return [this.#journal.slice(middle), this.#journal.slice(0, middle)]
      .filter((entries) => entries.length > 0)
      .map((entries) => this.#message(entries));
  }

  #message(entries: readonly JournalEntry[]): JournalMessage {
    const oldest = this.#journal[0]?.seq ?? 1;
    return { instanceId: this.instanceId, epoch: this.#epoch, oldest, entries: [...entries] };
  }

  #take({ message, aheadMs: sentAheadMs }: OnTheWay, aheadMs: number): void {
    const body = JSON.parse(wholePayload(message)) as Record<string, never>;
    switch (message.channel) {
      case 'command':
        this.#command(
          body['invocationId'] ?? '',
          Date.parse(body['deliverBefore'] ?? ''),
          aheadMs - sentAheadMs,
        );
        return;
      case 'cancel':
        this.#cancel(body['invocationId'] ?? '');
        return;
      case 'ack':
        if (body['epoch'] === this.#epoch)
          this.#journal = this.#journal.filter(({ seq }) => seq > (body['upTo'] ?? 0));
        return;
      default:
    }
  }

  /** @param ageMs by how much the run's time was advanced since it was sent */
  #command(invocationId: string, deliverBeforeMs: number, ageMs: number): void {
    if (this.#seen.has(invocationId)) return;
    if (deliverBeforeMs - ageMs < Date.now()) {
      this.#say({ kind: 'event', type: 'command-refused', data: { invocationId } });
      return;
    }
    this.#seen.add(invocationId);
    this.begun.set(invocationId, (this.begun.get(invocationId) ?? 0) + 1);
    this.#active.push({ invocationId, stage: 'taken', isCancelled: false });
  }

  #cancel(invocationId: string): void {
    const active = this.#active.find((one) => one.invocationId === invocationId);
    if (active) active.isCancelled = true;
    if (this.#seen.has(invocationId)) return;
    this.#seen.add(invocationId);
    this.#end(invocationId, 'Cancelled');
  }

  #end(invocationId: string, state: DeviceEnd): void {
    const at = new Date(Date.now() + this.clockSkewMs).toISOString();
    this.said.set(invocationId, state);
    this.#say({
      kind: 'invocation-result',
      invocationId,
      state,
      statusDetails: state === 'TimedOut' ? 'Execution Timed Out' : state,
      responseCode: state === 'Success' ? 0 : 1,
      startedAt: at,
      endedAt: at,
      outputTruncated: false,
    });
  }

  #say(draft: JournalDraft): void {
    this.#seq += 1;
    const at = new Date(Date.now() + this.clockSkewMs).toISOString();
    this.#journal.push({ seq: this.#seq, at, ...draft } as JournalEntry);
  }
}
