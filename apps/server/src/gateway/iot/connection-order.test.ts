import { expect, test } from 'vitest';
import { isNewerEvent, isOfEndedConnection, type OrderedEvent } from './connection-order.ts';

const event = (version: number, seconds: number, isConnected: boolean): OrderedEvent => ({
  version,
  at: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000),
  isConnected,
});
const connected = event(5, 0, true);
const HOUR = 3_600;

test.each([
  ['the first one', event(0, 0, true), undefined, true],
  ['the end of the same connection', event(5, 60, false), connected, true],
  ['the end of the same connection, in the same millisecond', event(5, 0, false), connected, true],
  ['a duplicate', connected, connected, false],
  ['the beginning after its own end', connected, event(5, 60, false), false],
  ['the end of an earlier connection', event(4, 1, false), connected, false],
  ['a later connection whose event has an earlier time', event(6, -1, true), connected, true],
  ['a version that began again after an hour', event(0, HOUR, true), connected, true],
  ['an end that is an hour late', event(9, -HOUR, false), event(0, 0, true), false],
])('%s', (_what, given, known, isNews) => {
  expect(isNewerEvent(given, known)).toBe(isNews);
});

test('any order and any number of the events of a few connections ends in the newest one', () => {
  const all = [1, 2, 3].flatMap((version) => [
    event(version, version * 10, true),
    event(version, version * 10 + 5, false),
  ]);
  const orders = Array.from({ length: 200 }, () =>
    [...all, ...all].toSorted(() => Math.random() - 0.5),
  );
  for (const order of orders) {
    const newest = order.reduce<OrderedEvent | undefined>(
      (known, each) => (isNewerEvent(each, known) ? each : known),
      undefined,
    );
    expect(newest).toEqual(event(3, 35, false));
  }
});

test('what was received before the end of a connection, or clearly before the next one, belongs to an ended one', () => {
  const at = (seconds: number): Date => event(0, seconds, true).at;
  expect(isOfEndedConnection(at(-0.1), event(5, 0, false))).toBe(true);
  expect(isOfEndedConnection(at(0.1), event(5, 0, false))).toBe(false);
  expect(isOfEndedConnection(at(-0.1), connected)).toBe(false);
  expect(isOfEndedConnection(at(-5), connected)).toBe(true);
  expect(isOfEndedConnection(at(-5), undefined)).toBe(false);
});
