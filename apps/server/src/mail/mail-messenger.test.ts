import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, test } from 'vitest';
import { createMailMessenger } from './mail-messenger.ts';

const message = {
  to: 'ada@example.com',
  subject: 'Your sign-in code',
  text: 'Your code is 123456.',
  code: '123456',
} as const;

test('[mail-1] a code reaches the mail server with sender, recipient and text', async () => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      void text(stream).then((mail) => {
        received.push(`${session.envelope.rcptTo[0]?.address}\n${mail}`);
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const messenger = createMailMessenger({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Device Portal <portal@example.com>',
  });
  await messenger.send({ ...message, channel: 'email' });
  expect(received[0]).toMatch(/^ada@example\.com\n/);
  expect(received[0]).toContain('Your code is 123456.');
  expect(received[0]).toContain('portal@example.com');
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

test('[mail-2] a code by text message is refused, not lost without a word', async () => {
  const messenger = createMailMessenger({ url: 'smtp://127.0.0.1:1', from: 'a@example.com' });
  await expect(messenger.send({ ...message, channel: 'sms' })).rejects.toThrow(/text messages/);
});
