import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeSteps, type RecordedCall } from './describe-steps.ts';
import type { DeskDevice } from './desk-day.ts';
import { keepValues, placeValues, type DeskValues } from './place-values.ts';

const START_MS = Date.parse('2026-11-20T08:00:00.000Z');

const deviceOf = (number: number): DeskDevice => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  serialNumber: `KS3PL0000${number}`,
  name: `kiosk-${number}`,
  model: 'kiosk',
  ownerId: `10000000-0000-4000-8000-00000000000${number}`,
  ownerName: `Owner ${number}`,
  ownerPhone: `+4812300000${number}`,
});
const recorded = [1, 2, 3, 4, 5].map(deviceOf);
const [first, second] = recorded as [DeskDevice, DeskDevice];
const run = '20000000-0000-4000-8000-000000000001';

const query = (path: string, input: unknown, answer: unknown = null): RecordedCall => ({
  ...{ atMs: START_MS, path, input, answer, isMutation: false },
});
const mutation = (path: string, input: unknown, answer: unknown = null): RecordedCall => ({
  ...query(path, input, answer),
  isMutation: true,
});
const inputsOf = (calls: readonly RecordedCall[]): unknown[] =>
  describeSteps(calls, recorded).map(({ input }) => input);

test('a device is named by the order in which it appears, and its owner with it', () => {
  const calls = [
    query('devices.get', { device: second.id }),
    query('people.get', { id: first.ownerId }),
    query('search.find', { text: second.serialNumber }),
  ];
  expect(inputsOf(calls)).toEqual([
    { device: '$device1.id' },
    { id: '$device2.ownerId' },
    { text: '$device1.serialNumber' },
  ]);
});

test('what is typed is as much of a fact as was typed', () => {
  expect(inputsOf([query('search.find', { text: first.serialNumber.slice(0, 4) })])).toEqual([
    { text: '$device1.serialNumber/4' },
  ]);
});

test('an empty text field remains empty', () => {
  expect(inputsOf([query('devices.list', { filter: { text: '' } })])).toEqual([
    { filter: { text: '' } },
  ]);
});

test('a model is a fact of a device only as the value of a filter', () => {
  const calls = [query('devices.list', { tokens: [{ key: 'model', values: ['kiosk'] }] })];
  expect(inputsOf(calls)).toEqual([{ tokens: [{ key: 'model', values: ['$device1.model'] }] }]);
  expect(inputsOf([query('findings.list', { kind: 'kiosk' })])).toEqual([{ kind: 'kiosk' }]);
});

test('a list of devices and a text of serial numbers are as many devices of the user', () => {
  const calls = [
    query('devices.getRows', { ids: recorded.map(({ id }) => id) }),
    mutation('devices.createTargetList', {
      text: recorded.map(({ serialNumber }) => serialNumber).join('\n'),
    }),
  ];
  expect(inputsOf(calls)).toEqual([{ ids: '$devices.5' }, { text: '$serialNumbers.5' }]);
});

test('a few devices remain single ones', () => {
  expect(inputsOf([query('devices.getRows', { ids: [first.id, second.id] })])).toEqual([
    { ids: ['$device1.id', '$device2.id'] },
  ]);
});

test('the answer that first contains an ID is kept for the steps that need it', () => {
  const steps = describeSteps(
    [
      mutation('commands.run', { key: newId(1) }, { runId: run, invocations: [{ id: newId(2) }] }),
      query('commands.getRun', { id: run }),
      query('commands.getInvocation', { id: newId(2) }),
    ],
    recorded,
  );
  expect(steps.map(({ input, keep }) => ({ input, keep }))).toEqual([
    { input: { key: '$new' }, keep: { run: 'runId', invocation: 'invocations.0.id' } },
    { input: { id: '$run' }, keep: undefined },
    { input: { id: '$invocation' }, keep: undefined },
  ]);
});

test('an ID of a mutation is not taken from a later list, whose order differs between installations', () => {
  const steps = describeSteps(
    [
      mutation('commands.run', {}, { runId: run }),
      query('commands.listRuns', {}, { rows: [{ id: newId(3) }, { id: run }] }),
      query('commands.getRun', { id: run }),
    ],
    recorded,
  );
  expect(steps.map(({ keep }) => keep)).toEqual([{ run: 'runId' }, undefined, undefined]);
});

test('words of an answer are the same in every installation', () => {
  const calls = [
    query('auditTrail.facets', {}, { types: ['command.requested.again'] }),
    query('auditTrail.list', { text: 'command.requested.again' }),
  ];
  expect(inputsOf(calls)[1]).toEqual({ text: 'command.requested.again' });
});

test('a run repeats the number of devices of its own preview', () => {
  const sha256 = 'a1'.repeat(32);
  const steps = describeSteps(
    [
      query('commands.previewTarget', {}, { sha256, count: 25 }),
      mutation('commands.run', { targetSha256: sha256, targetCount: 25 }),
    ],
    recorded,
  );
  expect(steps[0]?.keep).toEqual({ targetSha256: 'sha256', targetCount: 'count' });
  expect(steps[1]?.input).toEqual({
    targetSha256: '$targetSha256',
    targetCount: '$targetCount',
  });
});

test('a run of one device, which was not previewed, has no number of devices', () => {
  expect(inputsOf([mutation('commands.run', { targetSha256: null, targetCount: null })])).toEqual([
    { targetSha256: null, targetCount: null },
  ]);
});

test('times are relative to their call, and calls to the one before', () => {
  const later = { ...query('alerts.list', { to: '2026-11-20T08:00:30.000Z' }), atMs: START_MS };
  const steps = describeSteps(
    [
      query('deviceMetrics.get', { from: '2026-11-20T07:00:00.000Z' }),
      { ...later, atMs: START_MS + 2_340 },
    ],
    recorded,
  );
  expect(steps).toEqual([
    { after: 0, query: 'deviceMetrics.get', input: { from: '$now-3600' } },
    { after: 2.3, query: 'alerts.list', input: { to: '$now+28' } },
  ]);
});

test('calls of one request stay together, and those of a case are made in the case of the replay', () => {
  const caseId = newId(4);
  const steps = describeSteps(
    [
      { ...mutation('cases.open', {}, { id: caseId }), request: 1 },
      { ...query('cases.active', undefined), request: 2, caseId },
      { ...query('cases.get', { id: caseId }), request: 2, caseId },
      { ...query('devices.fleetSummary', undefined), request: 3 },
    ],
    recorded,
  );
  expect(steps).toEqual([
    { after: 0, mutation: 'cases.open', input: {}, keep: { case: 'id' } },
    { after: 0, query: 'cases.active', case: '$case' },
    { after: 0, together: true, query: 'cases.get', case: '$case', input: { id: '$case' } },
    { after: 0, query: 'devices.fleetSummary' },
  ]);
});

const fact = fc.constantFrom<keyof DeskDevice>('id', 'serialNumber', 'ownerId', 'ownerPhone');
const typed = fc.record({ fact, of: fc.nat({ max: 4 }) });

test('replayed with the recorded devices, every call has its recorded input', () => {
  fc.assert(
    fc.property(fc.array(typed, { minLength: 1, maxLength: 12 }), (facts) => {
      const calls = facts.map((each, index) => {
        const value = recorded[each.of]?.[each.fact] ?? '';
        const known = index === 0 ? null : newId(index - 1);
        return query('some.query', { value, known }, { made: newId(index) });
      });
      const steps = describeSteps(calls, recorded);
      const used = [...new Set(facts.map(({ of }) => of))];
      const values: DeskValues = {
        devices: used.map((index) => recorded[index] ?? first),
        kept: new Map(),
      };
      for (const [index, step] of steps.entries()) {
        expect(placeValues(step.input, values)).toEqual(calls[index]?.input);
        expect(keepValues(calls[index]?.answer, step.keep ?? {}, values)).toBe(true);
      }
    }),
  );
});

function newId(number: number): string {
  return `30000000-0000-4000-8000-0000000000${String(number).padStart(2, '0')}`;
}
