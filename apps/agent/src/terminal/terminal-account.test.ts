import { expect, test } from 'vitest';
import { terminalAccount } from './terminal-account.ts';

const root = { isRoot: true, name: 'root', shell: '/bin/bash', home: '/root' };
const user = { isRoot: false, name: 'kiosk', shell: '/bin/bash', home: '/home/kiosk' };

test('an agent of root has no terminals without an account for them', () => {
  expect(terminalAccount(null, root)).toBeNull();
});

test.each(['root', '-c id', 'a b', '../x', ''])('never runs terminals as %j', (name) => {
  expect(terminalAccount(name, root)).toBeNull();
});

test('an agent of root signs the account in, with its own groups and environment', () => {
  expect(terminalAccount('support', root)).toMatchObject({
    name: 'support',
    file: 'su',
    args: ['-', 'support'],
  });
});

test('another agent uses its own account, and no other one', () => {
  expect(terminalAccount(null, user)).toMatchObject({ name: 'kiosk', file: '/bin/bash' });
  expect(terminalAccount('support', user)).toBeNull();
});

test('nothing of the environment of the agent is passed on', () => {
  process.env.DEVICEPORTAL_AGENT_CLAIM = 'secret';
  try {
    expect(Object.values(terminalAccount(null, user)?.environment ?? {})).not.toContain('secret');
  } finally {
    delete process.env.DEVICEPORTAL_AGENT_CLAIM;
  }
});
