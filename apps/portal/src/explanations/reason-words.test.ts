import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { airBlastSteps, airBlastStopReasons, noGoReasons } from '@deviceportal/contract/air-blast';
import type { ExclusionReason } from '@deviceportal/contract/command-targets';
import { reasonActs, reasonCodes, type Reason } from '@deviceportal/contract/explanations';
import { formatMessage } from '../i18n/format-message.ts';
import type { Translate } from '../i18n/use-t.ts';
import { reasonWords } from './reason-words.ts';

const exclusions: Readonly<Record<ExclusionReason | 'already-installed', true>> = {
  suspended: true,
  retired: true,
  'no-instance': true,
  'no-serial-number': true,
  'not-permitted': true,
  'needs-agent': true,
  'agent-too-old': true,
  busy: true,
  'already-installed': true,
};
const shownReasons = [...noGoReasons, ...Object.keys(exclusions)];

describe.each(['en', 'zh-CN'] as const)('a reason in %s', (language) => {
  const messages = Object.fromEntries(
    ['air-blast', 'explanations'].flatMap((area) =>
      Object.entries(
        JSON.parse(
          readFileSync(join(import.meta.dirname, `../${area}/messages/${language}.json`), 'utf8'),
        ) as Record<string, string>,
      ),
    ),
  );
  const t: Translate = (key, values) => formatMessage({ language, messages }, key, values);

  it('has a text for every code, action, step, and exclusion', () => {
    const keys = [
      ...reasonCodes.map((code) => `explanations.reason.${code}`),
      ...reasonActs.map((kind) => `explanations.act.${kind}`),
      ...airBlastSteps.map((step) => `airBlast.step.${step}`),
      ...shownReasons.map((reason) => `airBlast.reasonOf.${reason}`),
    ];
    expect(keys.filter((key) => messages[key] === undefined)).toEqual([]);
  });

  it('shows no code for why a rollout stopped or a device is excluded', () => {
    const shown = (code: Reason['code'], reason: string): string =>
      reasonWords(
        {
          code,
          facts: { ...noFacts, reason },
          since: null,
          until: null,
          act: null,
        },
        { t, language },
      );
    const raw = [
      ...airBlastStopReasons.flatMap((reason) =>
        (['air-blast-failed', 'air-blast-paused', 'air-blast-aborted'] as const).map(
          (code) => [reason, shown(code, reason)] as const,
        ),
      ),
      ...shownReasons.flatMap((reason) =>
        (['target-excluded', 'target-no-go'] as const).map(
          (code) => [reason, shown(code, reason)] as const,
        ),
      ),
    ].filter(([reason, words]) => reason.includes('-') && words.includes(reason));
    expect(raw).toEqual([]);
  });
});

/** Facts that the sentences of rollouts and their devices use. */
const noFacts = {
  by: 'ada',
  step: 'canary',
  failed: 1,
  total: 2,
  used: null,
  most: 90,
  platform: null,
  model: null,
  country: null,
};
