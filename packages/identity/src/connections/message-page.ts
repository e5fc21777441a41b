import type { FastifyReply } from 'fastify';
import { randomSecret } from '../secrets/secret-hash.ts';
import type { Envelope } from '../provider/wire/envelope.ts';
import type { WireLanguage } from '../provider/wire/provider-error.ts';

/** Message to the page that opened the window (identity-sdk.md, section 12). */
export interface SignInMessage extends Envelope {
  readonly event: {
    readonly source: 'authing';
    readonly eventType: 'socialLogin' | 'enterpriseLogin';
  };
  readonly state?: string;
}

/** Browsers name the window of a message by its arrival: so it is still there. */
const CLOSES_AFTER_MS = 250;

const words = {
  'zh-CN': { done: '登录完成，可以关闭此窗口。', failed: '登录未完成：', back: '返回应用' },
  'en-US': {
    done: 'You are signed in. You can close this window.',
    failed: 'Sign-in failed: ',
    back: 'Back to the application',
  },
} as const;

/**
 * The window's last page: posts the result to its opener, whose origin must match exactly, and
 * closes itself. Without an opener, the page shows the result.
 */
export async function sendMessagePage(
  reply: FastifyReply,
  options: {
    readonly message: SignInMessage;
    readonly origins: readonly string[];
    readonly language: WireLanguage;
    /** The page that the person left: for who has no opener, such as an in-app browser. */
    readonly returnUrl?: string | undefined;
  },
): Promise<FastifyReply> {
  const { message, origins, language, returnUrl } = options;
  const nonce = randomSecret(16);
  const { back, done, failed } = words[language];
  const link =
    returnUrl === undefined ? '' : `<p><a href="${escape(returnUrl)}">${escape(back)}</a></p>`;
  const text = message.code === 200 ? done : `${failed}${message.message}`;
  return prepareWindow(reply)
    .type('text/html; charset=utf-8')
    .header(
      'content-security-policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    )
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(text)}</title></head><body><p role="status">${escape(text)}</p>${link}<script nonce="${nonce}">${script(message, origins)}</script></body></html>`,
    );
}

/** Allows openers on other sites to see this window, and sends no referrer. */
export function prepareWindow(reply: FastifyReply): FastifyReply {
  return reply
    .header('cross-origin-opener-policy', 'unsafe-none')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store');
}

function script(message: SignInMessage, origins: readonly string[]): string {
  const json = (value: unknown): string =>
    JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, unicodeOf);
  return `if(window.opener){for(const origin of ${json(origins)})window.opener.postMessage(${json(message)},origin);setTimeout(()=>window.close(),${CLOSES_AFTER_MS})}`;
}

const unicodeOf = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
