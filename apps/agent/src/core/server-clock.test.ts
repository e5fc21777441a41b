import { describe, expect, test } from 'vitest';
import { silentLogger } from '../logger.ts';
import { ServerClock } from './server-clock.ts';

const SERVER_MS = Date.parse('2026-06-01T12:00:00Z');

/** A device whose clock differs from the server's by `aheadMs`, and the number of requests. */
function device(aheadMs: number) {
  const state = { aheadMs, elapsedMs: 0, asked: 0, answers: true };
  const clock = new ServerClock({
    serverUrl: () => 'http://portal.example/',
    now: () => SERVER_MS + state.elapsedMs + state.aheadMs,
    monotonicNow: () => state.elapsedMs,
    log: silentLogger,
    fetch: () => {
      state.asked += 1;
      if (!state.answers) return Promise.reject(new TypeError('fetch failed'));
      const date = new Date(SERVER_MS + state.elapsedMs).toUTCString();
      return Promise.resolve(new Response(null, { headers: { date } }));
    },
  });
  return { state, clock };
}

describe("the device's clock", () => {
  test.each([
    [5_400_000, '90 min ahead'],
    [-600_000, '10 min behind'],
    [60_000, null],
  ])('%d ms off is told as %s', async (aheadMs, fact) => {
    const { clock } = device(aheadMs);
    expect(clock.warning()).toBeNull();
    await clock.check();
    expect(clock.warning()).toBe(fact);
    expect(Math.abs(clock.now() - SERVER_MS)).toBeLessThanOrEqual(1_000);
  });

  test('checks a clock at each heartbeat only after it was set, until it is correct', async () => {
    const { state, clock } = device(0);
    await clock.check();
    state.elapsedMs += 60_000;
    await clock.check();
    expect(state.asked).toBe(1);
    state.aheadMs = -3_600_000;
    await clock.check();
    expect(clock.warning()).toBe('60 min behind');
    state.aheadMs = 0;
    await clock.check();
    expect(clock.warning()).toBeNull();
    expect(state.asked).toBe(3);
  });

  test('keeps the known offset if the server does not respond, and retries after a minute', async () => {
    const { state, clock } = device(600_000);
    await clock.check();
    state.answers = false;
    await clock.check();
    expect(clock.warning()).toBe('10 min ahead');
    await clock.check();
    expect(state.asked).toBe(2);
  });

  test("does not know the server's time before an answer, and after the clock was set", async () => {
    const { state, clock } = device(-3_600_000);
    expect(clock.isKnown()).toBe(false);
    await clock.check();
    expect(clock.isKnown()).toBe(true);
    state.elapsedMs += 60_000;
    expect(clock.isKnown()).toBe(true);
    // The offset would now be added to a time that is right.
    state.aheadMs = 0;
    expect(clock.isKnown()).toBe(false);
    await clock.check();
    expect(clock.isKnown()).toBe(true);
  });
});
