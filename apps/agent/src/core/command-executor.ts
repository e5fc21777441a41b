/**
 * Runs commands: each one once despite duplicate deliveries, and a few concurrently. Completes
 * commands that were running when the agent ended.
 */

import type { SignatureFault } from '@deviceportal/command-signing/check-command';
import {
  cancelMessageSchema,
  commandMessageSchema,
  type CommandMessage,
} from '@deviceportal/device-protocol/messages';
import { type Logger, reasonOf } from '../logger.ts';
import type { ActiveCommand } from '../store/agent-state.ts';
import { waitsUntilMs } from './device-turns.ts';
import { Invocation, type InvocationOptions } from './invocation.ts';
import { refusalTexts } from './refusal-texts.ts';

/** The SSM agent's default number of command workers. */
const MAX_AT_ONCE = 5;
/**
 * How long command IDs are kept after the latest start time of the command, because device clocks
 * can be wrong.
 */
const REMEMBER_MS = 48 * 3_600_000;

export interface CommandExecutorOptions extends InvocationOptions {
  readonly log: Logger;
  /** The server's time, which determines expiry, because the device's clock can be wrong. */
  readonly serverNow: () => number;
  /** Why a command does not match its authorization; null if it can start. */
  readonly signatureFault: (command: CommandMessage) => SignatureFault | null;
  /** Called when no command is running and the agent must restart. */
  readonly onIdle: () => void;
}

/** A started command; `null` until it is saved. */
interface Running {
  readonly holder: string | null;
  readonly sinceMs: number;
  readonly invocation: Invocation | null;
}

export class CommandExecutor {
  readonly #options: CommandExecutorOptions;
  readonly #running = new Map<string, Running>();
  #waiting: CommandMessage[] = [];
  #stopped = false;
  #turnTimer: NodeJS.Timeout | undefined;

  constructor(options: CommandExecutorOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && this.#waiting.length === 0;
  }

  /** Resumes commands that were running when the agent ended. */
  resume(): void {
    // A copy, because commands that end are removed from the map.
    for (const command of Array.from(this.#options.store.state.active.values())) {
      // Commands stored by an earlier release can lack fields.
      const kept = commandMessageSchema.safeParse(command.message);
      if (kept.success) void this.#run(command, kept.data);
      else this.#reportLost(command);
    }
  }

  /** Handles `down/command`. */
  take(payload: unknown): void {
    const parsed = commandMessageSchema.safeParse(payload);
    if (!parsed.success) {
      this.#refused({ reason: 'not a command', detail: parsed.error.message.slice(0, 500) });
      return;
    }
    const message = parsed.data;
    const { invocationId } = message;
    if (this.#stopped || this.#isKnown(invocationId)) return;
    if (this.#isExpired(message)) return;
    if (this.#isForged(message)) return;
    this.#waiting.push(message);
    this.#startWaiting();
  }

  /**
   * Rejects a command that does not match its authorization or repeats one under another ID, and
   * reports the reason.
   */
  #isForged(message: CommandMessage): boolean {
    const fault = this.#faultOf(message);
    if (fault === null) return false;
    const { store, journal, now } = this.#options;
    const { invocationId, runId } = message;
    store.record({ t: 'seen', id: invocationId, untilMs: now() + REMEMBER_MS });
    this.#refused({ reason: 'signature', fault, invocationId, runId });
    journal.append({ kind: 'invocation-started', invocationId });
    journal.append({
      kind: 'invocation-output',
      invocationId,
      stream: 'stderr',
      offset: 0,
      text: `The device refused this command: ${refusalTexts[fault]}\n`,
    });
    this.#journalEnd(invocationId, now(), 'Access Denied');
    return true;
  }

  #faultOf(message: CommandMessage): SignatureFault | 'repeated' | null {
    const fault = this.#options.signatureFault(message);
    if (fault !== null || message.authorization === undefined) return fault;
    const { state } = this.#options.store;
    const isKnownRun = state.hasSeen(message.runId) || this.#isWaiting(message.runId);
    return isKnownRun ? 'repeated' : null;
  }

  /** A device has at most one command of a run. */
  #isWaiting(runId: string): boolean {
    return this.#waiting.some((waiting) => waiting.runId === runId);
  }

  /**
   * Handles `down/cancel`. A command that has not arrived yet will not start. A finished command is
   * not changed.
   */
  cancel(payload: unknown): void {
    const parsed = cancelMessageSchema.safeParse(payload);
    if (!parsed.success) return;
    const { invocationId } = parsed.data;
    const { store, now } = this.#options;
    if (this.#running.has(invocationId)) {
      store.record({ t: 'cancel', id: invocationId });
      this.#running.get(invocationId)?.invocation?.cancel();
      return;
    }
    if (store.state.hasSeen(invocationId)) return;
    this.#waiting = this.#waiting.filter((message) => message.invocationId !== invocationId);
    store.record({ t: 'seen', id: invocationId, untilMs: now() + REMEMBER_MS });
    this.#journalEnd(invocationId, now(), 'Cancelled');
    // Another command may have been waiting for it.
    this.#startWaiting();
  }

  /** Accepts no further commands and detaches from running ones without ending them. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#turnTimer);
    this.#waiting = [];
    this.#options.machine.detach();
  }

  /** Rejects a command whose latest start time has passed, and reports it. */
  #isExpired({ invocationId, deliverBefore }: CommandMessage): boolean {
    if (Date.parse(deliverBefore) >= this.#options.serverNow()) return false;
    // Include the device's time, in case its clock is wrong.
    const deviceTime = new Date(this.#options.now()).toISOString();
    this.#refused({ reason: 'expired', invocationId, deliverBefore, deviceTime });
    return true;
  }

  #isKnown(invocationId: string): boolean {
    return (
      this.#running.has(invocationId) ||
      this.#options.store.state.hasSeen(invocationId) ||
      this.#waiting.some((message) => message.invocationId === invocationId)
    );
  }

  #startWaiting(): void {
    clearTimeout(this.#turnTimer);
    while (this.#running.size < MAX_AT_ONCE) {
      const message = this.#takeWhoseTurnItIs();
      if (!message) return;
      // Occupy the slot before the first await.
      this.#running.set(message.invocationId, this.#place(message, null));
      void this.#accept(message);
    }
  }

  /**
   * The first command that need not wait for another user's change. If all must wait, checks again
   * later.
   */
  #takeWhoseTurnItIs(): CommandMessage | undefined {
    // Expired commands do not block others.
    this.#waiting = this.#waiting.filter((message) => !this.#isExpired(message));
    const nowMs = this.#options.now();
    const running = [...this.#running.values()].map(({ holder, sinceMs, invocation }) => ({
      holder,
      newsAtMs: invocation?.newsAtMs ?? sinceMs,
    }));
    let againMs = Infinity;
    for (const [index, { holder, deliverBefore }] of this.#waiting.entries()) {
      const before = this.#waiting.slice(0, index).map((other) => other.holder);
      const untilMs = waitsUntilMs(holder, { running, before, nowMs });
      if (untilMs === null) return this.#waiting.splice(index, 1)[0];
      const leftMs = Date.parse(deliverBefore) - this.#options.serverNow();
      againMs = Math.min(againMs, untilMs, nowMs + leftMs + 1);
    }
    if (Number.isFinite(againMs)) {
      this.#turnTimer = setTimeout(() => this.#startWaiting(), againMs - nowMs);
      this.#turnTimer.unref();
    }
    return undefined;
  }

  #place({ holder }: CommandMessage, invocation: Invocation | null): Running {
    return { holder, sinceMs: this.#options.now(), invocation };
  }

  async #accept(message: CommandMessage): Promise<void> {
    const { store, machine, now, log } = this.#options;
    const { invocationId } = message;
    store.record({
      t: 'accept',
      id: invocationId,
      untilMs: rememberUntilMs(message, now()),
      ...(message.authorization !== undefined && { run: message.runId }),
      startedAtMs: now(),
      message: machine.keepsProcesses ? message : null,
    });
    try {
      await store.durable();
    } catch (error) {
      log('error', 'command started without being saved to disk', { reason: reasonOf(error) });
    }
    const command = store.state.active.get(invocationId);
    if (command && !this.#stopped) await this.#run(command, message);
  }

  async #run(command: ActiveCommand, message: CommandMessage): Promise<void> {
    const invocation = new Invocation(this.#options, command, message);
    this.#running.set(message.invocationId, this.#place(message, invocation));
    try {
      const state = await invocation.run();
      // The machine is going down. The next start of the agent resumes the command.
      if (state === 'Restart') return;
    } catch (error) {
      this.#options.log('error', 'command failed unexpectedly', { reason: reasonOf(error) });
      this.#journalEnd(message.invocationId, command.startedAtMs, 'Failed');
    }
    await this.#options.machine.forget(message.invocationId).catch(() => {});
    this.#running.delete(message.invocationId);
    this.#startWaiting();
    if (this.isIdle) this.#options.onIdle();
  }

  #reportLost(command: ActiveCommand): void {
    const { journal } = this.#options;
    const { invocationId } = command;
    if (!command.reportedStart) journal.append({ kind: 'invocation-started', invocationId });
    journal.append({
      kind: 'invocation-output',
      invocationId,
      stream: 'stderr',
      offset: command.offsets.stderr,
      text: 'agent restarted during the command\n',
    });
    this.#journalEnd(invocationId, command.startedAtMs, command.cancelled ? 'Cancelled' : 'Failed');
  }

  #journalEnd(
    invocationId: string,
    startedAtMs: number,
    statusDetails: 'Failed' | 'Cancelled' | 'Access Denied',
  ): void {
    const { journal, now } = this.#options;
    journal.append({
      kind: 'invocation-result',
      invocationId,
      state: statusDetails === 'Cancelled' ? 'Cancelled' : 'Failed',
      statusDetails,
      responseCode: -1,
      startedAt: new Date(startedAtMs).toISOString(),
      endedAt: new Date(now()).toISOString(),
      outputTruncated: false,
    });
  }

  #refused(data: Record<string, unknown>): void {
    this.#options.journal.append({ kind: 'event', type: 'command-refused', data });
  }
}

/** At least as long as the signed statement is valid, regardless of a wrong clock. */
function rememberUntilMs({ deliverBefore, authorization }: CommandMessage, nowMs: number): number {
  const signedUntilMs = authorization === undefined ? 0 : signedDeliverBeforeMs(authorization);
  return Math.max(Date.parse(deliverBefore), signedUntilMs, nowMs) + REMEMBER_MS;
}

/** The signature has already been verified. */
function signedDeliverBeforeMs({
  statement,
}: NonNullable<CommandMessage['authorization']>): number {
  const { deliverBefore } = JSON.parse(statement.payload) as { readonly deliverBefore: string };
  return Date.parse(deliverBefore);
}
