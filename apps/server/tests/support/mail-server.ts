import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real mail server on a free port of this machine that stores accepted messages. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** Recipient and message, in order of arrival. */
  readonly mails: readonly { readonly to: string; readonly mail: string }[];
}

/** @param options those of `smtp-server`; default: accepts everything, without TLS and authentication */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: { to: string; mail: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      void text(stream).then(
        (mail) => {
          mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', mail });
          done();
        },
        // The client disconnected: nothing was accepted.
        () => {},
      );
    },
    closeTimeout: 200,
    ...options,
  });
  // Disconnecting clients are part of the tests.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A reply of a mail server: `smtpAnswer(550, '5.1.1 no such user')`. */
export function smtpAnswer(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}
