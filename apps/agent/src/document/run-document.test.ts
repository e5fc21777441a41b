import { describe, expect, test } from 'vitest';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { runDocument, type DocumentRun, type StepReport, type StepResult } from './run-document.ts';

type Given = Partial<DocumentStep> & { readonly ends?: readonly (number | 'timeout')[] };

async function interpret(given: readonly Given[], options: Partial<DocumentRun> = {}) {
  const ran: string[] = [];
  const reports: StepReport[] = [];
  const mainSteps = given.map(({ ends: _ends, ...step }, index): DocumentStep => ({
    action: 'aws:runShellScript',
    name: `s${index}`,
    inputs: {},
    ...step,
  }));
  const result = await runDocument({
    document: { schemaVersion: '2.2', mainSteps },
    phases: { preCheck: 0, verify: 0 },
    values: {},
    platformType: 'Linux',
    takenUp: null,
    ended: {},
    signal: new AbortController().signal,
    now: () => 0,
    runStep: (step, index, attempt): Promise<StepResult> => {
      ran.push(`${step.name}#${attempt}`);
      const end = given[index]?.ends?.[attempt - 1] ?? 0;
      if (end === 'timeout')
        return Promise.resolve({ state: 'TimedOut', exitCode: null, reason: null });
      return Promise.resolve({
        state: end === 0 ? 'Success' : 'Failed',
        exitCode: end,
        reason: null,
      });
    },
    report: (report) => reports.push(report),
    ...options,
  });
  const states = mainSteps.map(
    (_, index) => reports.findLast((report) => report.index === index)?.state,
  );
  return { result, ran, states };
}

describe('documents of schema 2.2', () => {
  test('runs the next step after a failed one, and fails with its exit code', async () => {
    const { result, states } = await interpret([{ ends: [3] }, {}]);
    expect(states).toEqual(['Failed', 'Success']);
    expect(result).toMatchObject({ state: 'Failed', responseCode: 3 });
  });

  test('onFailure exit ends the command, but finallyStep runs', async () => {
    const { result, states } = await interpret([
      { ends: [3], onFailure: 'exit' },
      {},
      { finallyStep: true },
    ]);
    expect(states).toEqual(['Failed', 'Skipped', 'Success']);
    expect(result).toMatchObject({ state: 'Failed', responseCode: 3 });
  });

  test('onFailure successAndExit and onSuccess exit end the command successfully', async () => {
    const failed = await interpret([{ ends: [3], onFailure: 'successAndExit' }, {}]);
    expect(failed).toMatchObject({ result: { state: 'Success' }, states: ['Failed', 'Skipped'] });
    const succeeded = await interpret([{ onSuccess: 'exit' }, {}]);
    expect(succeeded).toMatchObject({
      result: { state: 'Success' },
      states: ['Success', 'Skipped'],
    });
  });

  test('maxAttempts retries until it succeeds', async () => {
    const { result, ran } = await interpret([{ ends: [1, 1, 0], maxAttempts: 4 }]);
    expect(ran).toEqual(['s0#1', 's0#2', 's0#3']);
    expect(result.state).toBe('Success');
  });

  test('a step for another platform is skipped; when all are, the platform is invalid', async () => {
    const windows = {
      precondition: { StringEquals: ['platformType', 'Windows'] as [string, string] },
    };
    expect(await interpret([windows, {}])).toMatchObject({
      states: ['Skipped', 'Success'],
      result: { state: 'Success' },
    });
    expect((await interpret([windows])).result).toMatchObject({
      state: 'Failed',
      statusDetails: 'Invalid Platform',
    });
    const byParameter = {
      precondition: { StringEquals: ['{{ mode }}', 'hard'] as [string, string] },
    };
    expect((await interpret([byParameter], { values: { mode: 'soft' } })).result.state).toBe(
      'Success',
    );
  });

  test('a timed-out step makes the command TimedOut', async () => {
    expect((await interpret([{ ends: ['timeout'] }])).result).toMatchObject({
      state: 'TimedOut',
      statusDetails: 'Execution Timed Out',
    });
  });

  test('starts nothing after cancellation, not even the finallyStep', async () => {
    const controller = new AbortController();
    controller.abort('cancelled');
    const { result, ran } = await interpret([{}, { finallyStep: true }], {
      signal: controller.signal,
    });
    expect(ran).toEqual([]);
    expect(result.state).toBe('Cancelled');
  });

  test('steps that ended before a restart are not run again and count', async () => {
    const { result, ran } = await interpret([{}, {}], {
      ended: { 0: { state: 'Failed', exitCode: 9 } },
    });
    expect(ran).toEqual(['s1#1']);
    expect(result).toMatchObject({ state: 'Failed', responseCode: 9 });
  });
});

describe('documents with pre-check and verification steps', () => {
  const phases = { preCheck: 1, verify: 1 };
  const verified = (before: Given, main: Given, after: Given, options: Partial<DocumentRun> = {}) =>
    interpret([before, main, after], { phases, ...options });

  test('succeeds only if verification succeeds', async () => {
    expect((await verified({}, {}, {})).result).toMatchObject({ state: 'Success' });
    expect(await verified({}, {}, { ends: [4] })).toMatchObject({
      states: ['Success', 'Success', 'Failed'],
      result: { state: 'Failed', statusDetails: 'Verify Failed', responseCode: 4 },
    });
  });

  test('does not start the document after a failed pre-check', async () => {
    expect(await verified({ ends: [2] }, { finallyStep: true }, {})).toMatchObject({
      ran: ['s0#1'],
      states: ['Failed', 'Skipped', 'Skipped'],
      result: { state: 'Failed', statusDetails: 'Pre-check Failed', responseCode: 2 },
    });
  });

  test('does not verify a failed document, and keeps its status', async () => {
    expect(await verified({}, { ends: [7] }, {})).toMatchObject({
      states: ['Success', 'Failed', 'Skipped'],
      result: { state: 'Failed', statusDetails: 'Failed', responseCode: 7 },
    });
  });

  test('skips the document if the pre-check finds nothing to do, and verifies it', async () => {
    expect(await verified({ onSuccess: 'exit' }, {}, {})).toMatchObject({
      ran: ['s0#1', 's2#1'],
      states: ['Success', 'Skipped', 'Success'],
      result: { state: 'Success' },
    });
  });

  test('an exit in the document ends only the document', async () => {
    expect(await verified({}, { onSuccess: 'exit' }, { ends: [1] })).toMatchObject({
      result: { statusDetails: 'Verify Failed' },
    });
  });

  test('steps for other platforms verify nothing', async () => {
    const windows: Given = { precondition: { StringEquals: ['platformType', 'Windows'] } };
    expect(await verified({}, {}, windows)).toMatchObject({
      result: { state: 'Failed', statusDetails: 'Verify Failed' },
    });
    expect((await verified({}, windows, {})).result.statusDetails).toBe('Invalid Platform');
  });

  test('timeouts and cancellation are reported the same in every phase', async () => {
    const late = await verified({}, {}, { ends: ['timeout'] });
    expect(late.result).toMatchObject({ state: 'Failed', statusDetails: 'Verify Failed' });
    const controller = new AbortController();
    controller.abort('cancelled');
    const { result, ran } = await verified({}, {}, {}, { signal: controller.signal });
    expect({ state: result.state, ran }).toEqual({ state: 'Cancelled', ran: [] });
  });

  test('each phase continues where it was after a restart', async () => {
    const ended = {
      0: { state: 'Success', exitCode: 0 },
      1: { state: 'Success', exitCode: 0 },
    } as const;
    expect(await verified({}, {}, { ends: [3] }, { ended })).toMatchObject({
      ran: ['s2#1'],
      result: { statusDetails: 'Verify Failed' },
    });
    const nothing = {
      0: { state: 'Success', exitCode: 0 },
      1: { state: 'Skipped', exitCode: null },
    } as const;
    const linux: Given = { precondition: { StringEquals: ['platformType', 'Linux'] } };
    const resumed = await verified({ onSuccess: 'exit' }, linux, {}, { ended: nothing });
    expect(resumed.result.state).toBe('Success');
  });
});
