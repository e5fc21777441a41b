import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSmsWebhookChannel } from '../../src/messages/sms-webhook-channel.ts';

const secret = 'a secret that portal and gateway share';
const delivery = {
  id: '01990000-0000-7000-8000-000000000002',
  to: '+48123456789',
  subject: 'not sent',
  text: '123456 is your Device Portal sign-in code. Valid until 14:05 CET.',
  html: undefined,
  expiresAt: new Date('2026-11-20T13:05:00Z'),
};
const clock = () => new Date('2026-11-20T13:02:00.500Z');

interface Call {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

let calls: Call[];
/** A status, or undefined: the connection is cut after the request. */
let answer: number | undefined;
let server: ReturnType<typeof createServer>;
let url: string;

beforeEach(async () => {
  calls = [];
  answer = 202;
  server = createServer(async (request, response) => {
    calls.push({ headers: request.headers, body: await text(request) });
    if (answer === undefined) request.socket.destroy();
    else response.writeHead(answer, { location: 'http://127.0.0.1:1/' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`;
});
afterEach(() => {
  server.closeAllConnections();
  return new Promise<void>((resolve) => server.close(() => resolve()));
});

const deliver = () =>
  createSmsWebhookChannel({ url, secret, clock, limitMs: 1_000 }).deliver(delivery, async () => {});

describe('text messages by a gateway', () => {
  test('[sms-2] sends number, text, and expiry, signed over time and body', async () => {
    await deliver();
    const [{ headers, body } = { headers: {}, body: '' }] = calls;
    expect(JSON.parse(body)).toEqual({
      id: delivery.id,
      to: '+48123456789',
      text: delivery.text,
      expiresAt: '2026-11-20T13:05:00.000Z',
    });
    const mac = createHmac('sha256', secret).update(`1795179720.${body}`).digest('hex');
    expect(headers['x-deviceportal-signature']).toBe(`t=1795179720,v1=${mac}`);
    expect(headers['idempotency-key']).toBe(delivery.id);
  });

  test.each([
    [400, 'refused'],
    [422, 'refused'],
    [401, 'later'],
    [404, 'later'],
    [429, 'later'],
    [503, 'later'],
  ] as const)('treats the response %i as %s', async (status, failure) => {
    answer = status;
    await expect(deliver()).rejects.toMatchObject({ failure, reason: String(status) });
  });

  test('treats a connection cut without a response as uncertain, and a closed port as not sent', async () => {
    answer = undefined;
    await expect(deliver()).rejects.toMatchObject({ failure: 'uncertain' });
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await expect(deliver()).rejects.toMatchObject({ failure: 'later', reason: 'ECONNREFUSED' });
  });

  test('[sms-5] does not follow a redirect of a gateway with a code', async () => {
    answer = 307;
    await expect(deliver()).rejects.toMatchObject({ name: 'DeliveryError' });
    expect(calls).toHaveLength(1);
  });
});
