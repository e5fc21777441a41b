/** The state of a real agent in its state directory: `journal.jsonl`, one append-only file. */

import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentRecord, AgentState } from './agent-state.ts';
import { AgentStore, snapshotLines, type AgentLog } from './agent-store.ts';
import { openAppendFile, type AppendFile } from './append-file.ts';
import { DiskReserve } from './disk-reserve.ts';

const COMPACT_ABOVE_BYTES = 4 * 1024 * 1024;

export interface OpenedAgentStore extends AsyncDisposable {
  readonly store: AgentStore;
  /** Number of unreadable lines in the file, after which the journal continues in a new epoch. */
  readonly lostLines: number;
}

export interface OpenAgentStoreOptions {
  readonly stateDirectory: string;
  readonly sync?: boolean;
  readonly compactAboveBytes?: number;
}

export async function openAgentStore(options: OpenAgentStoreOptions): Promise<OpenedAgentStore> {
  const path = join(options.stateDirectory, 'journal.jsonl');
  const { file, lines } = await openAppendFile({ path, sync: options.sync ?? true });
  const state = new AgentState();
  const lostLines = foldLines(state, lines);
  if (lostLines > 0) {
    await copyFile(path, `${path}.damaged`);
    beginNewEpoch(state);
  }
  if (lines.length === 0 || lostLines > 0) await file.rewrite(() => snapshotLines(state));
  const limitBytes = options.compactAboveBytes ?? COMPACT_ABOVE_BYTES;
  const log = compactingLog(file, state, limitBytes);
  const reserve = new DiskReserve(options.stateDirectory);
  const store = new AgentStore(state, {
    write: (line) => log.write(line),
    flush: () => reserve.guard(() => log.flush()),
  });
  return { store, lostLines, [Symbol.asyncDispose]: () => file[Symbol.asyncDispose]() };
}

/** Applies the lines of a log. Returns the number of unreadable lines. */
export function foldLines(state: AgentState, lines: readonly string[]): number {
  let lost = 0;
  for (const line of lines) {
    const record = parseRecord(line);
    if (record) state.apply(record);
    else lost += 1;
  }
  return lost;
}

function parseRecord(line: string): AgentRecord | undefined {
  try {
    return JSON.parse(line) as AgentRecord;
  } catch {
    return undefined;
  }
}

/**
 * A damaged file can hide used sequence numbers, so a new epoch starts. Readable unacknowledged
 * entries are numbered again, and the server may receive some of them twice.
 */
function beginNewEpoch(state: AgentState): void {
  const kept = state.unacknowledged.map((entry) => JSON.parse(entry.json) as { seq: number });
  state.apply({ t: 'epoch', epoch: randomUUID(), next: 1 });
  for (const [position, entry] of kept.entries()) {
    const seq = position + 1;
    state.unacknowledged.push({ seq, json: JSON.stringify({ ...entry, seq }) });
    state.nextSeq = seq + 1;
  }
}

function compactingLog(file: AppendFile, state: AgentState, limitBytes: number): AgentLog {
  let compactAt = limitBytes;
  return {
    write: (line) => file.append(line),
    flush: async () => {
      if (file.bytes < compactAt) return file.flush();
      await file.rewrite(() => snapshotLines(state));
      // A file that cannot shrink (long without a server) must not be rewritten at every flush.
      compactAt = file.bytes * 2 + limitBytes;
    },
  };
}
