import { expect, test } from 'vitest';
import { neededProtocol, type CommandUse } from './needed-protocol.ts';

const step = (action: string, inputs: object) => ({ mainSteps: [{ action, name: 'one', inputs }] });
const use = (over: Partial<CommandUse>): CommandUse => ({
  content: step('aws:runShellScript', { runCommand: ['true'] }),
  ...{ parameters: {}, hasSubDocuments: false, hasStoreValues: false, isUndo: false },
  ...over,
});

test.each([
  ['a script', {}, 1],
  ['an undo', { isUndo: true }, 2],
  ['a document that runs another one', { hasSubDocuments: true }, 2],
  ['a value of the parameter store', { hasStoreValues: true }, 2],
  [
    'a file that the portal stores',
    { content: step('aws:updateAgent', { targetVersion: '2' }) },
    2,
  ],
  [
    'a file from another server',
    { content: step('aws:updateAgent', { targetVersion: '2', source: 'https://example.com/a' }) },
    1,
  ],
] as const)('%s', (_case, over, expected) => {
  expect(neededProtocol(use(over))).toBe(expected);
});
