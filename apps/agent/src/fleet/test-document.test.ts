import { expect, it } from 'vitest';
import {
  testFaults,
  testModels,
  type DocumentTestEvent,
} from '@deviceportal/contract/document-tests';
import { documentPhasesSchema } from '@deviceportal/contract/document-phases';
import { ssmDocumentSchema } from '@deviceportal/contract/ssm-document';
import { faultKinds } from './describe-fleet.ts';
import { models } from './fleet-catalog.ts';
import { beyondSimulation } from './document-test-script.ts';
import { testDocument, type DocumentTestRequest } from './test-document.ts';

const step = (name: string, script: string, more: object = {}) => ({
  action: 'aws:runShellScript',
  name,
  ...more,
  inputs: { runCommand: [script] },
});
const request = (
  mainSteps: object[],
  more: Partial<Omit<DocumentTestRequest, 'phases'>> & { readonly phases?: object } = {},
): DocumentTestRequest => ({
  documentName: 'acme-try',
  parameters: {},
  storeValues: {},
  documents: {},
  model: 'K200',
  fault: null,
  undo: false,
  ...more,
  document: ssmDocumentSchema.parse({
    schemaVersion: '2.2',
    parameters: { word: { type: 'String', default: 'none' } },
    mainSteps,
  }),
  phases: documentPhasesSchema.parse(more.phases ?? {}),
});
const outputOf = (events: readonly DocumentTestEvent[]): string =>
  events.map((event) => (event.kind === 'output' ? event.text : '')).join('');
const resultsOf = (events: readonly DocumentTestEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'result' ? [event.statusDetails] : []));

it('runs steps with the devices’ interpreter, without waiting in real time', async () => {
  const startedMs = performance.now();
  const windows = { precondition: { StringEquals: ['platformType', 'Windows'] } };
  const { events } = await testDocument(
    request(
      [step('wait', 'echo {{ word }}; sleep 3000\necho done'), step('other', 'true', windows)],
      { parameters: { word: 'hello' } },
    ),
  );
  expect(performance.now() - startedMs).toBeLessThan(5_000);
  expect(outputOf(events)).toBe('hello\ndone\n');
  expect(events.at(-1)).toMatchObject({ kind: 'result', statusDetails: 'Success' });
  expect(events.at(-1)?.atMs).toBeGreaterThanOrEqual(3_000_000);
  expect(events.findLast((event) => event.kind === 'step')).toMatchObject({ state: 'Skipped' });
});

it('reports a fixed fault as a change', async () => {
  const clean = { documentName: 'DevicePortal-storage-clean', fault: 'disk' } as const;
  const { changes } = await testDocument(
    request([step('clean', 'true')], { ...clean, parameters: {} }),
  );
  expect(changes).toMatchObject([{ what: 'disk.used', after: '41 %' }]);
});

it('runs phases, and the undo if requested', async () => {
  const phases = { verify: [step('see', 'exit 3')], undo: [step('back', 'echo back')] };
  const { events } = await testDocument(request([step('do', 'true')], { phases, undo: true }));
  expect(resultsOf(events)).toEqual(['Verify Failed', 'Success']);
  expect(outputOf(events)).toBe('back\n');
});

it('treats unsupported steps as successful and reports them', async () => {
  const { events } = await testDocument(request([step('do', 'if true; then iw scan; fi')]));
  expect(resultsOf(events)).toEqual(['Success']);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'not-simulated', step: 'do', what: 'if' }),
  );
  expect(beyondSimulation('echo "a"; sleep 1\n# note\nexit 2')).toBeNull();
  expect(beyondSimulation('echo a > /tmp/b')).toBe('echo a > /tmp/b');
});

it('simulates a restart, and stops an endless series of them', async () => {
  const once = await testDocument(
    request([step('restart', 'true')], { documentName: 'DevicePortal-restart-device' }),
  );
  expect(resultsOf(once.events)).toEqual(['Success']);
  expect(outputOf(once.events)).toBe('restarting …\nthe device has restarted\n');
  expect(resultsOf((await testDocument(request([step('again', 'exit 194')]))).events)).toEqual([
    'Failed',
  ]);
});

it('offers the models and faults of the simulated fleet', () => {
  expect(testModels).toEqual(models.map(({ model }) => model));
  expect(testFaults).toEqual(faultKinds);
});

it('a clock changed by a script stays wrong until the time service is restarted', async () => {
  const wrong = await testDocument(request([step('wrong', "date -s '+40 minutes'")]));
  expect(wrong.changes).toEqual([{ what: 'clock.offset', before: '0 s', after: '2400 s' }]);
  const both = ["date -s '+40 minutes'", 'systemctl restart chronyd'].join('\n');
  expect((await testDocument(request([step('mended', both)]))).changes).toEqual([]);
  expect(resultsOf((await testDocument(request([step('no', 'date -s noon')]))).events)).toEqual([
    'Failed',
  ]);
});
