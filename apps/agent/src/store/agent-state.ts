/**
 * Everything that an agent must know after a kill: its journal, received commands, and running
 * ones. The state is computed from its records, so that file and memory cannot differ.
 */

import { randomUUID } from 'node:crypto';
import type { CommandMessage } from '@deviceportal/device-protocol/messages';
import type { JournalEntry } from '@deviceportal/device-protocol/journal';
import type { StepState } from '@deviceportal/contract/states';

export type OutputStream = 'stdout' | 'stderr';

/** Position of the journaled output in the files of the current step. */
export interface OutputMark {
  readonly invocationId: string;
  readonly stream: OutputStream;
  readonly consumedBytes: number;
}

export interface StepEnd {
  readonly state: StepState;
  readonly exitCode: number | null;
}

/** The last started shell step, whose process can outlive the agent. */
export interface BegunStep {
  readonly index: number;
  readonly attempt: number;
  readonly startedAtMs: number;
}

export interface ActiveCommand {
  readonly invocationId: string;
  readonly startedAtMs: number;
  /**
   * Null on a machine without persistent processes (a simulated one), where nothing can be resumed.
   */
  message: CommandMessage | null;
  cancelled: boolean;
  begun: BegunStep | null;
  /** Number of machine restarts requested by a step that runs again afterwards (exit code 194). */
  restarts: number;
  readonly ended: Record<number, StepEnd>;
  readonly offsets: Record<OutputStream, number>;
  readonly consumed: Record<OutputStream, number>;
  reportedStart: boolean;
}

export type AgentRecord =
  | { readonly t: 'epoch'; readonly epoch: string; readonly next: number }
  | { readonly t: 'entry'; readonly entry: JournalEntry; readonly mark?: OutputMark }
  | { readonly t: 'ack'; readonly upTo: number }
  | {
      readonly t: 'accept';
      readonly id: string;
      readonly untilMs: number;
      /** Its run, if signed: a signature is valid once per device. */
      readonly run?: string;
      readonly startedAtMs: number;
      readonly message: CommandMessage | null;
    }
  | { readonly t: 'begin'; readonly id: string; readonly step: BegunStep }
  | { readonly t: 'restart'; readonly id: string; readonly message?: CommandMessage }
  | { readonly t: 'cancel'; readonly id: string }
  | { readonly t: 'seen'; readonly id: string; readonly untilMs: number }
  | { readonly t: 'active'; readonly command: ActiveCommand }
  | { readonly t: 'memo'; readonly key: string; readonly value: unknown };

export interface KeptEntry {
  readonly seq: number;
  readonly json: string;
}

export class AgentState {
  epoch: string = randomUUID();
  nextSeq = 1;
  ackedUpTo = 0;
  /** Unacknowledged entries, oldest first, without gaps. */
  unacknowledged: KeptEntry[] = [];
  readonly #seen = new Map<string, number>();
  readonly active = new Map<string, ActiveCommand>();
  readonly #memos = new Map<string, unknown>();

  hasSeen(invocationId: string): boolean {
    return this.#seen.has(invocationId);
  }

  memo(key: string): unknown {
    return this.#memos.get(key);
  }

  /** `json` avoids serializing an entry twice, if the caller has its text. */
  apply(record: AgentRecord, json?: string): void {
    switch (record.t) {
      case 'epoch':
        this.epoch = record.epoch;
        this.nextSeq = record.next;
        this.ackedUpTo = record.next - 1;
        this.unacknowledged = [];
        return;
      case 'entry':
        this.#applyEntry(record.entry, json ?? JSON.stringify(record.entry), record.mark);
        return;
      case 'ack':
        this.#applyAck(record.upTo);
        return;
      case 'accept':
        this.#seen.set(record.id, record.untilMs);
        if (record.run !== undefined) this.#seen.set(record.run, record.untilMs);
        this.active.set(record.id, newActiveCommand(record.id, record.startedAtMs, record.message));
        return;
      case 'active':
        this.active.set(record.command.invocationId, record.command);
        return;
      case 'seen':
        this.#seen.set(record.id, record.untilMs);
        return;
      case 'memo':
        this.#memos.set(record.key, record.value);
        return;
      default:
        this.#applyToActive(record);
    }
  }

  #applyToActive(record: Extract<AgentRecord, { t: 'begin' | 'cancel' | 'restart' }>): void {
    const command = this.active.get(record.id);
    if (!command) return;
    if (record.t === 'cancel') command.cancelled = true;
    else if (record.t === 'restart') {
      command.restarts += 1;
      command.begun = null;
      command.message ??= record.message ?? null;
    } else {
      command.begun = record.step;
      command.consumed.stdout = 0;
      command.consumed.stderr = 0;
    }
  }

  #applyEntry(entry: JournalEntry, json: string, mark: OutputMark | undefined): void {
    if (entry.seq < this.nextSeq) return;
    this.nextSeq = entry.seq + 1;
    this.unacknowledged.push({ seq: entry.seq, json });
    if (!('invocationId' in entry)) return;
    const command = this.active.get(entry.invocationId);
    if (!command) return;
    if (entry.kind === 'invocation-started') command.reportedStart = true;
    else if (entry.kind === 'invocation-output') {
      command.offsets[entry.stream] = entry.offset + entry.text.length;
    } else if (entry.kind === 'invocation-step' && entry.state !== 'InProgress') {
      command.ended[entry.index] = { state: entry.state, exitCode: entry.exitCode };
    } else if (entry.kind === 'invocation-result') this.active.delete(entry.invocationId);
    if (mark) command.consumed[mark.stream] = mark.consumedBytes;
  }

  #applyAck(upTo: number): void {
    if (upTo <= this.ackedUpTo || upTo >= this.nextSeq) return;
    this.ackedUpTo = upTo;
    const kept = this.unacknowledged.findIndex((entry) => entry.seq > upTo);
    this.unacknowledged = kept === -1 ? [] : this.unacknowledged.slice(kept);
  }

  /** Removes IDs of commands that can no longer start. */
  forgetSeenBefore(timeMs: number): void {
    for (const [id, untilMs] of this.#seen) {
      if (untilMs < timeMs && !this.active.has(id)) this.#seen.delete(id);
    }
  }

  /** Records that reproduce this state; entries as text. */
  *snapshot(): Generator<AgentRecord | { readonly t: 'entry'; readonly json: string }> {
    yield { t: 'epoch', epoch: this.epoch, next: this.ackedUpTo + 1 };
    for (const [id, untilMs] of this.#seen) yield { t: 'seen', id, untilMs };
    for (const [key, value] of this.#memos) yield { t: 'memo', key, value };
    for (const entry of this.unacknowledged) yield { t: 'entry', json: entry.json };
    // After the entries, because replaying those must not change the commands' counters.
    for (const command of this.active.values()) yield { t: 'active', command };
  }
}

function newActiveCommand(
  invocationId: string,
  startedAtMs: number,
  message: CommandMessage | null,
): ActiveCommand {
  return {
    invocationId,
    startedAtMs,
    message,
    cancelled: false,
    begun: null,
    restarts: 0,
    ended: {},
    offsets: { stdout: 0, stderr: 0 },
    consumed: { stdout: 0, stderr: 0 },
    reportedStart: false,
  };
}
