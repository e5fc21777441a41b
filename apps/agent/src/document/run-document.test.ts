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
    values: {},
    platformType: 'Linux',
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
  test('[document-20] a failed step does not keep the next from running, and the command fails with its code', async () => {
    const { result, states } = await interpret([{ ends: [3] }, {}]);
    expect(states).toEqual(['Failed', 'Success']);
    expect(result).toMatchObject({ state: 'Failed', responseCode: 3 });
  });

  test('[document-21] onFailure exit ends the command, finallyStep runs all the same', async () => {
    const { result, states } = await interpret([
      { ends: [3], onFailure: 'exit' },
      {},
      { finallyStep: true },
    ]);
    expect(states).toEqual(['Failed', 'Skipped', 'Success']);
    expect(result).toMatchObject({ state: 'Failed', responseCode: 3 });
  });

  test('[document-22] onFailure successAndExit and onSuccess exit end the command well', async () => {
    const failed = await interpret([{ ends: [3], onFailure: 'successAndExit' }, {}]);
    expect(failed).toMatchObject({ result: { state: 'Success' }, states: ['Failed', 'Skipped'] });
    const succeeded = await interpret([{ onSuccess: 'exit' }, {}]);
    expect(succeeded).toMatchObject({
      result: { state: 'Success' },
      states: ['Success', 'Skipped'],
    });
  });

  test('[document-23] maxAttempts tries again until it succeeds', async () => {
    const { result, ran } = await interpret([{ ends: [1, 1, 0], maxAttempts: 4 }]);
    expect(ran).toEqual(['s0#1', 's0#2', 's0#3']);
    expect(result.state).toBe('Success');
  });

  test('[document-24] a step for another platform is skipped; when all are, the platform is invalid', async () => {
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

  test('[document-25] a timed-out step makes the command TimedOut', async () => {
    expect((await interpret([{ ends: ['timeout'] }])).result).toMatchObject({
      state: 'TimedOut',
      statusDetails: 'Execution Timed Out',
    });
  });

  test('[document-26] after cancellation nothing more begins, the finallyStep neither', async () => {
    const controller = new AbortController();
    controller.abort('cancelled');
    const { result, ran } = await interpret([{}, { finallyStep: true }], {
      signal: controller.signal,
    });
    expect(ran).toEqual([]);
    expect(result.state).toBe('Cancelled');
  });

  test('[document-27] steps that ended before a restart are not run again and count', async () => {
    const { result, ran } = await interpret([{}, {}], {
      ended: { 0: { state: 'Failed', exitCode: 9 } },
    });
    expect(ran).toEqual(['s1#1']);
    expect(result).toMatchObject({ state: 'Failed', responseCode: 9 });
  });
});
