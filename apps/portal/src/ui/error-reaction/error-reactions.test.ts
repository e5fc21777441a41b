import { errorCatalog, errorNameOf, type ErrorName } from '@deviceportal/contract/errors';
import { refusals, type RefusalReason } from '@deviceportal/contract/refusals';
import { refuse } from '@deviceportal/contract/refuse';
import { growthLimits, LIMIT_REACHED } from '@deviceportal/contract/growth-limits';
import { PortalError } from '@deviceportal/contract/errors';
import { describe, expect, it } from 'vitest';
import { portalErrorOf } from '../../api/portal-error-of.ts';
import { formatMessage } from '../../i18n/format-message.ts';
import { messages as english } from '../../i18n/portal-messages-en.ts';
import { messages as chinese } from '../../i18n/portal-messages-zh-cn.ts';
import { reactionTo } from './error-reactions.ts';
import { errorTexts } from './error-texts.ts';

const names = Object.keys(errorCatalog) as ErrorName[];
const languages = [
  ['en', english],
  ['zh-CN', chinese],
] as const;

it('each of the 24 codes has a reaction', () => {
  expect(names).toHaveLength(24);
  for (const name of names) expect(reactionTo({ name, reason: null })).toBeDefined();
});

it('access can be requested if a permission or its scope is missing and no other rule rejects', () => {
  const askable = Object.entries(refusals).filter(
    ([reason, { error }]) =>
      error === 'noPermission' &&
      reactionTo({ name: error, reason: reason as RefusalReason }).actions.includes(
        'request-access',
      ),
  );
  expect(askable.map(([reason]) => reason).toSorted()).toEqual([
    'approval-out-of-reach',
    'claim-out-of-reach',
    'device-out-of-reach',
    'people-import-needs-all-devices',
    'rollout-role-ended',
    'run-beyond-scope',
    'scope-is-limited',
    'temporary-access-ended',
    'terminal-consent-out-of-reach',
    'versions-need-whole-fleet',
  ]);
});

describe.each(languages)('[errors-2] in %s', (language, messages) => {
  it.each(names)('%s has a text with and without facts', (name) => {
    const translate = (key: string, values?: object): string =>
      formatMessage({ language, messages }, key, values as never);
    const facts = {
      permission: 'devices:manage',
      identifier: 'ana@corp.example',
      attemptsLeft: 2,
      command: 'logs/tail',
      serialNumber: 'SN1',
      exitCode: 3,
      name: 'Pump',
      step: 2,
      failed: 1,
      total: 4,
    };
    for (const error of [new PortalError(name), new PortalError(name, { facts })]) {
      const texts = errorTexts(portalErrorOf(error), translate as never);
      for (const text of [texts.title, texts.body]) {
        expect(text.trim()).not.toBe('');
        expect(text).not.toMatch(/shell\.error|none|undefined/);
      }
    }
  });
});

describe.each(languages)('[errors-4] in %s', (language, messages) => {
  const translate = (key: string, values?: object): string =>
    formatMessage({ language, messages }, key, values as never);

  it('permissions of which one is enough are joined by a word', () => {
    const facts = { permission: 'files:read | files:write' };
    const error = new PortalError('noPermission', { facts });
    const { body } = errorTexts(portalErrorOf(error), translate as never);
    expect(body).toMatch(/files:read(?: or |或)files:write/);
  });

  it.each(Object.entries(growthLimits))('the limit of %s states what to do', (limit, { most }) => {
    const facts = { reason: LIMIT_REACHED, limit, most };
    const error = new PortalError('invalidParameters', { facts });
    const { title, body } = errorTexts(portalErrorOf(error), translate as never);
    expect(title).toBe(translate('app.error.limitReached.title'));
    expect(body).toContain(new Intl.NumberFormat(language).format(most));
    expect(body).not.toMatch(/shell\.error|undefined/);
  });

  it('a permission that ends before a run has its own text', () => {
    const error = refuse('run-beyond-scope', { facts: { permission: 'commands:read' } });
    const { title, body } = errorTexts(portalErrorOf(error), translate as never);
    expect(title).toBe(translate('app.error.beyondScope.title'));
    expect(body).not.toMatch(/shell\.error|commands:read/);
  });
});

it('a code outside the catalog is unknown', () => {
  expect(errorNameOf(4711)).toBe('unknown');
  expect(portalErrorOf(new Error('boom'))).toMatchObject({ code: -1, name: 'unknown' });
});
