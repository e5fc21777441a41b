import { expect, test } from 'vitest';
import { readBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { requireValidDocument } from '../../src/documents/validate-document.ts';
import { obstaclesOf, ssmNameOf, toSsmContent } from '../../src/systems-manager/to-ssm-document.ts';

/** Which built-in documents Systems Manager runs, and why it does not run the others. */
const expected: Readonly<Record<string, readonly string[]>> = {
  'agent-update': ['agent-environment'],
  'config-set': ['agent-environment'],
  'config-show': ['agent-environment'],
  'factory-reset': ['agent-environment'],
  locate: ['agent-environment'],
  'logs-collect': ['agent-environment'],
  'logs-tail': [],
  'network-diagnose': [],
  'network-dns': [],
  'network-ping': [],
  'process-kill': [],
  'process-top': [],
  'restart-agent': ['agent-environment'],
  'restart-device': [],
  'restart-service': [],
  'service-status': [],
  shell: [],
  'software-install': ['action', 'agent-environment', 'inputs'],
  'software-inventory': ['action'],
  'software-rollback': ['action'],
  'storage-clean': [],
  'storage-usage': [],
};

test('the built-in documents that need nothing of our agent run by Run Command', async () => {
  const found = (await readBuiltinDocuments()).map(({ name, content, phasesText = '' }) => {
    const { document, phases } = requireValidDocument(content, phasesText);
    const run = { content: document, phases, secretParameters: [], isUndo: false };
    return [name.replace('DevicePortal-', ''), obstaclesOf(run)] as const;
  });
  expect(Object.fromEntries(found)).toEqual(expected);
});

const content = (text: string, phases = '') => {
  const { document, phases: declared } = requireValidDocument(text, phases);
  return { content: document, phases: declared, secretParameters: [], isUndo: false };
};
const step = (script: string, more = ''): string =>
  `schemaVersion: '2.2'\nmainSteps:\n  - action: aws:runShellScript\n    name: one\n${more}    inputs:\n      runCommand: ['${script}']\n`;

test.each([
  [
    'a secret parameter',
    { ...content(step('true')), secretParameters: ['password'] },
    'secret-parameters',
  ],
  ['an undo', { ...content(step('true')), isUndo: true }, 'undo'],
  ['a value of the parameter store', content(step('echo {{ssm:name}}')), 'store-values'],
  [
    'what the agent reports to',
    content(step('echo x >> $DEVICEPORTAL_REPORT')),
    'agent-environment',
  ],
  ['attempts', content(step('true', '    maxAttempts: 3\n')), 'inputs'],
  [
    'a list as an environment variable',
    content(
      `${step('true')}parameters:\n  names:\n    type: StringList\n    interpolationType: ENV_VAR\n`,
    ),
    'parameter-type',
  ],
  [
    'a step that decides about the next one',
    content(
      step('true', '    onFailure: exit\n'),
      'verify:\n  - action: aws:runShellScript\n    name: two\n    inputs:\n      runCommand: [true]\n'.replace(
        '[true]',
        "['true']",
      ),
    ),
    'phases',
  ],
])('a document with %s is refused', (_what, run, obstacle) => {
  expect(obstaclesOf(run)).toEqual([obstacle]);
});

test('numbers and truth values are texts, and shared inputs are where Systems Manager reads them', () => {
  const text = `${step('echo', '    onFailure: exit\n')}parameters:\n  count:\n    type: Integer\n    default: 4\n  all:\n    type: Boolean\n    default: true\n`;
  expect(JSON.parse(toSsmContent(content(text)))).toMatchObject({
    parameters: {
      count: { type: 'String', default: '4', allowedPattern: '^-?[0-9]+$' },
      all: { type: 'String', default: 'true', allowedPattern: '^(true|false)$' },
    },
    mainSteps: [{ name: 'one', inputs: { onFailure: 'exit' } }],
  });
});

test('names in Systems Manager are distinct, and short enough', () => {
  const long = 'a'.repeat(128);
  const names = ['DevicePortal-shell', 'shell', 'DevicePortal_shell', long, `${long.slice(1)}b`];
  const made = names.map(ssmNameOf);
  expect(new Set(made).size).toBe(names.length);
  expect(made.every((name) => /^DevicePortal[a-zA-Z0-9_.-]{1,116}$/.test(name))).toBe(true);
});
