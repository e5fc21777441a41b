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

describe('suggested next steps', () => {
  it('suggest a fix after a diagnosis, and a diagnosis after a fix', () => {
    expect(commandsAfter(ended('storage/usage', 'Success'), [fullDisk])).toEqual(['storage/clean']);
    expect(commandsAfter(ended('storage/clean', 'Success'), [])).toEqual(['storage/usage']);
  });

  it('include a remaining finding of the device once, with its verdict', () => {
    expect(nextRemedies(ended('locate', 'Success'), [fullDisk, fullDisk])).toEqual([
      { command: 'storage/usage', reason: 'verdict', verdict: fullDisk },
    ]);
    expect(nextRemedies(ended('storage/clean', 'Success'), [fullDisk])).toMatchObject([
      { command: 'storage/usage', reason: 'succeeded' },
    ]);
  });

  it('include a diagnosis after a failure, but not if the command was not delivered', () => {
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

  it('do not suggest logs twice because this command failed', () => {
    const failed: Verdict = {
      code: 'last-command-failed',
      severity: 'warning',
      facts: {},
      suggestedCommand: 'logs/tail',
    };
    expect(commandsAfter(ended('storage/clean', 'Cancelled'), [failed])).toEqual([]);
  });
});
