import { expect, test } from 'vitest';
import type { DataSourceFault } from '@deviceportal/contract/data-sources';
import { DELAYED_MS, stateOfSource } from './state-of-source.ts';

const working: Parameters<typeof stateOfSource>[0] = {
  ...{ place: 'outside', isUsed: true, isCalled: true, fault: null, feed: null },
  ...{ lastAnswerAt: '2026-11-26T10:00:00.000Z', incoming: null, outgoing: null },
};
const flow = (delayMs: number) => ({ lastAt: null, waitingCount: null, delayMs });
const fault: DataSourceFault = {
  reason: 'other',
  ...{ text: 'Error: broken', since: '2026-11-26T10:00:00.000Z', server: null },
};

test.each([
  ['works if it answers', {}, 'working'],
  ['is embedded, also if nothing is known of it', { place: 'embedded' }, 'embedded'],
  ['is not used where the provider has none', { place: 'embedded', isUsed: false }, 'unused'],
  ['is not used before the first call', { lastAnswerAt: null }, 'unused'],
  ['fails, also if it is delayed', { fault, incoming: flow(DELAYED_MS * 2) }, 'failing'],
  ['is not monitored if only browsers call it', { isCalled: false }, 'unmonitored'],
  ['is delayed if changes come in late', { incoming: flow(DELAYED_MS + 1) }, 'delayed'],
  ['is delayed if changes go out late', { outgoing: flow(DELAYED_MS + 1) }, 'delayed'],
  ['works with a short delay', { incoming: flow(DELAYED_MS) }, 'working'],
  ['reads all items first', { feed: { reads: 'table', fullSince: null } }, 'reading'],
  [
    'is delayed while too many changes wait',
    { feed: { reads: 'changes', fullSince: '2026-11-26T10:00:00.000Z' } },
    'delayed',
  ],
] as const)('a data source %s', (_title, change, state) => {
  expect(stateOfSource({ ...working, ...change })).toBe(state);
});
