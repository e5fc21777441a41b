import { Readable } from 'node:stream';
import type { ConnectionOptions } from 'node:tls';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { composeMail } from './compose-mail.ts';
import { DeliveryError, type DeliveryChannel } from './delivery-channel.ts';

export interface SmtpChannelOptions {
  /** `smtps://user:password@host:465`, or `smtp://…:587` with STARTTLS. */
  readonly url: string;
  readonly from: string;
  /** Whether a server without STARTTLS may be used unencrypted. Never with `smtps:`. */
  readonly allowClear: boolean;
  /** Timeout of each step of the conversation. Default 10 s. */
  readonly stepLimitMs?: number;
  /** Timeout of the whole conversation. Default 20 s. */
  readonly limitMs?: number;
  readonly tls?: ConnectionOptions;
}

/**
 * Emails by a mail server. Implements the SMTP conversation step by step instead of using a transport, to know the
 * point from which a message may have been accepted.
 */
export function createSmtpChannel(options: SmtpChannelOptions): DeliveryChannel {
  return {
    async deliver(delivery, handOver) {
      const mail = composeMail(delivery, options.from);
      const bytes = await mail.build();
      const state = { handedOver: false, stopped: undefined as Error | undefined };
      async function* content(): AsyncGenerator<Buffer> {
        try {
          await handOver();
        } catch (error) {
          state.stopped = error instanceof Error ? error : new Error(String(error));
          throw error;
        }
        state.handedOver = true;
        yield bytes;
      }
      try {
        // The connection sends the content only after the server has requested it (354).
        await converse(options, async (connection) => {
          await step((done) =>
            connection.send(mail.getEnvelope(), Readable.from(content()), (error) => done(error)),
          );
        });
      } catch (error) {
        throw state.stopped ?? deliveryError(error, state.handedOver);
      }
    },
  };
}

async function converse(
  options: SmtpChannelOptions,
  work: (connection: SMTPConnection) => Promise<void>,
): Promise<void> {
  const { stepLimitMs = 10_000, limitMs = 20_000, allowClear, tls } = options;
  const { credentials, ...server } = serverOf(options.url);
  const connection = new SMTPConnection({
    ...server,
    requireTLS: !server.secure && !allowClear,
    connectionTimeout: stepLimitMs,
    greetingTimeout: stepLimitMs,
    socketTimeout: stepLimitMs,
    ...(tls && { tls }),
  });
  const { promise: broken, reject } = Promise.withResolvers<never>();
  broken.catch(() => {});
  connection.on('error', reject);
  const tooLong = setTimeout(
    () => reject(Object.assign(new Error('too long'), { code: 'ETIMEDOUT' })),
    limitMs,
  );
  try {
    const conversation = (async () => {
      await step((done) => connection.connect(done));
      if (credentials) await step((done) => connection.login({ credentials }, done));
      await work(connection);
    })();
    conversation.catch(() => {});
    await Promise.race([conversation, broken]);
    connection.quit();
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(tooLong);
  }
}

function step(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

function serverOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    credentials:
      username === ''
        ? undefined
        : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
  };
}

interface SmtpFailure {
  readonly code?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * RFC 5321, section 4.2.1: 4xx may be retried, 5xx may not. Only a reply to the recipient or content concerns the
 * recipient.
 */
function deliveryError(error: unknown, handedOver: boolean): DeliveryError {
  const { code = 'unknown', command, response = '', responseCode } = error as SmtpFailure;
  // A connection close (421) after the content is no reply to it.
  const isGoodbye = handedOver && (code === 'ECONNECTION' || responseCode === 421);
  if (responseCode === undefined || responseCode < 400 || isGoodbye) {
    return new DeliveryError(handedOver ? 'uncertain' : 'later', code);
  }
  const enhanced = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(response)?.[0];
  const reason = [responseCode, enhanced].filter(Boolean).join(' ');
  const isAboutReader = command === 'RCPT TO' || handedOver;
  return new DeliveryError(isAboutReader && responseCode >= 500 ? 'refused' : 'later', reason);
}
