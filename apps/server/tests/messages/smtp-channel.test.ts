import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/messages/delivery-channel.ts';
import { createSmtpChannel, type SmtpChannelOptions } from '../../src/messages/smtp-channel.ts';
import { smtpAnswer, startMailServer } from '../support/mail-server.ts';

const delivery: Delivery = {
  id: '01990000-0000-7000-8000-000000000001',
  to: 'ada@example.com',
  subject: '123456 是您的 Device Portal 登录验证码',
  text: 'Your code is 123456.\n.\nA line with one dot stands above.\n',
  html: '<p>Your code is 123456.</p>',
  expiresAt: new Date(Date.now() + 180_000),
};

function channelTo(port: number, options: Partial<SmtpChannelOptions> = {}) {
  return createSmtpChannel({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Device Portal <portal@corp.example>',
    allowClear: true,
    stepLimitMs: 500,
    limitMs: 2_000,
    ...options,
  });
}

const noted: string[] = [];
const handOver = async () => void noted.push('handed over');

describe('emails by a mail server', () => {
  test('delivers an email with sender, recipient, text, HTML, and an id that is the same in every attempt', async () => {
    await using server = await startMailServer();
    await channelTo(server.port).deliver(delivery, handOver);
    const [{ to, mail } = { to: '', mail: '' }] = server.mails;
    expect(to).toBe('ada@example.com');
    expect(mail).toContain('From: Device Portal <portal@corp.example>');
    expect(mail).toContain(`Message-ID: <${delivery.id}@corp.example>`);
    expect(mail).toContain('Auto-Submitted: auto-generated');
    expect(mail).toContain('Content-Type: text/plain; charset=utf-8');
    expect(mail).toContain('Content-Type: text/html; charset=utf-8');
    expect(mail).toContain('\r\n.\r\nA line with one dot');
    expect(mail).toMatch(/^Subject: =\?UTF-8\?/m);
  });

  test('[mail-2] uses STARTTLS if the server supports it, and verifies the certificate', async () => {
    const secured: boolean[] = [];
    await using server = await startMailServer({
      disabledCommands: [],
      onMailFrom: (_address, session, done) => {
        secured.push(session.secure);
        done();
      },
    });
    const trusting = channelTo(server.port, {
      allowClear: false,
      tls: { rejectUnauthorized: false },
    });
    await trusting.deliver(delivery, handOver);
    expect(secured).toEqual([true]);
    await expect(
      channelTo(server.port, { allowClear: false }).deliver(delivery, handOver),
    ).rejects.toMatchObject({ failure: 'later' });
    expect(server.mails).toHaveLength(1);
  });

  test('[mail-3] sends no code unencrypted to a server without STARTTLS, unless permitted', async () => {
    await using server = await startMailServer();
    const before = noted.length;
    await expect(
      channelTo(server.port, { allowClear: false }).deliver(delivery, handOver),
    ).rejects.toMatchObject({ failure: 'later' });
    expect(noted).toHaveLength(before);
    expect(server.mails).toHaveLength(0);
  });

  test('authenticates with the percent-decoded user and password of the URL, and reports wrong ones to the operator', async () => {
    await using server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'po@rtal' && password === 'p:/@ss'
          ? done(null, { user: username })
          : done(new Error('Invalid user or password')),
    });
    const withUser = (user: string) =>
      channelTo(server.port, { url: `smtp://${user}@127.0.0.1:${server.port}` });
    await withUser('po%40rtal:p%3A%2F%40ss').deliver(delivery, handOver);
    expect(server.mails).toHaveLength(1);
    await expect(withUser('po%40rtal:other').deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
      reason: expect.stringMatching(/^535/),
    });
  });

  test.each([
    [550, '5.1.1 <ada@example.com> does not exist', 'refused', '550 5.1.1'],
    [450, '4.2.0 greylisted, come back', 'later', '450 4.2.0'],
  ] as const)(
    'maps a reply of %i to a recipient to %3$s, without the address in the reason',
    async (code, words, failure, reason) => {
      await using server = await startMailServer({
        onRcptTo: (_address, _session, done) => done(smtpAnswer(code, words)),
      });
      const refusal = channelTo(server.port).deliver(delivery, handOver);
      await expect(refusal).rejects.toMatchObject({ failure, reason });
      await expect(refusal).rejects.not.toThrow(/ada@/);
    },
  );

  test('does not treat a rejected sender as a rejected recipient', async () => {
    await using server = await startMailServer({
      onMailFrom: (_address, _session, done) => done(smtpAnswer(553, '5.7.1 not your domain')),
    });
    await expect(channelTo(server.port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
      reason: '553 5.7.1',
    });
  });

  test('gives up on a slow server before anything was handed over', async () => {
    await using server = await startMailServer({
      onRcptTo: (_address, _session, done) => void setTimeout(done, 1_500),
    });
    const before = noted.length;
    const startedAt = performance.now();
    await expect(channelTo(server.port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
      reason: 'ETIMEDOUT',
    });
    expect(performance.now() - startedAt).toBeLessThan(1_400);
    expect(noted).toHaveLength(before);
  });

  test('is uncertain after a connection cut behind the content, and certain after a negative reply', async () => {
    await using cutting = await startMailServer({
      onData: (stream) => {
        stream.resume();
        stream.once('end', () => void cutting[Symbol.asyncDispose]());
      },
    });
    await expect(channelTo(cutting.port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'uncertain',
    });
    await using busy = await startMailServer({
      onData: (stream, _session, done) => {
        stream.resume();
        stream.once('end', () => done(smtpAnswer(452, '4.3.1 disk full')));
      },
    });
    await expect(channelTo(busy.port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
      reason: '452 4.3.1',
    });
  });

  test('retries later when the port is closed or the connection is cut immediately', async () => {
    const rude = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => rude.listen(0, '127.0.0.1', resolve));
    const { port } = rude.address() as AddressInfo;
    await expect(channelTo(port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
    });
    await new Promise((resolve) => rude.close(resolve));
    await expect(channelTo(port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
      reason: expect.stringMatching(/ECONNREFUSED|ESOCKET|ECONNECTION/),
    });
  });

  test('delivers nothing when the attempt is stopped at the last moment', async () => {
    await using server = await startMailServer();
    const stopped = new Error('a newer code is on its way');
    await expect(
      channelTo(server.port).deliver(delivery, () => Promise.reject(stopped)),
    ).rejects.toBe(stopped);
    expect(server.mails).toHaveLength(0);
  });
});
