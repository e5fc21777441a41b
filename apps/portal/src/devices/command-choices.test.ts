import { describe, expect, it } from 'vitest';
import type { CommandDefinition } from '@deviceportal/contract/commands';
import {
  disabledReasonOf,
  orderCommands,
  targetDisabledReasonOf,
  type CommandTarget,
} from './command-choices.ts';

const command = (name: string, part: Partial<CommandDefinition> = {}): CommandDefinition => ({
  command: name,
  name,
  sub: null,
  documentName: name,
  consequence: 'reads',
  needsSerialNumber: false,
  group: 'diagnose',
  description: '',
  platforms: ['linux'],
  favorite: false,
  allowed: true,
  missingPermission: null,
  ...part,
});

const target = (part: Partial<CommandTarget> = {}): CommandTarget => ({
  id: 'a',
  serialNumber: 'SN1001',
  lifecycle: 'active',
  instanceId: 'mi-1',
  platform: 'linux',
  ...part,
});

describe('commands offered for devices', () => {
  it('a command is disabled by a missing permission, platform, or serial number', () => {
    expect(disabledReasonOf(command('a'), [target()])).toBeNull();
    expect(
      disabledReasonOf(command('a', { allowed: false, missingPermission: 'commands:run:a' }), [
        target(),
      ]),
    ).toEqual({ code: 'permission', permission: 'commands:run:a' });
    expect(disabledReasonOf(command('a'), [target({ platform: 'windows' })])?.code).toBe(
      'platform',
    );
    expect(
      disabledReasonOf(command('a', { needsSerialNumber: true }), [target({ serialNumber: null })])
        ?.code,
    ).toBe('serial-number');
  });

  it('one suitable device of several is enough', () => {
    expect(disabledReasonOf(command('a'), [target({ platform: 'windows' }), target()])).toBeNull();
    expect(targetDisabledReasonOf([target({ lifecycle: 'retired' }), target()])).toBeNull();
    expect(targetDisabledReasonOf([target({ lifecycle: 'suspended' })])).toBe('suspended');
    expect(targetDisabledReasonOf([target({ instanceId: null })])).toBe('no-instance');
  });

  it('favorites come first, commands without permission last', () => {
    const ordered = orderCommands(
      [
        command('a', { allowed: false, favorite: true }),
        command('b'),
        command('c', { favorite: true }),
      ],
      [target()],
    );
    expect(ordered.map((each) => each.command)).toEqual(['c', 'b', 'a']);
  });
});
