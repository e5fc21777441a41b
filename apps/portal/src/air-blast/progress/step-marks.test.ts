import { expect, test } from 'vitest';
import type { AirBlastDetail } from '@deviceportal/contract/air-blast';
import { stepMarks, stepOrder } from './step-marks.ts';

type Progress = Pick<AirBlastDetail, 'step' | 'stepState' | 'endedAt'>;

const marks = (
  step: Progress['step'],
  stepState: Progress['stepState'],
  isEnded = false,
): string => {
  const found = stepMarks({ step, stepState, endedAt: isEnded ? '2026-11-20T12:00:00Z' : null });
  return stepOrder.map((one) => found[one]).join(' ');
};

test.each([
  ['a new plan', marks('plan', 'done'), 'done current next later later'],
  ['a running canary', marks('canary', 'running'), 'done done current next later'],
  ['canaries that are done', marks('canary', 'done'), 'done done done current next'],
  ['a failed rollout stage', marks('blast', 'failed'), 'done done done current next'],
  ['the last stage', marks('verify', 'running'), 'done done done done current'],
  ['a finished rollout', marks('verify', 'done', true), 'done done done done done'],
  [
    'a rollout aborted in a stage',
    marks('canary', 'aborted', true),
    'done done stopped unreached unreached',
  ],
  [
    'a rollout aborted between stages',
    marks('preflight', 'done', true),
    'done done unreached unreached unreached',
  ],
])('%s shows which stages are done, current, and next', (_name, shown, expected) => {
  expect(shown).toBe(expected);
});
