/** Carries out the requests for files of this device, and answers them. */

import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { z } from 'zod';
import {
  fileDownSchema,
  type FileDown,
  type FileUp,
} from '@deviceportal/device-protocol/file-message';
import type { FileOffer } from '@deviceportal/device-protocol/file-offer';
import {
  fileStatementSchema,
  type FileStatement,
  type WriteStatement,
} from '@deviceportal/device-protocol/file-statement';
import type { SignedStatement } from '@deviceportal/device-protocol/messages';
import { type Logger, reasonOf } from '../logger.ts';
import type { AgentStore } from '../store/agent-store.ts';
import { exchangeFolderOf, FileGuard } from './file-guard.ts';
import { FileRefused, obstacleOf } from './file-refused.ts';
import type { FileSettings } from './file-settings.ts';
import { listAllowedFolders, listFolder } from './list-folder.ts';
import { receiveFile, removePart } from './receive-file.ts';
import { sendFile } from './send-file.ts';
import type { TransferWays } from './transfer-ways.ts';

/** More than the portal begins, because a canceled transfer is noticed later. */
const MOST_RUNNING = 16;
const MOST_REMEMBERED = 1_000;
const REPEAT_MS = 2_000;
/** How long an answer is repeated. */
const ANSWER_MS = 120_000;
const PROGRESS_EVERY_MS = 1_000;
/** Longer than the server repeats a request. */
const REMEMBER_MS = 48 * 3_600_000;
/** A part of an upload that was interrupted by a restart is removed if it is not continued. */
const PART_MS = 15 * 60_000;
const PARTS = 'file-parts';

export interface FileHostOptions {
  readonly settings: FileSettings;
  readonly stateDirectory: string;
  readonly store: AgentStore;
  readonly deviceId: () => string;
  readonly serverUrl: () => string;
  /** Whether a pinned key of the server signed the statement. */
  readonly isSigned: (statement: SignedStatement) => boolean;
  readonly serverNow: () => number;
  readonly send: (message: FileUp) => void;
  readonly fetch: typeof fetch;
  readonly log: Logger;
  readonly now: () => number;
  readonly partMs?: number;
}

type Request = Extract<FileDown, { kind: 'request' }>;
type Parts = Readonly<Record<string, string>>;

interface Answer {
  readonly message: FileUp;
  readonly untilMs: number;
}

export class FileHost {
  readonly #options: FileHostOptions;
  readonly #guard: FileGuard;
  readonly #running = new Map<string, AbortController>();
  readonly #answers = new Map<string, Answer>();
  /** Requests that have ended: a repeated message begins none again. */
  readonly #ended = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #partTimer: NodeJS.Timeout | undefined;

  constructor(options: FileHostOptions) {
    this.#options = options;
    this.#guard = new FileGuard({ ...options, folders: options.settings.folders });
  }

  /** Whether this device offers its files. */
  offer(): FileOffer {
    if (!this.#options.settings.isOn) return 'off';
    return process.platform === 'linux' && existsSync('/proc/self/fd') ? 'available' : 'platform';
  }

  start(): void {
    if (this.offer() !== 'available') return;
    const { stateDirectory, log } = this.#options;
    mkdir(exchangeFolderOf(stateDirectory), { recursive: true, mode: 0o700 }).catch(
      (error: unknown) => log('warn', 'exchange folder not created', { reason: reasonOf(error) }),
    );
    const before = Object.entries(this.#parts());
    if (before.length === 0) return;
    this.#partTimer = setTimeout(
      () => void this.#removeParts(before),
      this.#options.partMs ?? PART_MS,
    );
    this.#partTimer.unref();
  }

  take(payload: unknown): void {
    const parsed = fileDownSchema.safeParse(payload);
    if (!parsed.success) {
      const reason = z.prettifyError(parsed.error).slice(0, 200);
      this.#options.log('warn', 'file message is not valid', { reason });
    } else if (parsed.data.kind === 'request') void this.#begin(parsed.data);
    else this.#answers.delete(parsed.data.request);
  }

  /** The connection to the server is back. */
  attach(): void {
    for (const { message } of this.#answers.values()) this.#options.send(message);
  }

  /** Interrupts transfers, which the server continues later. */
  stop(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#partTimer);
    for (const controller of this.#running.values()) controller.abort();
  }

  async #begin(message: Request): Promise<void> {
    const { request } = message;
    const answered = this.#answers.get(request);
    if (answered !== undefined) return this.#options.send(answered.message);
    if (this.#running.has(request) || this.#isEnded(request)) return;
    const statement = this.#readStatement(message);
    if (statement === null) return this.#refuse(request, new FileRefused('signature'));
    const offer = this.offer();
    if (offer !== 'available') return this.#refuse(request, new FileRefused(offer));
    if (this.#running.size >= MOST_RUNNING)
      return this.#refuse(request, new FileRefused('too-many'));
    const controller = new AbortController();
    this.#running.set(request, controller);
    try {
      await this.#carryOut(statement, controller.signal);
    } catch (error) {
      // Continued by the next process.
      if (!controller.signal.aborted) this.#fail(statement, error);
    } finally {
      this.#running.delete(request);
    }
  }

  async #carryOut(statement: FileStatement, signal: AbortSignal): Promise<void> {
    const { fetch: send, serverUrl, log } = this.#options;
    const { action, request, path, userName: user, reason } = statement;
    const ways = { fetch: send, serverUrl, signal };
    if (action === 'list') {
      this.#answer({ kind: 'listed', request, page: await this.#list(statement) });
      return;
    }
    if (action === 'read') {
      await using reached = await this.#guard.reach(path);
      const { bytes } = await sendFile(reached, statement, ways);
      this.#remember(request);
      log('warn', 'file sent to the portal', { path, bytes, user, reason });
      return;
    }
    await this.#write(statement, ways);
  }

  async #write(statement: WriteStatement, ways: TransferWays): Promise<void> {
    const { request, path, bytes, sha256, userName: user, reason } = statement;
    const { store, log, now, send } = this.#options;
    const before = this.#parts();
    this.#keepParts({ ...before, [request]: path });
    // A killed agent finds the part by this.
    await store.durable();
    let toldAtMs = Number.NEGATIVE_INFINITY;
    await receiveFile(statement, {
      ...{ ...ways, guard: this.#guard, isContinued: request in before },
      onProgress: (received) => {
        if (now() - toldAtMs < PROGRESS_EVERY_MS) return;
        toldAtMs = now();
        send({ kind: 'progress', request, bytes: received });
      },
    });
    this.#settleWrite(request);
    // On a full disk, the file is written all the same.
    await store.durable().catch(() => {});
    log('warn', 'file written', { path, bytes, sha256, user, reason });
    this.#answer({ kind: 'written', request, bytes, sha256 });
  }

  async #list(statement: Extract<FileStatement, { action: 'list' }>) {
    if (statement.path === '') return listAllowedFolders(this.#guard, statement);
    await using reached = await this.#guard.reach(statement.path);
    // Awaited here, because the descriptor is then closed.
    return await listFolder(reached, statement);
  }

  #fail({ action, request, path, userName: user }: FileStatement, error: unknown): void {
    const obstacle = obstacleOf(error);
    this.#options.log('warn', 'file request refused', {
      ...{ action, path, user, obstacle },
      ...(obstacle === 'failed' && { reason: reasonOf(error) }),
    });
    // The server asks again, and the transfer continues.
    if (obstacle === 'transfer') return;
    if (action === 'write') this.#settleWrite(request);
    this.#refuse(request, error);
  }

  #readStatement({ request, statement }: Request): FileStatement | null {
    const { isSigned, deviceId, serverNow } = this.#options;
    if (!isSigned(statement)) return null;
    const parsed = fileStatementSchema.safeParse(JSON.parse(statement.payload));
    const isOwn =
      parsed.success &&
      parsed.data.request === request &&
      parsed.data.deviceId === deviceId() &&
      Date.parse(parsed.data.startBefore) >= serverNow();
    return isOwn ? parsed.data : null;
  }

  #refuse(request: string, error: unknown): void {
    this.#answer({ kind: 'refused', request, reason: obstacleOf(error) });
  }

  /** Repeated until the server has stored it. */
  #answer(message: FileUp): void {
    this.#remember(message.request);
    this.#answers.set(message.request, { message, untilMs: this.#options.now() + ANSWER_MS });
    this.#options.send(message);
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#repeat(), REPEAT_MS);
    this.#timer.unref();
  }

  #repeat(): void {
    for (const [request, { message, untilMs }] of this.#answers) {
      if (untilMs < this.#options.now()) this.#answers.delete(request);
      else this.#options.send(message);
    }
    if (this.#answers.size === 0) clearInterval(this.#timer);
  }

  #isEnded(request: string): boolean {
    return this.#ended.has(request) || this.#options.store.state.hasSeen(request);
  }

  #remember(request: string): void {
    const [oldest] = this.#ended;
    if (this.#ended.size >= MOST_REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
    this.#ended.add(request);
  }

  /** Remembered on the disk, so that a repeated request does not write an earlier content again. */
  #settleWrite(request: string): void {
    const { [request]: _settled, ...rest } = this.#parts();
    this.#keepParts(rest);
    const untilMs = this.#options.now() + REMEMBER_MS;
    this.#options.store.record({ t: 'seen', id: request, untilMs });
  }

  #parts(): Parts {
    return (this.#options.store.state.memo(PARTS) as Parts | undefined) ?? {};
  }

  #keepParts(parts: Parts): void {
    this.#options.store.record({ t: 'memo', key: PARTS, value: parts });
  }

  async #removeParts(before: readonly (readonly [request: string, path: string])[]): Promise<void> {
    for (const [request, path] of before) {
      if (this.#running.has(request) || this.#isEnded(request)) continue;
      await removePart(this.#guard, { path, request }).catch(() => {});
      const { [request]: _removed, ...rest } = this.#parts();
      this.#keepParts(rest);
    }
  }
}
