import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decodeMetricMessage } from '@deviceportal/device-protocol/metric-message';
import { silentLogger as log } from '../logger.ts';
import { MetricReporter, type MetricSettings } from './metric-reporter.ts';
import { createMemoryMetricStore } from './metric-store.ts';

beforeEach(() => {
  // Only what the reporter uses: intervals of other tests in the same process would repeat for hours.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function openReporter(over: { settings?: MetricSettings | undefined } = {}) {
  const state = {
    settings: 'settings' in over ? over.settings : { sampleSeconds: 60, sendSeconds: 300 },
    isJournalBusy: false,
  };
  const store = createMemoryMetricStore();
  const sent: { upTo: number; samples: number }[] = [];
  const reporter = new MetricReporter({
    store,
    log,
    settings: () => state.settings,
    instanceId: () => 'mi-0123456789abcdef0',
    measure: async () => ({ cpuUsedPercent: 12 }),
    serverNow: () => Date.now(),
    isTimeKnown: () => true,
    isJournalBusy: () => state.isJournalBusy,
    random: () => 0,
  });
  const attach = (): void =>
    reporter.attach(async (payload) => {
      const { upTo, block } = decodeMetricMessage(payload);
      sent.push({ upTo, samples: block.times.length });
    });
  return { state, store, sent, reporter, attach };
}

const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

describe('metrics', () => {
  test('are measured every minute and sent every five', async () => {
    const { reporter, sent, store, attach } = openReporter();
    reporter.start();
    attach();
    await minutes(0.5);
    expect(sent).toHaveLength(1);
    reporter.acknowledge({ upTo: sent[0]?.upTo });
    // A new device has charts soon.
    await minutes(1);
    expect(sent).toHaveLength(2);
    reporter.acknowledge({ upTo: sent[1]?.upTo });
    await minutes(5.2);
    expect(sent).toHaveLength(3);
    expect(sent[2]?.samples).toBeGreaterThanOrEqual(4);
    reporter.acknowledge({ upTo: sent[2]?.upTo });
    expect(store.samples).toBeLessThanOrEqual(1);
    reporter.stop();
  });

  test('are neither measured nor sent when the server does not ask for them', async () => {
    const { reporter, sent, store, attach, state } = openReporter({ settings: undefined });
    reporter.start();
    attach();
    await minutes(30);
    expect([store.samples, sent.length]).toEqual([0, 0]);
    state.settings = { sampleSeconds: 60, sendSeconds: 300 };
    reporter.adjust();
    await minutes(10);
    expect(sent.length).toBeGreaterThan(0);
    reporter.stop();
  });

  test('of an outage are sent when it has ended, one message at a time', async () => {
    const { reporter, sent, store, attach } = openReporter();
    reporter.start();
    await minutes(400);
    attach();
    await minutes(0.2);
    expect(sent).toEqual([{ upTo: 120, samples: 120 }]);
    while (store.samples > 0 && sent.length < 10) {
      reporter.acknowledge({ upTo: sent.at(-1)?.upTo });
      await vi.advanceTimersByTimeAsync(1_000);
      if (store.samples < 120) break;
    }
    expect(sent.length).toBeGreaterThanOrEqual(3);
    reporter.stop();
  });

  test('wait while results of commands are being sent', async () => {
    const { reporter, sent, attach, state } = openReporter();
    state.isJournalBusy = true;
    reporter.start();
    attach();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(sent).toHaveLength(0);
    state.isJournalBusy = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toHaveLength(1);
    reporter.stop();
  });

  test('are kept until they are acknowledged, and sent again ever more rarely', async () => {
    const { reporter, sent, store, attach } = openReporter();
    reporter.start();
    attach();
    await minutes(60);
    expect(store.samples).toBeGreaterThanOrEqual(60);
    expect(sent.length).toBeGreaterThan(3);
    expect(sent.length).toBeLessThan(12);
    reporter.acknowledge({ upTo: 1 });
    expect(store.samples).toBeGreaterThanOrEqual(60);
    reporter.stop();
  });

  test('wait as long as the server asks when they exceed the quota', async () => {
    const { reporter, sent, store, attach } = openReporter();
    reporter.start();
    attach();
    await minutes(0.2);
    reporter.acknowledge({ upTo: 0, waitMs: 600_000 });
    await minutes(9);
    expect(sent).toHaveLength(1);
    await minutes(1.2);
    expect(sent).toHaveLength(2);
    expect(store.samples).toBeGreaterThan(9);
    reporter.stop();
  });

  test('are sent soon after a command, so that its effect is seen', async () => {
    const { reporter, sent, attach } = openReporter();
    reporter.start();
    attach();
    await minutes(0.3);
    reporter.acknowledge({ upTo: sent[0]?.upTo });
    reporter.commandFinished();
    await minutes(0.4);
    expect(sent).toHaveLength(2);
    reporter.stop();
  });
});
