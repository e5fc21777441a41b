import { expect, test } from 'vitest';
import type { DocumentStep } from '@deviceportal/contract/ssm-document';
import { flowModel } from './flow-model.ts';

const step = (name: string, more: Partial<DocumentStep> = {}): DocumentStep => ({
  action: 'aws:runShellScript',
  name,
  inputs: {},
  ...more,
});

test('[document-flow-1] steps that only follow one another need no picture', () => {
  expect(flowModel([step('a'), step('b', { maxAttempts: 3 })])).toBeNull();
});

test('[document-flow-2] a way out leads to the next step that always runs, else to the end', () => {
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
