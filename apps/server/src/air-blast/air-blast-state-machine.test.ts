import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { airBlastSteps, type AirBlastStep } from '@deviceportal/contract/air-blast';
import {
  decide,
  hasEnded,
  nextStepOf,
  planned,
  type AirBlastEvent,
  type Progress,
} from './air-blast-state-machine.ts';

const startable = ['preflight', 'canary', 'blast', 'verify'] as const;
const eventOf: fc.Arbitrary<AirBlastEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...startable).map((step) => ({ kind: 'start' as const, step })),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'finish' as const }) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('fail', 'approve', 'reject', 'pause', 'resume', 'retry')
      .map((kind) => ({ kind, voids: false }) as AirBlastEvent),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'abort' as const }) },
  {
    weight: 1,
    arbitrary: fc.boolean().map((hasRest) => ({ kind: 'leave-out' as const, hasRest })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ needsApproval: fc.boolean(), approvalFirst: fc.boolean() })
      .map((rule) => ({ kind: 'edit' as const, ...rule })),
  },
);
const historyOf = fc.array(eventOf, { maxLength: 60 });

interface Step {
  readonly before: Progress;
  readonly event: AirBlastEvent;
  readonly after: Progress | null;
}

function replay(needsApproval: boolean, events: readonly AirBlastEvent[]): Step[] {
  let before = planned({ needsApproval, approvalFirst: false });
  return events.map((event) => {
    const outcome = decide(before, event);
    const step = { before, event, after: 'next' in outcome ? outcome.next : null };
    if (step.after !== null) before = step.after;
    return step;
  });
}

const everyHistory = (check: (steps: readonly Step[], needsApproval: boolean) => void): void =>
  fc.assert(
    fc.property(fc.boolean(), historyOf, (needsApproval, events) =>
      check(replay(needsApproval, events), needsApproval),
    ),
    { numRuns: 2_000 },
  );

const positionOf = (step: AirBlastStep) => airBlastSteps.indexOf(step);

describe('any sequence of events', () => {
  test('starts a step once per plan, after the previous one is done', () => {
    everyHistory((steps) => {
      let started: AirBlastStep[] = ['plan'];
      for (const { before, event, after } of steps) {
        if (after === null) continue;
        if (event.kind === 'edit') started = ['plan'];
        // The rollout stage starts again for the remaining devices.
        if (event.kind === 'leave-out' && after.step === 'canary') {
          started = started.filter((step) => step !== 'blast');
        }
        if (event.kind !== 'start') continue;
        expect(started).not.toContain(event.step);
        expect(before).toMatchObject({
          step: airBlastSteps[positionOf(event.step) - 1],
          stepState: 'done',
        });
        started.push(event.step);
      }
    });
  });

  test('does not start the rollout stage without a required approval of this plan', () => {
    everyHistory((steps) => {
      let approved = false;
      for (const { before, event, after } of steps) {
        if (after === null) continue;
        if (event.kind === 'edit') approved = false;
        if (event.kind === 'leave-out' && after.step === 'canary') approved = false;
        if (event.kind === 'approve') approved = true;
        if (event.kind === 'start' && event.step === 'blast') {
          expect(before.needsApproval && !approved).toBe(false);
        }
      }
    });
  });

  test('does not leave the states done and aborted', () => {
    everyHistory((steps) => {
      for (const { before, after } of steps) if (hasEnded(before)) expect(after).toBeNull();
    });
  });

  test('starts nothing while paused, and resumes in the state before the pause or a later one', () => {
    everyHistory((steps) => {
      for (const { before, event, after } of steps) {
        if (after === null || before.state !== 'paused') continue;
        expect(['resume', 'abort', 'finish', 'fail', 'edit']).toContain(event.kind);
        if (event.kind === 'resume') expect(after.state).toBe(before.pausedFrom);
      }
    });
  });

  test('starts no step after a failed one until it is retried', () => {
    everyHistory((steps) => {
      for (const { before, event, after } of steps) {
        if (before.state === 'failed' && event.kind === 'start') expect(after).toBeNull();
      }
    });
  });

  test('offers only steps that can be started', () => {
    everyHistory((steps) => {
      for (const { after } of steps) {
        const step = after === null ? null : nextStepOf(after);
        if (after === null || step === null) continue;
        expect(decide(after, { kind: 'start', step })).toHaveProperty('next');
      }
    });
  });
});
