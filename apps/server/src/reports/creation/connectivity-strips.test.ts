import { expect, it } from 'vitest';
import { connectivityStrip } from './connectivity-strips.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 1, 10, minute)).toISOString();

function stripOf(
  before: 'online' | 'offline' | 'unknown',
  events: readonly (readonly [minute: number, type: string])[],
) {
  return connectivityStrip({
    ...{ deviceId: 'd', device: 'D', from: at(0), to: at(43), before },
    events: events.map(([minute, type]) => ({ at: at(minute), type })).toReversed(),
  });
}
const statesOf = ({ pieces }: ReturnType<typeof stripOf>): string[] =>
  pieces.map(({ state }) => state);

it('counts exactly the outages that it draws', () => {
  const strip = stripOf('online', [
    [5, 'device.disconnected'],
    [6, 'device.disconnected'],
    [9, 'device.connected'],
    [20, 'device.disconnected'],
    [20, 'device.connected'],
  ]);
  expect(statesOf(strip)).toEqual(['online', 'offline', 'online', 'offline', 'online']);
  expect(strip.summary.disconnects).toBe(2);
});

it('shows the stop of an agent that the portal could not see, and a connection that began twice', () => {
  const stopped = stripOf('online', [
    [5, 'device-event.agent-stopped'],
    [9, 'device.connected'],
  ]);
  expect(statesOf(stopped)).toEqual(['online', 'offline', 'online']);
  const twice = stripOf('online', [[9, 'device.connected']]);
  expect(statesOf(twice)).toEqual(['online', 'unknown', 'online']);
  expect([stopped, twice].map(({ summary }) => summary.disconnects)).toEqual([1, 1]);
});

it('covers the time range without gaps and with equal neighbors merged', () => {
  const strip = stripOf('unknown', [
    [21, 'device.connected'],
    [30, 'device.degraded'],
    [30, 'device.recovered'],
  ]);
  expect(strip.pieces).toEqual([
    { from: at(0), to: at(21), state: 'unknown' },
    { from: at(21), to: at(43), state: 'online' },
  ]);
  expect(strip.summary).toMatchObject({ knownMs: 22 * 60_000, totalMs: 43 * 60_000 });
});
