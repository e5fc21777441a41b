import type { Messenger } from '@deviceportal/identity-service/messenger';
import { createTransport } from 'nodemailer';

const TIMEOUT_MS = 10_000;

/** Sends codes by a mail server. Text messages to phones need a gateway of their own and are refused. */
export function createMailMessenger(options: {
  /** `smtps://user:password@host:465` */
  readonly url: string;
  readonly from: string;
}): Messenger {
  const transport = createTransport(options.url, {
    from: options.from,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as Parameters<typeof createTransport>[1]);
  return {
    async send({ to, channel, subject, text }) {
      if (channel !== 'email') throw new Error('no gateway for text messages is configured');
      await transport.sendMail({ to, subject, text });
    },
  };
}
