import { IdentityError } from './identity-error.ts';
import type { IdentityClient } from './identity-client.ts';
import { say } from './language.ts';
import { report } from './report.ts';
import { requestHeaders } from './request-headers.ts';

export interface Sending {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: BodyInit;
  readonly signal?: AbortSignal | undefined;
}

/** An answer that arrived in time, whatever it says. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  /** The body as JSON, or as text when it is none. */
  readonly body: unknown;
}

/** One request with the headers of the application. No answer is code 500. */
export async function send(client: IdentityClient, sending: Sending): Promise<Answer> {
  const { signal, method, url, body } = sending;
  signal?.throwIfAborted();
  const stopper = new AbortController();
  const stop = (): void => stopper.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  const timer = client.clock.setTimeout(() => stopper.abort('timeout'), client.options.timeout);
  try {
    const response = await client.fetch(url, {
      method,
      credentials: 'include',
      headers: { ...requestHeaders(client.options), ...sending.headers },
      signal: stopper.signal,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return { ok: response.ok, status: response.status, body: parseBody(text) };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw report(client, noAnswer(client, stopper.signal.aborted, cause));
  } finally {
    client.clock.clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function noAnswer(client: IdentityClient, timedOut: boolean, cause: unknown): IdentityError {
  const { lang, timeout } = client.options;
  const message = timedOut
    ? say(lang, {
        zh: `请求超过 ${timeout} 毫秒未得到响应`,
        en: `No answer within ${timeout} ms`,
      })
    : say(lang, { zh: '网络请求失败', en: 'The request failed: no connection' });
  return new IdentityError(message, { code: 500, cause, source: 'network' });
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The error of an answer with an HTTP status that is none of success: its number is the status. */
export function statusError(client: IdentityClient, { status, body }: Answer): IdentityError {
  const { code, message, data } = asRecord(body);
  const text = typeof message === 'string' && message !== '' ? message : `HTTP ${status}`;
  return report(
    client,
    new IdentityError(text, { code: status, data, apiCode: code, source: 'http' }),
  );
}

/** A text as it is; nothing of anything else: a hostile object could make even its own text throw. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The fields of an object; none of anything else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
