import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { IdentityError } from '../core/identity-error.ts';
import { localError } from '../core/report.ts';
import { asRecord, textOf } from '../core/send.ts';
import { signIn } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';

const SOURCE = 'authing';
/** Interval of the check whether the window was closed. */
const LOOK_MS = 500;
/** A window posts its message and closes, so the message can arrive after the window is closed. */
const LAST_WORDS_MS = 2_000;

export interface ExpectedMessage extends CallOptions {
  readonly eventType: 'socialLogin' | 'enterpriseLogin';
  readonly popup: Window;
  /** Messages with another state belong to another sign-in and are ignored. */
  readonly state?: string | undefined;
}

/**
 * Waits for the window's message and sets the current user. Only messages of this window and of an
 * allowed origin are accepted.
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

/** Browsers report no source for a message of a window that has already closed. */
function isFrom(popup: Window, { source }: MessageEvent): boolean {
  return source === popup || (source === null && popup.closed);
}

/**
 * Returns the account of a successful message and throws an error for any other. The number can be
 * in a JSON text.
 */
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

/** The error when the browser blocks the window. */
export function popupBlocked(client: IdentityClient): IdentityError {
  const sentence = { zh: '登录窗口被浏览器拦截', en: 'The browser blocked the sign-in window' };
  return localError(client, 'POPUP_BLOCKED', sentence);
}
