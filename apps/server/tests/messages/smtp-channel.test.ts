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

describe('mails by a mail server', () => {
  test('[mail-1] a mail arrives with sender, recipient, text, HTML and an id that stays the same', async () => {
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

  test('[mail-2] STARTTLS is used where the server has it, and a certificate is checked', async () => {
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

  test('[mail-3] a server without STARTTLS gets no code in clear, unless that is allowed', async () => {
    await using server = await startMailServer();
    const before = noted.length;
    await expect(
      channelTo(server.port, { allowClear: false }).deliver(delivery, handOver),
    ).rejects.toMatchObject({ failure: 'later' });
    expect(noted).toHaveLength(before);
    expect(server.mails).toHaveLength(0);
  });

  test('[mail-4] user and password of the URL are given, also with signs in them; wrong ones are the operator’s matter', async () => {
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
    '[mail-5] a recipient answered with %i is %3$s, and the reason names nobody',
    async (code, words, failure, reason) => {
      await using server = await startMailServer({
        onRcptTo: (_address, _session, done) => done(smtpAnswer(code, words)),
      });
      const refusal = channelTo(server.port).deliver(delivery, handOver);
      await expect(refusal).rejects.toMatchObject({ failure, reason });
      await expect(refusal).rejects.not.toThrow(/ada@/);
    },
  );

  test('[mail-6] a refused sender says nothing about the reader', async () => {
    await using server = await startMailServer({
      onMailFrom: (_address, _session, done) => done(smtpAnswer(553, '5.7.1 not your domain')),
    });
    await expect(channelTo(server.port).deliver(delivery, handOver)).rejects.toMatchObject({
      failure: 'later',
      reason: '553 5.7.1',
    });
  });

  test('[mail-7] a server that answers too slowly is given up before anything was handed over', async () => {
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

  test('[mail-8] a connection cut behind the content leaves it uncertain; a clear no does not', async () => {
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

  test('[mail-9] nobody at the port, or somebody who cuts at once, is tried later', async () => {
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

  test('[mail-10] what is stopped at the last moment is not taken by the server', async () => {
    await using server = await startMailServer();
    const stopped = new Error('a newer code is on its way');
    await expect(
      channelTo(server.port).deliver(delivery, () => Promise.reject(stopped)),
    ).rejects.toBe(stopped);
    expect(server.mails).toHaveLength(0);
  });
});
