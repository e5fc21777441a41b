import { expect, test } from 'vitest';
import { createAlertRuleInput, type AlertRuleRow } from '@deviceportal/contract/alerts';
import {
  draftOfRule,
  emptyRule,
  evaluatedPart,
  ruleOfDraft,
  type RuleDraft,
} from './rule-draft.ts';

const window = { days: [6, 7], from: '22:00', to: '04:00', timeZone: 'Europe/Berlin' };
const named = { ...emptyRule, name: 'Offline lockers' };

test('the form of a new rule needs only a name, and is accepted by the server', () => {
  expect(ruleOfDraft(emptyRule)).toBeNull();
  const rule = ruleOfDraft(named);
  expect(createAlertRuleInput.safeParse(rule).success).toBe(true);
  expect(rule).toMatchObject({
    above: 3,
    resolveAt: 3,
    condition: { kind: 'offline', minutes: 10 },
  });
});

test.each([
  ['a threshold that no share exceeds', { above: '100' }],
  ['a part of a device', { unit: 'devices', above: '2.5' }],
  ['a limit for resolving above the threshold', { above: '3', resolveAt: '4' }],
  ['no minutes', { minutes: '' }],
  ['negative minutes', { holdMinutes: '-1' }],
  ['an end in the moment of the start', { resolveMinutes: '0' }],
  ['a window in an unknown time zone', { maintenance: [{ ...window, timeZone: 'Moon/Base' }] }],
  ['a window without days', { maintenance: [{ ...window, days: [] }] }],
  ['a text as a number', { above: 'many' }],
] satisfies [string, Partial<RuleDraft>][])('%s cannot be saved', (_, part) => {
  expect(evaluatedPart({ ...named, ...part })).toBeNull();
});

test('the addresses of an email can be separated by commas, semicolons, or spaces', () => {
  const value = 'ops@example.com, night@example.com；day@example.com';
  const rule = ruleOfDraft({ ...named, destinations: [{ key: '1', kind: 'email', value }] });
  expect(rule?.destinations).toEqual([
    { kind: 'email', addresses: ['ops@example.com', 'night@example.com', 'day@example.com'] },
  ]);
});

test('a rule that is opened and saved without changes stays the same', () => {
  const rule: AlertRuleRow = {
    ...{ id: 'a', revision: 1, name: 'Disk', owner: null, isOwn: true, severity: 'critical' },
    ...{ enabled: true, mutedUntil: null, phase: 'ok', matching: 1, total: 2, evaluatedAt: null },
    ...{ problem: null, excludesChanging: false, maintenance: [window] },
    ...{ maintenanceUntil: null, noticesPausedUntil: null, opensCase: true },
    filter: {
      text: 'locker',
      tokens: [{ key: 'country', operator: '=', values: ['DE'] }],
      operation: 'and',
      targetListId: null,
    },
    condition: { kind: 'finding', rule: 'disk-full', severity: 'error' },
    ...{ unit: 'devices', above: 4, resolveAt: 2, holdMinutes: 1, resolveMinutes: 7 },
    destinations: [{ id: 'd', kind: 'slack', label: 'hooks.slack.com' }],
  };
  expect(ruleOfDraft(draftOfRule(rule))).toEqual({
    ...{ name: 'Disk', severity: 'critical', enabled: true, filter: rule.filter },
    ...{ condition: rule.condition, unit: 'devices', above: 4, resolveAt: 2 },
    ...{ excludesChanging: false, maintenance: [window], opensCase: true },
    ...{ holdMinutes: 1, resolveMinutes: 7, destinations: [{ kind: 'kept', id: 'd' }] },
  });
});
