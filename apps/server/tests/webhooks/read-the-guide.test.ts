import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { webhookBodySchema } from '@deviceportal/contract/webhook-events';
import { webhookEventTypes } from '@deviceportal/contract/webhooks';
import { newWebhookSecret, webhookHeaders } from '../../src/platform/outside/webhook-signature.ts';

const guide = readFileSync(
  join(import.meta.dirname, '../../../../docs/guides/webhooks.md'),
  'utf8',
);
const blocksOf = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(
    ([, block = '']) => block,
  );

interface Verifier {
  readonly isGenuine: (
    headers: Readonly<Record<string, string>>,
    body: string,
    secret: string,
    nowSeconds: number,
  ) => boolean;
}

const secret = newWebhookSecret();
const at = new Date('2026-11-20T18:00:00Z');
const body = '{"type":"test","name":"Köln"}';
const headers = webhookHeaders(body, { id: 'r1', secrets: [newWebhookSecret(), secret], at });
const seconds = at.getTime() / 1_000;
const forged = { ...headers, 'webhook-timestamp': String(seconds + 1_000) };
const cases = [
  [headers, body, secret, seconds + 5, true],
  [headers, `${body} `, secret, seconds + 5, false],
  [headers, body, newWebhookSecret(), seconds + 5, false],
  // A recorded request that is sent again later, as it was or with a new timestamp.
  [headers, body, secret, seconds + 1_000, false],
  [forged, body, secret, seconds + 1_000, false],
] as const;

describe('the guide of webhooks', () => {
  test('shows bodies as they are sent', () => {
    const bodies = blocksOf('json').map((block): unknown => JSON.parse(block));
    expect(bodies).toHaveLength(3);
    for (const each of bodies) expect(webhookBodySchema.parse(each)).toEqual(each);
  });

  test('names every type of event', () => {
    for (const type of webhookEventTypes) expect(guide).toContain(`\`${type}\``);
  });

  test('verifies genuine requests in Node.js, and rejects changed, forged, and old ones', async () => {
    const [code = ''] = blocksOf('js');
    const { isGenuine } = (await import(
      `data:text/javascript,${encodeURIComponent(code)}`
    )) as Verifier;
    for (const [given, text, key, now, expected] of cases) {
      expect(isGenuine(given, text, key, now)).toBe(expected);
    }
  });

  test.skipIf(!hasPython())('does the same in Python', () => {
    const [code = ''] = blocksOf('python');
    const check = `
import json, sys
print(json.dumps([is_genuine(h, b.encode(), s, n) for h, b, s, n, _ in json.load(sys.stdin)]))`;
    const answer = execFileSync('python3', ['-c', code + check], { input: JSON.stringify(cases) });
    expect(JSON.parse(String(answer))).toEqual(cases.map((each) => each[4]));
  });
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
