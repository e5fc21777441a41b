import { describe, expect, test } from 'vitest';
import type { AlertNotice } from '../alert-notice.ts';
import { alertMail } from './alert-mail.ts';
import { pagerdutyBody } from './pagerduty-format.ts';
import { slackBody } from './slack-format.ts';
import { teamsBody } from './teams-format.ts';
import { webhookHeaders } from '../../platform/outside/webhook-signature.ts';

const publicUrl = 'https://portal.example.com';
const routingKey = 'e93facc04764012d7bfb002500d5d1a6';

const notice = (part: Partial<AlertNotice> = {}): AlertNotice => ({
  ...{ event: 'firing', alertId: 'a1', ruleId: 'r1', rule: 'Offline', severity: 'critical' },
  ...{ condition: { kind: 'offline', minutes: 10 }, unit: 'percent', above: 3 },
  ...{ matching: 4, total: 100, reason: null, language: 'en' },
  ...{ startedAt: '2026-11-20T12:00:00.000Z', at: '2026-11-20T12:00:00.000Z' },
  devices: [{ id: 'd1', serialNumber: 'LK-1', name: 'one' }],
  ...part,
});
const long = '<!channel> & *x* `y` _z_ [t](https://evil.example) '.repeat(30);
const notices: readonly AlertNotice[] = (['en', 'zh-CN'] as const).flatMap((language) =>
  (['firing', 'resolved', 'test'] as const).flatMap((event) =>
    ['Offline', long].map((rule) =>
      notice({ language, event, rule, reason: event === 'resolved' ? 'rule-deleted' : null }),
    ),
  ),
);

interface SlackText {
  readonly type: string;
  readonly text: string;
}
interface SlackMessage {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: SlackText;
    readonly fields?: readonly SlackText[];
    readonly elements?: readonly {
      readonly type: string;
      readonly url: string;
      readonly text: SlackText;
    }[];
  }[];
}

describe('formats of alerts', () => {
  test.each([
    ['en', 'More than 3% of the devices with Disk used ≥ 90%'],
    ['zh-CN', '超过 3% 的设备的磁盘使用率 ≥ 90%'],
  ] as const)('name metrics and their units as the screens do (%s)', (language, text) => {
    const condition = {
      kind: 'metric',
      metric: 'diskUsedPercent',
      comparison: 'atLeast',
      value: 90,
    } as const;
    const one = notice({ language, condition });
    for (const body of [slackBody(one, publicUrl), teamsBody(one, publicUrl)]) {
      expect(body).toContain(text);
      expect(body).not.toContain('diskUsedPercent');
    }
  });

  test.each([
    ['en', 'More than 3% of the devices with the finding “No recent contact”'],
    ['zh-CN', '超过 3% 的设备存在异常“异常离线”'],
  ] as const)('name findings as the screens do (%s)', (language, text) => {
    const condition = { kind: 'finding', rule: 'unusual-silence', severity: 'warning' } as const;
    const one = notice({ language, condition });
    for (const body of [slackBody(one, publicUrl), teamsBody(one, publicUrl)]) {
      expect(body).toContain(text);
      expect(body).not.toContain('unusual-silence');
    }
    expect(alertMail(one, publicUrl).text).toContain(text);
    const { payload } = JSON.parse(pagerdutyBody(one, { routingKey, publicUrl })) as {
      payload: { custom_details: object };
    };
    expect(payload.custom_details).toMatchObject({ description: text, condition });
  });

  // https://docs.slack.dev/reference/block-kit/blocks
  test.each(notices)('Slack: blocks within their limits, without markup of others (%#)', (one) => {
    const { text, blocks } = JSON.parse(slackBody(one, publicUrl)) as SlackMessage;
    const [header, section, actions] = blocks;
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions']);
    expect(header?.text?.type).toBe('plain_text');
    expect(header?.text?.text.length).toBeLessThanOrEqual(150);
    expect(section?.fields?.length).toBeLessThanOrEqual(10);
    for (const field of section?.fields ?? []) {
      expect(field.type).toBe('mrkdwn');
      expect(field.text.length).toBeLessThanOrEqual(2_000);
      expect(field.text).not.toMatch(/[<>]/);
    }
    expect(actions?.elements).toMatchObject([
      { type: 'button', url: `${publicUrl}/alerts`, text: { type: 'plain_text' } },
    ]);
    expect(text).not.toMatch(/[<>]/);
  });

  // https://adaptivecards.io/schemas/1.5.0/adaptive-card.json
  test.each(notices)('Teams: one Adaptive Card 1.5, with text that is no Markdown (%#)', (one) => {
    const message = JSON.parse(teamsBody(one, publicUrl)) as {
      readonly type: string;
      readonly attachments: readonly {
        readonly contentType: string;
        readonly content: {
          readonly type: string;
          readonly version: string;
          readonly body: readonly [
            { readonly type: string; readonly text: string; readonly color: string },
            {
              readonly type: string;
              readonly facts: readonly { readonly title: string; readonly value: string }[];
            },
          ];
          readonly actions: readonly object[];
        };
      }[];
    };
    expect(message.type).toBe('message');
    const [attachment] = message.attachments;
    expect(attachment?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(attachment?.content).toMatchObject({ type: 'AdaptiveCard', version: '1.5' });
    const [title, facts] = attachment?.content.body ?? [];
    expect(title).toMatchObject({ type: 'TextBlock' });
    expect(['Attention', 'Good']).toContain(title?.color);
    expect(title?.text).not.toMatch(/(?<!\\)[*_`[\]]/);
    expect(facts?.type).toBe('FactSet');
    for (const fact of facts?.facts ?? []) {
      expect(Object.keys(fact)).toEqual(['title', 'value']);
      expect(typeof fact.value).toBe('string');
    }
    expect(attachment?.content.actions).toEqual([
      { type: 'Action.OpenUrl', title: expect.any(String), url: `${publicUrl}/alerts` },
    ]);
  });

  // https://developer.pagerduty.com/api-reference/YXBpOjI3NDgyNjU-pager-duty-v2-events-api
  test.each(notices)('PagerDuty: an event of the Events API v2 (%#)', (one) => {
    const event = JSON.parse(pagerdutyBody(one, { routingKey, publicUrl })) as {
      readonly event_action: string;
      readonly payload?: { readonly summary: string; readonly severity: string };
    };
    expect(event).toMatchObject({ routing_key: routingKey, dedup_key: 'a1' });
    if (one.event === 'resolved') {
      expect(Object.keys(event).toSorted()).toEqual(['dedup_key', 'event_action', 'routing_key']);
      expect(event.event_action).toBe('resolve');
      return;
    }
    expect(event).toMatchObject({
      event_action: 'trigger',
      payload: { source: 'portal.example.com', timestamp: one.at },
      links: [{ href: `${publicUrl}/alerts` }],
    });
    expect(event.payload?.summary.length).toBeLessThanOrEqual(1_024);
    expect(['critical', 'warning', 'error', 'info']).toContain(event.payload?.severity);
  });

  // The test vector of https://github.com/standard-webhooks/standard-webhooks (spec, "Signature scheme")
  test('a webhook has the signature of the vector of Standard Webhooks', () => {
    const body = '{"test": 2432232314}';
    const headers = webhookHeaders(body, {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      at: new Date(1_614_265_330_000),
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});
