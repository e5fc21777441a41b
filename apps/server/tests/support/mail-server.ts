import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A real mail server on a free port of this machine that keeps what it takes. */
export interface MailServer extends AsyncDisposable {
  readonly port: number;
  /** Recipient and mail, in the order of their coming. */
  readonly mails: readonly { readonly to: string; readonly mail: string }[];
}

/** @param options as of `smtp-server`; without any it takes everything, without TLS and log-in */
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
        // The client broke off: nothing was taken.
        () => {},
      );
    },
    closeTimeout: 200,
    ...options,
  });
  // Clients that break off are what is tested.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** An answer of a mail server: `smtpAnswer(550, '5.1.1 no such user')`. */
export function smtpAnswer(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}
