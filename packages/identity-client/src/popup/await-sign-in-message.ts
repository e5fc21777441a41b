import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { IdentityError } from '../core/identity-error.ts';
import { localError } from '../core/report.ts';
import { asRecord, textOf } from '../core/send.ts';
import { signIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';

const SOURCE = 'authing';
/** How often a closed window is looked for. */
const LOOK_MS = 500;
/** A window says who signed in and closes: its message may come after it has gone. */
const LAST_WORDS_MS = 2_000;

export interface ExpectedMessage extends CallOptions {
  readonly eventType: 'socialLogin' | 'enterpriseLogin';
  readonly popup: Window;
  /** A message that names another state is another sign-in's. */
  readonly state?: string | undefined;
}

/**
 * Waits for the window to say who signed in, and makes that person current. Only a message of this very window counts,
 * and only from a page of the provider.
 */
export function awaitSignInMessage(
  client: IdentityClient,
  expected: ExpectedMessage,
): Promise<User> {
  return new Promise((resolve, reject) => {
    const { signal, popup } = expected;
    signal?.throwIfAborted();
    let timer: unknown;
    const finish = (settle: () => void): void => {
      window.removeEventListener('message', hear);
      signal?.removeEventListener('abort', stop);
      client.clock.clearTimeout(timer);
      settle();
    };
    const stop = (): void => finish(() => reject(signal?.reason));
    const hear = (event: MessageEvent): void => {
      if (!isExpected(client, event, expected)) return;
      finish(() => {
        try {
          resolve(signIn(client, readOutcome(event.data)));
        } catch (error) {
          reject(error);
        }
      });
    };
    const look = (): void => {
      const giveUp = (): void => finish(() => reject(popupClosed(client)));
      timer = popup.closed
        ? client.clock.setTimeout(giveUp, LAST_WORDS_MS)
        : client.clock.setTimeout(look, LOOK_MS);
    };
    window.addEventListener('message', hear);
    signal?.addEventListener('abort', stop, { once: true });
    timer = client.clock.setTimeout(look, LOOK_MS);
  });
}

function isExpected(
  client: IdentityClient,
  event: MessageEvent,
  expected: ExpectedMessage,
): boolean {
  const { messageOrigins = [] } = client.options;
  const origins = [new URL(client.baseUrl).origin, ...messageOrigins];
  if (!isFrom(expected.popup, event) || !origins.includes(event.origin)) return false;
  const message = asRecord(event.data);
  const { source, eventType } = asRecord(message['event']);
  const state = message['state'];
  return (
    source === SOURCE &&
    eventType === expected.eventType &&
    (state === undefined || expected.state === undefined || state === expected.state)
  );
}

/** A window that has gone by the time its message comes is named by no browser. */
function isFrom(popup: Window, { source }: MessageEvent): boolean {
  return source === popup || (source === null && popup.closed);
}

/** The account in a message of success; what else it says is thrown. A text of JSON may carry the number. */
function readOutcome(message: unknown): unknown {
  const { code, message: text, data } = asRecord(message);
  const inner = parseRecord(text);
  const number = inner['code'] ?? code;
  if (number === 200) return data;
  throw new IdentityError(textOf(inner['message'] ?? text), {
    code: typeof number === 'number' ? number : 500,
    data,
  });
}

function parseRecord(text: unknown): Readonly<Record<string, unknown>> {
  try {
    return typeof text === 'string' ? asRecord(JSON.parse(text)) : {};
  } catch {
    return {};
  }
}

function popupClosed(client: IdentityClient): IdentityError {
  const sentence = { zh: '登录窗口已关闭', en: 'The sign-in window was closed' };
  return localError(client, 'POPUP_CLOSED', sentence);
}

/** What a caller learns whose window was not allowed to open. */
export function popupBlocked(client: IdentityClient): IdentityError {
  const sentence = { zh: '登录窗口被浏览器拦截', en: 'The browser blocked the sign-in window' };
  return localError(client, 'POPUP_BLOCKED', sentence);
}
