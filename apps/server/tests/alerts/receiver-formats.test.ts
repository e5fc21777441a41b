import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  alertEndReasons,
  alertSeverities,
  alertUnits,
  type AlertCondition,
} from '@deviceportal/contract/alerts';
import type { AlertNotice } from '../../src/alerts/alert-notice.ts';
import { pagerdutyBody } from '../../src/alerts/formats/pagerduty-format.ts';
import { slackBody } from '../../src/alerts/formats/slack-format.ts';
import { teamsBody } from '../../src/alerts/formats/teams-format.ts';
import { webhookBody } from '../../src/alerts/formats/webhook-format.ts';
import {
  pagerdutySchema,
  PAGERDUTY_BYTES,
  slackSchema,
  TEAMS_BYTES,
  teamsSchema,
  webhookSchema,
} from './receiver-schemas.ts';

const publicUrl = 'https://portal.example.com';
const routingKey = 'e93facc04764012d7bfb002500d5d1a6';
const moment = fc.date({
  min: new Date('2020-01-01'),
  max: new Date('2040-01-01'),
  noInvalidDate: true,
});

/** Of a name, as a user can enter it: all characters, and as long as allowed. */
const name = fc
  .string({ minLength: 1, maxLength: 120, unit: 'grapheme' })
  .filter((text) => text.trim() !== '');
const condition: fc.Arbitrary<AlertCondition> = fc.constantFrom(
  { kind: 'offline', minutes: 10_080 },
  { kind: 'finding', rule: 'any', severity: 'warning' },
  { kind: 'finding', rule: 'disk-full', severity: 'error' },
  { kind: 'metric', metric: 'clockOffsetMs', comparison: 'atMost', value: -3_162_240_000_000 },
);
const notice: fc.Arbitrary<AlertNotice> = fc.record({
  event: fc.constantFrom('firing', 'resolved', 'test'),
  alertId: fc.uuid(),
  ruleId: fc.uuid(),
  rule: name,
  severity: fc.constantFrom(...alertSeverities),
  condition,
  unit: fc.constantFrom(...alertUnits),
  above: fc.integer({ min: 0, max: 10_000_000 }),
  matching: fc.integer({ min: 0, max: 10_000_000 }),
  total: fc.integer({ min: 0, max: 10_000_000 }),
  startedAt: moment.map((at) => at.toISOString()),
  at: moment.map((at) => at.toISOString()),
  reason: fc.option(fc.constantFrom(...alertEndReasons)),
  devices: fc.array(fc.record({ id: fc.uuid(), serialNumber: fc.option(name), name }), {
    maxLength: 10,
  }),
  language: fc.constantFrom('en', 'zh-CN'),
});

describe('messages of alerts are accepted by their receivers, whatever names rules and devices have', () => {
  const check = (
    body: (one: AlertNotice) => string,
    schema: { parse: (value: unknown) => unknown },
    bytes: number,
  ) =>
    fc.assert(
      fc.property(notice, (one) => {
        const text = body(one);
        schema.parse(JSON.parse(text));
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
      }),
      { numRuns: 300 },
    );

  test('Slack: Block Kit', () => check((one) => slackBody(one, publicUrl), slackSchema, 1_000_000));
  test('Microsoft Teams: an Adaptive Card 1.5', () =>
    check((one) => teamsBody(one, publicUrl), teamsSchema, TEAMS_BYTES));
  test('PagerDuty: Events API v2', () =>
    check(
      (one) => pagerdutyBody(one, { routingKey, publicUrl }),
      pagerdutySchema,
      PAGERDUTY_BYTES,
    ));
  test('webhook: Standard Webhooks', () =>
    check((one) => webhookBody(one, publicUrl), webhookSchema, 100_000));
});
