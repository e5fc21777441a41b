import { describe, expect, it } from 'vitest';
import type { Verdict } from '@deviceportal/contract/devices';
import { nextRemedies, type EndedCommand } from './remedy-policy.ts';

const ended = (command: string, state: EndedCommand['state']): EndedCommand => ({
  command,
  state,
  statusDetails: state === 'TimedOut' ? 'Execution Timed Out' : state,
});
const fullDisk: Verdict = {
  code: 'degraded',
  severity: 'warning',
  facts: { part: 'disk' },
  suggestedCommand: 'storage/usage',
};
const commandsAfter = (what: EndedCommand, verdicts: readonly Verdict[] = []): string[] =>
  nextRemedies(what, verdicts).map(({ command }) => command);

describe('what helps next', () => {
  it('[remedy-1] a look is followed by its mend, a mend by a look', () => {
    expect(commandsAfter(ended('storage/usage', 'Success'), [fullDisk])).toEqual(['storage/clean']);
    expect(commandsAfter(ended('storage/clean', 'Success'), [])).toEqual(['storage/usage']);
  });

  it('[remedy-2] what is still wrong with the device is said once, with its verdict', () => {
    expect(nextRemedies(ended('locate', 'Success'), [fullDisk, fullDisk])).toEqual([
      { command: 'storage/usage', reason: 'verdict', verdict: fullDisk },
    ]);
    expect(nextRemedies(ended('storage/clean', 'Success'), [fullDisk])).toMatchObject([
      { command: 'storage/usage', reason: 'succeeded' },
    ]);
  });

  it('[remedy-3] a failure is looked into; what never reached the device is not', () => {
    expect(commandsAfter(ended('restart/service', 'Failed'))).toEqual([
      'service/status',
      'restart/device',
    ]);
    expect(commandsAfter(ended('shell', 'TimedOut'))).toEqual(['logs/tail']);
    expect(
      commandsAfter({ ...ended('shell', 'TimedOut'), statusDetails: 'Delivery Timed Out' }),
    ).toEqual([]);
    expect(commandsAfter(ended('logs/tail', 'Failed'))).toEqual([]);
  });

  it('[remedy-4] that this command failed is no reason to suggest logs twice', () => {
    const failed: Verdict = {
      code: 'last-command-failed',
      severity: 'warning',
      facts: {},
      suggestedCommand: 'logs/tail',
    };
    expect(commandsAfter(ended('storage/clean', 'Cancelled'), [failed])).toEqual([]);
  });
});
