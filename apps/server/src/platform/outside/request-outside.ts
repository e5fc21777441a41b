import { lookup } from 'node:dns';
import { request as requestClear } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
import type { InternalHosts } from './internal-hosts.ts';

export interface OutsideRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly body: string;
}

export interface OutsideLimits {
  readonly limitMs?: number;
  /** A longer answer is an error; 0 to leave it unread. */
  readonly bodyBytes?: number;
}

/** Thrown instead of a connection to an address that is not allowed. */
class InternalAddressError extends Error {
  readonly code = 'INTERNAL_ADDRESS';
}

const LIMIT_MS = 15_000;

/** The host of a URL, without the brackets of an IPv6 address. */
export const hostOf = (url: string): string => new URL(url).hostname.replaceAll(/[[\]]/g, '');

/**
 * Sends a request to an address that a user entered, and follows no redirect. The address to which it connects is checked
 * after its name was resolved, so that a name cannot lead elsewhere.
 * @throws InternalAddressError, or the error of the connection with its `code`
 */
export async function requestOutside(
  { method, url, headers, body = '' }: OutsideRequest,
  hosts: InternalHosts,
  { limitMs = LIMIT_MS, bodyBytes = 0 }: OutsideLimits = {},
): Promise<OutsideAnswer> {
  const host = hostOf(url);
  const { protocol } = new URL(url);
  // Addresses are not looked up.
  if (isIP(host) !== 0 && !hosts.allows(host, host)) throw new InternalAddressError(host);
  if (protocol !== 'https:' && !hosts.lists(host)) throw new InternalAddressError(host);
  const start = protocol === 'https:' ? requestSecure : requestClear;
  const bytes = Buffer.from(body);
  return new Promise((resolve, reject) => {
    const request = start(
      url,
      {
        method,
        headers: { ...headers, 'content-length': bytes.length, 'user-agent': 'Device-Portal' },
        lookup: checkedLookup(hosts),
        agent: false,
        signal: AbortSignal.timeout(limitMs),
      },
      (response) => {
        readBody(response, bodyBytes).then(
          (text) => resolve({ status: response.statusCode ?? 0, body: text }),
          reject,
        );
      },
    );
    request.on('error', reject);
    request.end(bytes);
  });
}

/** Thrown instead of reading an answer without end. */
class AnswerTooLongError extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

async function readBody(response: IncomingMessage, most: number): Promise<string> {
  if (most === 0) {
    response.destroy();
    return '';
  }
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > most) throw new AnswerTooLongError(`more than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const checkedLookup =
  (hosts: InternalHosts): LookupFunction =>
  (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) {
        done(error ?? new Error('no address'), '', 4);
      } else if (!addresses.every(({ address }) => hosts.allows(host, address))) {
        done(new InternalAddressError(host), '', 4);
      } else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
