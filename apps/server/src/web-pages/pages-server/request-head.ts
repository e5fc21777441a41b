import type { IncomingMessage } from 'node:http';
import { WEB_PAGE_REQUEST_BYTES } from '@deviceportal/contract/web-pages';
import {
  WEB_HEAD_LIMIT_BYTES,
  webRequestHeadSchema,
  type WebRequestHead,
} from '@deviceportal/device-protocol/web-frames';
import type { PageMessage } from './message-page.ts';
import { withoutOwnCookie } from './page-cookie.ts';

/** For one connection, of proxies in front of this server, or set again on the device. */
const NOT_FORWARDED =
  /^(host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|content-length|expect|forwarded|via|x-forwarded-.*|x-real-ip|x-amzn-.*|x-amz-cf-.*|traceparent|tracestate|origin|referer|cookie|service-worker)$/;

interface Page {
  readonly origin: string;
  readonly port: number;
}

/** What is wrong with a request before its session is known; undefined if nothing is. */
export function faultOfRequest(
  request: IncomingMessage,
  origin: string,
): { readonly status: number; readonly message: PageMessage } | undefined {
  const { headers, url = '' } = request;
  if (!url.startsWith('/')) return { status: 400, message: 'not-forwarded' };
  if (!isOfOrigin(headers, origin)) return { status: 403, message: 'foreign' };
  // A page of a device needs no worker that remains in the browser.
  if (headers['service-worker'] !== undefined) return { status: 403, message: 'not-forwarded' };
  if (headers['transfer-encoding'] !== undefined) return { status: 411, message: 'not-forwarded' };
  return bodyBytesOf(request) > WEB_PAGE_REQUEST_BYTES
    ? { status: 413, message: 'too-large' }
    : undefined;
}

/** Sent by the user, or by a page of the same origin: no page of another device, and none of the portal. */
function isOfOrigin(headers: IncomingMessage['headers'], origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === origin;
}

/** Undefined for a request that cannot be forwarded. */
export function requestHeadOf(
  request: IncomingMessage,
  { origin, port }: Page,
): WebRequestHead | undefined {
  const { rawHeaders, headers, method, url } = request;
  const sent: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!NOT_FORWARDED.test(name)) sent.push([name, rawHeaders[at + 1] ?? '']);
  }
  const own = `http://127.0.0.1:${port}`;
  if (headers.origin !== undefined) sent.push(['origin', own]);
  const { referer } = headers;
  if (referer?.startsWith(`${origin}/`)) sent.push(['referer', own + referer.slice(origin.length)]);
  const cookie = withoutOwnCookie(headers.cookie ?? '');
  if (cookie !== '') sent.push(['cookie', cookie]);
  const head = { method, target: url, headers: sent, bodyBytes: bodyBytesOf(request) };
  const parsed = webRequestHeadSchema.safeParse(head);
  const isSmall = Buffer.byteLength(JSON.stringify(head)) <= WEB_HEAD_LIMIT_BYTES;
  return parsed.success && isSmall ? parsed.data : undefined;
}

/** Node.js has rejected a length that is no number, or is given twice. */
const bodyBytesOf = ({ headers }: IncomingMessage): number =>
  Number(headers['content-length'] ?? 0);
