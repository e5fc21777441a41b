import { expect, test } from 'vitest';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { flowModel } from './flow-model.ts';

const step = (name: string, more: Partial<DocumentStep> = {}): DocumentStep => ({
  action: 'aws:runShellScript',
  name,
  inputs: {},
  ...more,
});

test('a linear sequence of steps has no diagram', () => {
  expect(flowModel([step('a'), step('b', { maxAttempts: 3 })])).toBeNull();
});

test('an exit leads to the next step that always runs, or to the end', () => {
  const flow = flowModel([
    step('check', { onFailure: 'exit', onSuccess: 'exit' }),
    step('work', { precondition: { StringEquals: ['platformType', 'Linux'] } }),
    step('tidy', { finallyStep: true, onFailure: 'successAndExit' }),
  ]);
  expect(flow).toEqual([
    {
      name: 'check',
      onlyIf: null,
      always: false,
      exits: [
        { on: 'failure', as: 'failure', to: 2 },
        { on: 'success', as: 'success', to: 2 },
      ],
    },
    { name: 'work', onlyIf: ['platformType', 'Linux'], always: false, exits: [] },
    {
      name: 'tidy',
      onlyIf: null,
      always: true,
      exits: [{ on: 'failure', as: 'success', to: null }],
    },
  ]);
});
