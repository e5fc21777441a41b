import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drivers, heartbeatsOf, journalBatchesPerSecond } from './activity.ts';
import { assumptionDefaults, type Assumptions } from './assumptions.ts';
import { costsAt } from './costs-at.ts';
import { fleetActivity } from './fleet-activity.ts';
import { iotNeed } from './iot-need.ts';
import { planCapacity, type CapacityPlan, type FixedFigures } from './plan.ts';
import { usageOf } from './usage.ts';

/** Round figures, so that results can be checked by hand. */
const figures: FixedFigures = {
  costs: Object.fromEntries(
    drivers.map((driver) => [
      driver,
      usageOf((quantity) => (costsAt(driver, quantity) ? (driver === 'second' ? 10 : 0.1) : 0)),
    ]),
  ) as unknown as FixedFigures['costs'],
  ...{ bytesPerDevice: 4_000, coldBytesPerEvent: 50 },
  metricBytes: { hour: 1_000, day: 2_000, month: 500 },
  brokerBytesPerConnection: 28_000,
  computationMicroseconds: 2_000,
};
const plan = (devices: number, assumed: Partial<Assumptions> = {}): CapacityPlan =>
  planCapacity(devices, { ...assumptionDefaults, ...assumed }, figures);

const devices = fc.integer({ min: 100, max: 2_000_000 });
/** So many that the number of users follows from them. */
const severalUsers = fc.integer({ min: 50_000, max: 200_000 });
const amountOf = fc.double({ min: 0.001, max: 1e6, noNaN: true });
const factor = fc.double({ min: 1.01, max: 20, noNaN: true });

/** Everything of which more is needed. */
const needsOf = ({ roles, databaseCores, brokers, sizes, peakUsage, iot }: CapacityPlan) => [
  ...Object.values(roles).flatMap((role) => [role.processes, role.averageCores, role.peakCores]),
  ...[databaseCores.average, databaseCores.peak],
  ...brokers.flatMap(({ nodes, cores, gigabytes }) => [nodes, cores, gigabytes]),
  ...Object.values(sizes),
  ...Object.values(peakUsage),
  ...Object.values(iot),
];

function expectAtLeast(more: CapacityPlan, less: CapacityPlan): void {
  const least = needsOf(less);
  for (const [at, need] of needsOf(more).entries())
    expect(need).toBeGreaterThanOrEqual((least[at] ?? 0) * (1 - 1e-9));
}

describe('a plan', () => {
  it('needs no less of anything for more devices', () => {
    fc.assert(
      fc.property(devices, factor, (count, times) => {
        expectAtLeast(plan(Math.ceil(count * times)), plan(count));
      }),
      { numRuns: 30 },
    );
  });

  it.each(['events', 'commands', 'reconnects', 'growth', 'users', 'calls', 'peak'] as const)(
    'needs no less of anything for more %s',
    (name) => {
      fc.assert(
        fc.property(devices, factor, (count, times) => {
          expectAtLeast(plan(count, { [name]: assumptionDefaults[name] * times }), plan(count));
        }),
        { numRuns: 30 },
      );
    },
  );

  it('needs no less for more frequent heartbeats, and no more processes for a higher utilization', () => {
    fc.assert(
      fc.property(devices, fc.integer({ min: 5, max: 60 }), (count, heartbeat) => {
        expectAtLeast(plan(count, { heartbeat }), plan(count, { heartbeat: heartbeat * 2 }));
        expectAtLeast(plan(count, { utilization: 0.5 }), plan(count, { utilization: 0.8 }));
      }),
      { numRuns: 30 },
    );
  });

  it('keeps data in proportion to devices and days', () => {
    fc.assert(
      fc.property(severalUsers, fc.integer({ min: 2, max: 30 }), (count, times) => {
        const { sizes } = plan(count, { hot: 30 });
        expect(plan(count, { hot: 30 * times }).sizes.auditTrail).toBeCloseTo(
          sizes.auditTrail * times,
          6,
        );
        const more = plan(count * times, { hot: 30 }).sizes;
        expect(more.devices).toBeCloseTo(sizes.devices * times, 6);
        expect(more.output).toBeCloseTo(sizes.output * times, 6);
      }),
    );
  });

  it('stores metrics for their days, and none without metrics', () => {
    const days = { metricSampleDays: 2, metricQuarterDays: 10, years: 5 };
    expect(plan(1_000_000, days).sizes.metrics).toBeCloseTo(48 + 20 + 36 * 0.5, 6);
    const without = plan(1_000_000, { ...days, metricSeconds: Infinity });
    expect(without.sizes.metrics).toBe(0);
    expect(without.peak.metricMessage).toBe(0);
  });

  it('counts a message with metrics at gateway, database, and broker', () => {
    const once = { gatewayCpuMs: 0.1, databaseCpuMs: 0.2, walBytes: 1_000, brokerMessagesIn: 1 };
    const costs = {
      ...figures.costs,
      metricMessage: { ...usageOf(() => 0), ...once },
    };
    const usageAt = (metricSeconds: number) =>
      planCapacity(30_000, { ...assumptionDefaults, metricSeconds }, { ...figures, costs })
        .averageUsage;
    const [more, less] = [usageAt(300), usageAt(600)];
    for (const name of ['gatewayCpuMs', 'databaseCpuMs', 'walBytes', 'brokerMessagesIn'] as const)
      expect(more[name] - less[name]).toBeCloseTo(50 * once[name], 6);
  });

  it('has a second process of every role and a second broker, for the loss of one', () => {
    const { roles, brokers } = plan(100);
    for (const { processes } of Object.values(roles)) expect(processes).toBeGreaterThanOrEqual(2);
    for (const { nodes } of brokers) expect(nodes).toBeGreaterThanOrEqual(2);
  });

  it('holds all devices on the brokers when one is lost', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (count) => {
        const [mosquitto] = plan(count).brokers;
        expect(((mosquitto?.nodes ?? 0) - 1) * 100_000).toBeGreaterThanOrEqual(count);
      }),
      { numRuns: 20 },
    );
  });

  it('is refused if a gateway has no time left for its devices', () => {
    const costs = { ...figures.costs, heartbeatBatch: usageOf(() => 1_000) };
    expect(() => planCapacity(1_000, assumptionDefaults, { ...figures, costs })).toThrow(
      'gateways',
    );
  });
});

describe('the activity of a fleet', () => {
  it('has a heartbeat of each device in its interval, of which one a minute is written', () => {
    const activity = fleetActivity(60_000, assumptionDefaults, { gateways: 2, factor: 3 });
    expect(activity).toMatchObject({
      ...{ connectionHeartbeat: 3_000, writtenHeartbeat: 1_000, notedHeartbeat: 2_000 },
      ...{ heartbeatBatch: 2, deviceSecond: 60_000, second: 1 },
    });
  });

  it('writes every heartbeat that is rarer than one a minute', () => {
    fc.assert(
      fc.property(amountOf, fc.integer({ min: 5, max: 3_600 }), (count, everySeconds) => {
        const { writtenHeartbeat, notedHeartbeat } = heartbeatsOf(count, everySeconds);
        expect(writtenHeartbeat + notedHeartbeat).toBeCloseTo(count, 6);
        expect(notedHeartbeat > 0).toBe(everySeconds < 60);
      }),
    );
  });

  it('gathers events: never more batches than events, and at most fifty a second on a gateway', () => {
    fc.assert(
      fc.property(amountOf, fc.integer({ min: 1, max: 50 }), (perSecond, gateways) => {
        const batches = journalBatchesPerSecond(perSecond, gateways);
        expect(batches).toBeLessThanOrEqual(perSecond);
        expect(batches).toBeLessThanOrEqual(50 * gateways);
      }),
    );
  });

  it('is the average of its days, apart from the busiest hour', () => {
    const { event, invocation, reconnect } = fleetActivity(
      730_000,
      { ...assumptionDefaults, events: 24, commands: 1, reconnects: 1 },
      { gateways: 1, factor: 1 },
    );
    expect(event).toBeCloseTo((730_000 * 24) / 86_400);
    expect(invocation).toBeCloseTo(1_000 / 3_600);
    expect(reconnect).toBeCloseTo(730_000 / 3_600);
  });
});

it('AWS IoT Core counts heartbeats, journals, and their acknowledgments', () => {
  const assumed = { ...assumptionDefaults, events: 300 / 30.4, commands: 0, reconnects: 0 };
  const { messages, queueCalls, connectionMinutes } = iotNeed(1_000, assumed);
  expect(messages).toBeCloseTo(1_000 * (2_920 + 300 + 600));
  expect(queueCalls).toBeCloseTo(1_000 * 3_220 * 1.2);
  expect(connectionMinutes).toBe(43_800_000);
});
