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

/** A response that arrived before the timeout, of any status. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  /** The body as JSON, or as text if it is not JSON. */
  readonly body: unknown;
}

/**
 * Sends a request with the application's headers. Without a response, the error has the code 500.
 */
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
        en: `No response within ${timeout} ms`,
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

/** The error for an unsuccessful HTTP status. Its code is the status. */
export function statusError(client: IdentityClient, { status, body }: Answer): IdentityError {
  const { code, message, data } = asRecord(body);
  const text = typeof message === 'string' && message !== '' ? message : `HTTP ${status}`;
  return report(
    client,
    new IdentityError(text, { code: status, data, apiCode: code, source: 'http' }),
  );
}

/**
 * Returns a text unchanged and an empty text for anything else. Converting a hostile object to a
 * text could throw.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The fields of an object. Any other value has no fields. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
