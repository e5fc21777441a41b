import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '@deviceportal/contract/ids';
import {
  createLocalChangeFeed,
  type Change,
  type ChangeFeed,
} from '../../src/platform/change-feed.ts';
import { openSharedChangeFeed, toPayloads } from '../../src/platform/shared-change-feed.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/create-test-database.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase[Symbol.asyncDispose]());

const errors: unknown[] = [];
const openFeed = (): Promise<ChangeFeed & AsyncDisposable> =>
  openSharedChangeFeed({
    local: createLocalChangeFeed((error) => errors.push(error)),
    database: testDatabase.database,
    onError: (error) => errors.push(error),
  });

describe('the change feed over several servers', () => {
  test('[changes-1] what one server publishes, each server hears once', async () => {
    await using here = await openFeed();
    await using there = await openFeed();
    const heardHere: Change[] = [];
    const heardThere: Change[] = [];
    here.subscribe((change) => heardHere.push(change));
    there.subscribe((change) => heardThere.push(change));
    const change: Change = { kind: 'run-created', runId: newId() };
    here.publish([change]);
    await vi.waitFor(() => expect(heardThere).toEqual([change]));
    expect(heardHere).toEqual([change]);
  });

  test('[changes-2] a change too large for one notice arrives whole, in pieces', async () => {
    await using here = await openFeed();
    await using there = await openFeed();
    const deviceIds = Array.from({ length: 1_000 }, () => newId());
    const heard: string[] = [];
    there.subscribe((change) => heard.push(...('deviceIds' in change ? change.deviceIds : [])));
    here.publish([{ kind: 'device-status', deviceIds }]);
    await vi.waitFor(() => expect(heard.toSorted()).toEqual(deviceIds.toSorted()));
  });

  test('[changes-3] long output is cut at offsets that fit together', () => {
    const text = 'é\u{1f600}x'.repeat(4_000);
    const change: Change = {
      kind: 'output',
      invocationId: newId(),
      deviceId: newId(),
      stream: 'stdout',
      offset: 7,
      text,
    };
    const pieces = toPayloads('here', [change]).flatMap(
      (payload) => (JSON.parse(payload) as { changes: (typeof change)[] }).changes,
    );
    let offset = 7;
    for (const piece of pieces) {
      expect(piece).toMatchObject({ offset });
      offset += 'text' in piece ? piece.text.length : 0;
    }
    expect(pieces.map((piece) => ('text' in piece ? piece.text : '')).join('')).toBe(text);
  });

  test('many changes arrive in the order in which they were published', async () => {
    await using here = await openFeed();
    await using there = await openFeed();
    const heard: string[] = [];
    there.subscribe((change) => heard.push('runId' in change ? change.runId : ''));
    const runIds = Array.from({ length: 2_000 }, () => newId());
    for (const runId of runIds) {
      here.publish([{ kind: 'run-created', runId }]);
      // Statements of other connections overtake each other only while they are sent.
      if (Number.parseInt(runId.slice(-2), 16) < 8) await setImmediate();
    }
    await vi.waitFor(() => expect(heard).toHaveLength(runIds.length), 10_000);
    expect(heard).toEqual(runIds);
  });

  test('[changes-4] nothing went wrong on the way', () => {
    expect(errors).toEqual([]);
  });
});
