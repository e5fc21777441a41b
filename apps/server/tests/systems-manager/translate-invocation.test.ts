import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFinal, type InvocationState } from '@deviceportal/contract/states';
import {
  foldInvocationEntries,
  type InvocationProgress,
} from '../../src/commands/execution/fold-invocation-entries.ts';
import { canFollow, stateOfDetails } from '../../src/commands/execution/run-state-machine.ts';
import {
  endedEntries,
  endOf,
  hasBegun,
  startedEntry,
} from '../../src/systems-manager/translate-invocation.ts';

/** Status and details of an invocation, with the state that they mean here (AWS Systems Manager User Guide). */
const reported: readonly (readonly [string, string, InvocationState | null])[] = [
  ['Pending', 'Pending', null],
  ['InProgress', 'InProgress', null],
  ['Delayed', 'Delayed', null],
  ['Cancelling', 'Cancelling', null],
  ['Success', 'Success', 'Success'],
  ['Failed', 'Failed', 'Failed'],
  ['Failed', 'InvalidPlatform', 'Failed'],
  ['Failed', 'Invalid Platform', 'Failed'],
  ['Failed', 'AccessDenied', 'Failed'],
  ['Failed', 'RateExceeded', 'Failed'],
  ['Failed', 'Undeliverable', 'Failed'],
  ['Undeliverable', 'Undeliverable', 'Failed'],
  ['Cancelled', 'Cancelled', 'Cancelled'],
  ['Cancelled', 'Canceled', 'Cancelled'],
  ['Cancelled', 'Terminated', 'Cancelled'],
  ['Terminated', 'Terminated', 'Cancelled'],
  ['TimedOut', 'ExecutionTimedOut', 'TimedOut'],
  ['TimedOut', 'Execution Timed Out', 'TimedOut'],
  ['TimedOut', 'DeliveryTimedOut', 'TimedOut'],
  ['TimedOut', 'TimedOut', 'TimedOut'],
  ['Failed', 'a status of the future', 'Failed'],
  ['A state of the future', 'A state of the future', null],
];

const now = new Date('2026-11-26T10:00:00Z');
const id = '00000000-0000-4000-8000-000000000001';
const run = {
  steps: [{ name: 'one', action: 'aws:runShellScript' as const }],
  phases: { preCheck: 0, verify: 0 },
};
const sent: InvocationProgress = {
  ...{ state: 'InProgress', statusDetails: 'InProgress', responseCode: null },
  ...{ sentAt: now.toISOString(), startedAt: null, endedAt: null, steps: [] },
  ...{ outputPreview: '', stdoutLength: 0, stderrLength: 0, outputStored: 0 },
  outputTruncated: false,
};

/** What the server does with a report: entries are folded, and what the service ended is ended if it may. */
function apply(
  before: InvocationProgress,
  [status, statusDetails]: readonly [string, string, unknown],
): InvocationProgress {
  const end = endOf({ status, statusDetails });
  if (end === null) {
    const entries = hasBegun({ status }) ? [startedEntry(id, now)] : [];
    return foldInvocationEntries(before, entries, now).progress;
  }
  if (end.by === 'service') {
    const state = stateOfDetails(end.statusDetails);
    return canFollow(before.state, state)
      ? { ...before, state, statusDetails: end.statusDetails }
      : before;
  }
  const facts = {
    statusDetails: end.statusDetails,
    steps: [],
    output: { stdout: 'x', stderr: '' },
  };
  return foldInvocationEntries(before, endedEntries(id, facts, { run, now }), now).progress;
}

describe('states of Systems Manager', () => {
  test.each(reported)('%s (%s) is %s', (status, details, state) => {
    const after = apply(sent, [status, details, state]);
    expect(isFinal(after.state) ? after.state : null).toBe(state);
  });

  test('in any order and any number of times, the first end stays, and nothing else ends an invocation', () => {
    const begin = fc.constantFrom(sent, {
      ...sent,
      state: 'Cancelling' as const,
      statusDetails: 'Cancelling' as const,
    });
    fc.assert(
      fc.property(
        begin,
        fc.array(fc.constantFrom(...reported), { maxLength: 12 }),
        (first, reports) => {
          const last = reports.reduce(apply, first);
          const expected = reports.find(([, , state]) => state !== null)?.[2] ?? first.state;
          expect(last.state).toBe(expected);
          expect(last.stdoutLength).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test('a failed verification and a failed pre-check are told apart from a failed document', () => {
    const steps = ['before', 'main', 'after'].map((name) => ({
      name,
      action: 'aws:runShellScript' as const,
    }));
    const phased = { steps, phases: { preCheck: 1, verify: 1 } };
    const detailsAt = (failing: number) => {
      const done = steps.slice(0, failing + 1).map(({ name }, index) => ({
        ...{ name, responseCode: index === failing ? 7 : 0, startedAt: now, endedAt: now },
        status: index === failing ? 'Failed' : 'Success',
      }));
      const facts = {
        statusDetails: 'Failed' as const,
        steps: done,
        output: { stdout: '', stderr: '' },
      };
      const entries = endedEntries(id, facts, { run: phased, now });
      const { statusDetails, responseCode } = foldInvocationEntries(sent, entries, now).progress;
      return { statusDetails, responseCode };
    };
    expect([0, 1, 2].map(detailsAt)).toEqual([
      { statusDetails: 'Pre-check Failed', responseCode: 7 },
      { statusDetails: 'Failed', responseCode: 7 },
      { statusDetails: 'Verify Failed', responseCode: 7 },
    ]);
  });
});

test('output is divided between characters', () => {
  fc.assert(
    fc.property(fc.integer({ min: 32_760, max: 32_770 }), (length) => {
      const stdout = 'a'.repeat(length) + '😀'.repeat(3);
      const facts = {
        statusDetails: 'Success' as const,
        steps: [],
        output: { stdout, stderr: '' },
      };
      const texts = endedEntries(id, facts, { run, now }).flatMap((entry) =>
        entry.kind === 'invocation-output' ? [entry.text] : [],
      );
      expect(texts.join('')).toBe(stdout);
    }),
  );
});
