import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  journalMessageSchema,
  type JournalEntry,
  type JournalMessage,
} from '@deviceportal/device-protocol/journal';
import { silentLogger } from '../logger.ts';
import { AgentState } from '../store/agent-state.ts';
import { AgentStore, forgetfulLog } from '../store/agent-store.ts';
import { openAgentStore } from '../store/open-agent-store.ts';
import { Journal } from './journal.ts';

const instanceId = 'mi-00000000000000001';
const settle = (ms = 5): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const createJournal = (store: AgentStore, ackWaitMs = 10_000): Journal =>
  new Journal({
    store,
    instanceId: () => instanceId,
    now: () => 1_700_000_000_000,
    log: silentLogger,
    coalesceMs: 1,
    ackWaitMs,
  });

const event = (name: number) => ({ kind: 'event' as const, type: 'tick', data: { name } });

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'journal-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

describe('sending', () => {
  test('batches entries into one message, in order', async () => {
    const journal = createJournal(new AgentStore(new AgentState(), forgetfulLog));
    const sent: JournalMessage[] = [];
    journal.attach(
      async (payload) => void sent.push(journalMessageSchema.parse(JSON.parse(payload))),
    );
    for (let name = 1; name <= 5; name += 1) journal.append(event(name));
    await settle(20);
    expect(sent.map((message) => message.entries.map((entry) => entry.seq))).toEqual([
      [1, 2, 3, 4, 5],
    ]);
    await journal.close();
  });

  test('[journal-11] an entry that is soon followed is one message with the next, or sent alone after three delays', async () => {
    vi.useFakeTimers();
    try {
      const journal = createJournal(new AgentStore(new AgentState(), forgetfulLog));
      const sent: number[][] = [];
      journal.attach(async (payload) => {
        sent.push((JSON.parse(payload) as JournalMessage).entries.map((entry) => entry.seq));
      });
      journal.append(event(1), { isSoonFollowed: true });
      await vi.advanceTimersByTimeAsync(2);
      expect(sent).toEqual([]);
      journal.append(event(2));
      await vi.advanceTimersByTimeAsync(1);
      expect(sent).toEqual([[1, 2]]);
      journal.append(event(3), { isSoonFollowed: true });
      await vi.advanceTimersByTimeAsync(3);
      expect(sent).toEqual([[1, 2], [3]]);
      await journal.close();
    } finally {
      vi.useRealTimers();
    }
  });

  test('limits a message to 500 entries and 100 KB', async () => {
    const journal = createJournal(new AgentStore(new AgentState(), forgetfulLog));
    const sizes: { entries: number; bytes: number }[] = [];
    journal.attach(async (payload) => {
      const { entries } = JSON.parse(payload) as JournalMessage;
      sizes.push({ entries: entries.length, bytes: payload.length });
    });
    for (let name = 0; name < 1_200; name += 1) journal.append(event(name));
    for (let name = 0; name < 20; name += 1) {
      journal.append({ kind: 'event', type: 'big', data: { text: 'x'.repeat(20_000) } });
    }
    await settle(50);
    expect(sizes.reduce((sum, size) => sum + size.entries, 0)).toBe(1_220);
    expect(Math.max(...sizes.map((size) => size.entries))).toBeLessThanOrEqual(500);
    expect(Math.max(...sizes.map((size) => size.bytes))).toBeLessThan(101_000);
    await journal.close();
  });

  test('[journal-3] resends unacknowledged entries on the next connection and after a timeout', async () => {
    const journal = createJournal(new AgentStore(new AgentState(), forgetfulLog), 40);
    const sent: number[][] = [];
    const send = async (payload: string): Promise<void> => {
      sent.push((JSON.parse(payload) as JournalMessage).entries.map((entry) => entry.seq));
    };
    journal.attach(send);
    journal.append(event(1));
    journal.append(event(2));
    await settle(15);
    journal.detach();
    journal.attach(send);
    await settle(15);
    expect(sent).toEqual([
      [1, 2],
      [1, 2],
    ]);
    await settle(60);
    expect(sent.length).toBeGreaterThan(2);
    await journal.close();
  });

  test('[journal-4] ignores acknowledgments for another instance or epoch, and outdated or future ones', async () => {
    const store = new AgentStore(new AgentState(), forgetfulLog);
    const journal = createJournal(store);
    journal.append(event(1));
    journal.append(event(2));
    const { epoch } = store.state;
    journal.acknowledge({ instanceId: 'mi-other', epoch, upTo: 1 });
    journal.acknowledge({ instanceId, epoch: crypto.randomUUID(), upTo: 1 });
    journal.acknowledge({ instanceId, epoch, upTo: 3 });
    expect(journal.unacknowledged).toBe(2);
    journal.acknowledge({ instanceId, epoch, upTo: 1 });
    journal.acknowledge({ instanceId, epoch, upTo: 1 });
    journal.acknowledge({ instanceId, epoch, upTo: 0 });
    expect(journal.unacknowledged).toBe(1);
    await journal.close();
  });
});

describe('paused by the server', () => {
  test('sends nothing during the pause, also on a new connection, and then resends everything', async () => {
    const store = new AgentStore(new AgentState(), forgetfulLog);
    const journal = createJournal(store);
    const sent: number[][] = [];
    const send = async (payload: string): Promise<void> => {
      sent.push((JSON.parse(payload) as JournalMessage).entries.map((entry) => entry.seq));
    };
    journal.attach(send);
    for (let name = 1; name <= 3; name += 1) journal.append(event(name));
    await settle(20);
    journal.acknowledge({ instanceId, epoch: store.state.epoch, upTo: 1, waitMs: 150 });
    journal.append(event(4));
    journal.attach(send);
    await settle(60);
    expect(sent).toEqual([[1, 2, 3]]);
    await settle(150);
    expect(sent).toEqual([
      [1, 2, 3],
      [2, 3, 4],
    ]);
    await journal.close();
  });
});

describe('on disk', () => {
  test('starts a new epoch after a damaged file and keeps the readable entries', async () => {
    const opened = await openAgentStore({ stateDirectory: directory });
    const journal = createJournal(opened.store);
    for (let name = 1; name <= 3; name += 1) journal.append(event(name));
    await journal.close();
    await opened[Symbol.asyncDispose]();
    const path = join(directory, 'journal.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    lines[2] = '#####';
    await writeFile(path, lines.join('\n'));
    const again = await openAgentStore({ stateDirectory: directory });
    expect(again.lostLines).toBe(1);
    expect(again.store.state.epoch).not.toBe(opened.store.state.epoch);
    expect(again.store.state.unacknowledged.map((entry) => entry.seq)).toEqual([1, 2]);
    await again[Symbol.asyncDispose]();
  });

  /** The server: accepts each (epoch, seq) once, in order. */
  class Server {
    readonly taken: number[] = [];
    upTo = 0;
    take(message: JournalMessage): void {
      for (const entry of message.entries as (JournalEntry & { data: { name: number } })[]) {
        if (entry.seq !== this.upTo + 1) continue;
        this.upTo = entry.seq;
        this.taken.push(entry.data.name);
      }
    }
  }

  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant('append' as const) },
    { weight: 2, arbitrary: fc.constant('connect' as const) },
    { weight: 2, arbitrary: fc.constant('lose-messages' as const) },
    { weight: 3, arbitrary: fc.constant('acknowledge' as const) },
    { weight: 2, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('kill-torn' as const) },
  );

  test('delivers every stored entry once and in order, despite losses, kills, and torn writes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        let home = await mkdtemp(join(directory, 'run-'));
        const server = new Server();
        const kept: number[] = [];
        let opened = await openAgentStore({
          stateDirectory: home,
          sync: false,
          compactAboveBytes: 600,
        });
        let journal = createJournal(opened.store);
        let name = 0;
        const connect = (delivers: boolean): void => {
          journal.detach();
          journal.attach(async (payload) => {
            if (delivers) server.take(journalMessageSchema.parse(JSON.parse(payload)));
          });
        };
        for (const action of [...steps, 'connect' as const]) {
          if (action === 'append') {
            name += 1;
            journal.append(event(name));
            await opened.store.durable();
            kept.push(name);
          } else if (action === 'connect' || action === 'lose-messages')
            connect(action === 'connect');
          else if (action === 'acknowledge') {
            journal.acknowledge({ instanceId, epoch: opened.store.state.epoch, upTo: server.upTo });
          } else {
            // Discard everything that is not in the file yet, as a kill would.
            journal.detach();
            const before = home;
            home = await mkdtemp(join(directory, 'run-'));
            await copyFile(join(before, 'journal.jsonl'), join(home, 'journal.jsonl'));
            if (action === 'kill-torn') {
              await writeFile(join(home, 'journal.jsonl'), '{"t":"ent', { flag: 'a' });
            }
            await opened[Symbol.asyncDispose]();
            opened = await openAgentStore({
              stateDirectory: home,
              sync: false,
              compactAboveBytes: 600,
            });
            journal = createJournal(opened.store);
          }
          await settle(0);
        }
        for (let waits = 0; server.taken.length < kept.length && waits < 200; waits += 1)
          await settle(2);
        expect(server.taken).toEqual(kept);
        await journal.close();
        await opened[Symbol.asyncDispose]();
      }),
      { numRuns: 40 },
    );
  }, 120_000);
});
