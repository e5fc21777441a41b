import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SUPPORTED_PROTOCOLS } from '@deviceportal/device-protocol/protocol-version';
import { findingRules } from '@deviceportal/contract/finding-rules';
import { builtinCommands } from '../commands/catalog/builtin-commands.ts';
import { noRhythm, withEvent, type DeviceRhythm } from './device-rhythm.ts';
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type DeviceFacts } from './finding-rule.ts';
import { evaluateFindings, rules } from './evaluate-findings.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number): Date => later(now, -ms);
const settings = { supportedCountries: ['DE', 'PL'] };

/** A device without findings. */
const healthy: DeviceFacts = {
  deviceId: '01900000-0000-7000-8000-000000000001',
  lifecycle: 'active',
  connectivity: 'online',
  connectivitySince: ago(DAY_MS),
  disconnectReason: null,
  failing: [],
  diskUsedPercent: 41,
  certificateEndsAt: later(now, 60 * DAY_MS),
  agentVersion: '0.2.0',
  protocol: SUPPORTED_PROTOCOLS.newest,
  placeCountry: 'DE',
  placeAt: ago(HOUR_MS),
  placeSource: 'gps',
  outdated: [],
  results: [],
  rhythm: noRhythm,
};
const device = (over: Partial<DeviceFacts>): DeviceFacts => ({ ...healthy, ...over });
const evaluate = (over: Partial<DeviceFacts>, at = now) =>
  evaluateFindings(device(over), at, settings);
const found = (over: Partial<DeviceFacts>, at = now) =>
  evaluate(over, at).findings.map(({ rule, severity }) => `${rule} ${severity}`);

/** Absences with these durations in minutes, and offline since a time. */
function rhythm(absencesMinutes: readonly number[], awaySince: Date | null = null): DeviceRhythm {
  return { ...noRhythm, absencesSeconds: absencesMinutes.map((each) => each * 60), awaySince };
}
const silent = (forMs: number, own: DeviceRhythm = noRhythm): Partial<DeviceFacts> => ({
  connectivity: 'offline',
  connectivitySince: ago(forMs),
  rhythm: own,
});
const failed = (hoursAgo: number, state = 'Failed') => ({
  invocationId: `i${hoursAgo}`,
  command: 'storage/clean',
  state,
  statusDetails: state,
  responseCode: 1,
  endedAt: ago(hoursAgo * HOUR_MS),
});
const behind = (over = {}) => ({
  component: 'firmware',
  version: '4.17.9',
  state: 'behind' as const,
  approved: '4.18.1',
  approvedAt: ago(DAY_MS),
  mandatoryFrom: null,
  ...over,
});
const crashes = (minutesAgo: readonly number[]): DeviceRhythm => ({
  ...noRhythm,
  crashes: minutesAgo.map((each) => ({ at: ago(each * MINUTE_MS), service: 'kiosk-ui' })),
});

test('a healthy device has no finding, nor has a device that is not in service', () => {
  expect(evaluate({}).findings).toEqual([]);
  for (const lifecycle of ['pending', 'suspended', 'retired'] as const) {
    expect(evaluate({ lifecycle, diskUsedPercent: 99 })).toEqual({ findings: [], dueAt: null });
  }
});

describe('unusual silence', () => {
  const nightly = rhythm([600, 610, 590, 620, 605]);
  const brief = rhythm([1, 2, 1, 3, 2, 1]);
  test.each([
    ['away for a night as every night', silent(11 * HOUR_MS, nightly), []],
    [
      'away for a day, though always back in the morning',
      silent(24 * HOUR_MS, nightly),
      ['warning'],
    ],
    ['away for a week', silent(7 * DAY_MS, nightly), ['error']],
    ['away for half an hour, usually for minutes', silent(30 * MINUTE_MS, brief), []],
    ['away for two hours, usually for minutes', silent(2 * HOUR_MS, brief), ['warning']],
    ['away for a morning, nothing known of it', silent(6 * HOUR_MS), []],
    ['away for two days, nothing known of it', silent(2 * DAY_MS), ['warning']],
  ])('%s', (_case, facts, severities) => {
    expect(found(facts)).toEqual(severities.map((severity) => `unusual-silence ${severity}`));
  });

  test('is evaluated again exactly when the absence becomes unusual', () => {
    const { dueAt } = evaluate(silent(6 * HOUR_MS));
    expect(dueAt).toEqual(ago(6 * HOUR_MS - DAY_MS));
    expect(found(silent(6 * HOUR_MS), dueAt ?? now)).toEqual(['unusual-silence warning']);
  });
});

test('the connection pattern is derived from the audit trail in its order', () => {
  const at = (minute: number): Date => later(now, minute * MINUTE_MS);
  const events = [
    ['device.connected', 0],
    ['device.disconnected', 10],
    ['device.connected', 15],
    ['device.disconnected', 20],
    ['device.degraded', 21],
    ['device.connected', 50],
  ] as const;
  const made = events.reduce(
    (rhythmSoFar, [type, minute]) => withEvent(rhythmSoFar, { type, at: at(minute), data: {} }),
    noRhythm,
  );
  expect(made.absencesSeconds).toEqual([300, 1_800]);
  expect(made.awaySince).toBeNull();
  expect(made.connectedAt).toEqual([at(15), at(50)]);
});

describe('findings reported by the device', () => {
  test.each([
    ['disk at 89 %', { diskUsedPercent: 89 }, []],
    ['disk at 91 %', { diskUsedPercent: 91 }, ['disk-full warning']],
    ['disk at 98 %', { diskUsedPercent: 98 }, ['disk-full error']],
    [
      'its own disk check',
      { failing: [{ part: 'disk', fact: '95 % used' }] },
      ['disk-full warning'],
    ],
    [
      'its clock check',
      { failing: [{ part: 'clock', fact: '3 min slow' }] },
      ['clock-wrong warning'],
    ],
    ['a certificate for 20 days', { certificateEndsAt: later(now, 20 * DAY_MS) }, []],
    ['for 10 days', { certificateEndsAt: later(now, 10 * DAY_MS) }, ['certificate-ending warning']],
    ['for a day', { certificateEndsAt: later(now, DAY_MS) }, ['certificate-ending error']],
    ['none any more', { certificateEndsAt: ago(DAY_MS) }, ['certificate-ending error']],
    ['two crashes in an hour', { rhythm: crashes([50, 5]) }, []],
    ['three crashes in an hour', { rhythm: crashes([50, 30, 5]) }, ['crash-loop error']],
    ['three crashes in a day', { rhythm: crashes([700, 300, 5]) }, []],
    [
      'a check of its services',
      { failing: [{ part: 'service', fact: 'kiosk-ui keeps crashing' }] },
      ['crash-loop error'],
    ],
  ])('%s', (_case, facts: Partial<DeviceFacts>, expected) => {
    expect(found(facts)).toEqual(expected);
  });

  test('six connections in an hour are unstable, and no longer an hour later', () => {
    const connectedAt = [50, 40, 30, 20, 10, 5].map((each) => ago(each * MINUTE_MS));
    const unstable = { rhythm: { ...noRhythm, connectedAt } };
    expect(found(unstable)).toEqual(['unstable-connection warning']);
    expect(evaluate(unstable).dueAt).toEqual(later(now, 10 * MINUTE_MS));
    expect(found(unstable, later(now, 10 * MINUTE_MS))).toEqual([]);
  });
});

describe('commands, versions, and locations', () => {
  test.each([
    [
      'three failures',
      { results: [failed(1), failed(2, 'TimedOut'), failed(3)] },
      ['repeated-failures warning'],
    ],
    ['two', { results: [failed(1), failed(2)] }, []],
    ['a success between', { results: [failed(1), failed(2, 'Success'), failed(3)] }, []],
    ['old ones', { results: [failed(200), failed(201), failed(202)] }, []],
    ['behind', { outdated: [behind()] }, ['behind-approved warning']],
    [
      'mandatory since yesterday',
      { outdated: [behind({ mandatoryFrom: ago(DAY_MS) })] },
      ['behind-approved error'],
    ],
    [
      'mandatory tomorrow',
      { outdated: [behind({ mandatoryFrom: later(now, DAY_MS) })] },
      ['behind-approved warning'],
    ],
    [
      'on a blocked version',
      { outdated: [behind(), behind({ component: 'os', state: 'blocked' })] },
      ['behind-approved error'],
    ],
    ['abroad', { placeCountry: 'NZ' }, ['outside-countries warning']],
    ['nowhere known', { placeCountry: null }, []],
    ['the oldest supported agent', { protocol: SUPPORTED_PROTOCOLS.oldest }, []],
    ['an older agent', { protocol: SUPPORTED_PROTOCOLS.oldest - 1 }, ['agent-unsupported warning']],
    [
      'an agent of a later release',
      { protocol: SUPPORTED_PROTOCOLS.newest + 1 },
      ['agent-unsupported warning'],
    ],
    ['an agent that has not connected', { protocol: null }, []],
  ])('%s', (_case, facts: Partial<DeviceFacts>, expected) => {
    expect(found(facts)).toEqual(expected);
  });

  test('all countries are supported if none is configured', () => {
    const abroad = device({ placeCountry: 'NZ' });
    expect(evaluateFindings(abroad, now, { supportedCountries: [] }).findings).toEqual([]);
  });
});

test('every suggested command is in the catalog and has its required parameters', () => {
  const everything = evaluate({
    ...silent(7 * DAY_MS, {
      ...crashes([50, 30, 5]),
      connectedAt: Array.from({ length: 6 }, () => ago(MINUTE_MS)),
    }),
    failing: [{ part: 'clock', fact: 'slow' }],
    diskUsedPercent: 98,
    certificateEndsAt: ago(DAY_MS),
    protocol: 1,
    placeCountry: 'NZ',
    outdated: [behind()],
    results: [failed(1), failed(2), failed(3)],
  }).findings;
  expect(everything.map(({ rule }) => rule).toSorted()).toEqual([...findingRules].toSorted());
  const commands = new Set(builtinCommands.map(({ command }) => command));
  for (const { rule, remedy } of everything) {
    expect(commands.has(remedy?.command ?? ''), rule).toBe(true);
  }
  const parameters = new Map(everything.map(({ rule, remedy }) => [rule, remedy?.parameters]));
  expect(parameters.get('crash-loop')).toEqual({ service: 'kiosk-ui' });
  expect(parameters.get('behind-approved')).toEqual({ component: 'firmware', version: '4.18.1' });
});

test('errors are sorted before warnings', () => {
  const severities = evaluate({ diskUsedPercent: 98, outdated: [behind()], placeCountry: 'NZ' });
  expect(severities.findings.map(({ severity }) => severity)).toEqual([
    'error',
    'warning',
    'warning',
  ]);
});

test('time alone never changes a result before the next scheduled evaluation', () => {
  const minutes = fc.integer({ min: 0, max: 20 * 24 * 60 });
  const anyDevice = fc.record({
    connectivity: fc.constantFrom('online' as const, 'offline' as const),
    connectivitySince: minutes.map((each) => ago(each * MINUTE_MS)),
    certificateEndsAt: minutes.map((each) => later(now, each * MINUTE_MS)),
    results: minutes.map((each) => [each, each + 1, each + 2].map((at) => failed(at / 60))),
    outdated: minutes.map((each) => [behind({ mandatoryFrom: later(now, each * MINUTE_MS) })]),
    rhythm: fc.record({
      absencesSeconds: fc.array(fc.integer({ min: 1, max: 200_000 }), { maxLength: 12 }),
      awaySince: fc.constant(null),
      connectedAt: fc
        .array(fc.integer({ min: 0, max: 120 }), { maxLength: 8 })
        .map((all) =>
          all.toSorted((one, other) => other - one).map((each) => ago(each * MINUTE_MS)),
        ),
      crashes: fc
        .array(fc.integer({ min: 0, max: 120 }), { maxLength: 5 })
        .map((all) => crashes(all.toSorted((one, other) => other - one)).crashes),
    }),
  });
  fc.assert(
    fc.property(anyDevice, fc.integer({ min: 1, max: 30 * 24 * 60 }), (facts, afterMinutes) => {
      const first = evaluate(facts);
      const at = later(now, afterMinutes * MINUTE_MS);
      if (first.dueAt !== null && at >= first.dueAt) return;
      const factsOf = ({ findings }: typeof first) =>
        findings.map(({ rule, severity, facts: each }) => ({ rule, severity, each }));
      expect(factsOf(evaluate(facts, at))).toEqual(factsOf(first));
    }),
    { numRuns: 300 },
  );
});

test('each rule has its own code', () => {
  expect(new Set(rules.map(({ code }) => code)).size).toBe(findingRules.length);
});
