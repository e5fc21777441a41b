import type { WebResponseHead } from '@deviceportal/device-protocol/web-frames';
import { hostOnlyCookie } from './page-cookie.ts';

/**
 * For one connection; about other hosts of the site, or about more than this session; or set here. Pages of
 * other origins never read a response, whatever the device allows.
 */
const NOT_PASSED =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-length|set-cookie|location|content-location|clear-site-data|strict-transport-security|public-key-pins.*|alt-svc|expect-ct|nel|report-to|reporting-endpoints|service-worker-allowed|access-control-.*|referrer-policy|x-robots-tag|cross-origin-opener-policy|cross-origin-resource-policy|origin-agent-cluster)$/;

/** Headers of every response under the origin of a session. */
export const pageHeaders = {
  // The page of the device learns its own addresses, no other origin learns any.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
} as const;

export interface PassedHead {
  readonly status: number;
  /** Name and value, one after the other. */
  readonly headers: string[];
  /** The size that the device has announced; undefined if it has not. */
  readonly bodyBytes: number | undefined;
}

export function responseHeadOf(
  { status, headers }: WebResponseHead,
  { origin, port }: { readonly origin: string; readonly port: number },
): PassedHead {
  const passed: string[] = Object.entries(pageHeaders).flat();
  // In addition to the policy of the device: no other origin shows the page in a frame.
  passed.push('content-security-policy', "frame-ancestors 'self'");
  const lengths = new Set<string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (key === 'content-length') lengths.add(value.trim());
    else if (key === 'set-cookie') {
      const cookie = hostOnlyCookie(value);
      if (cookie !== undefined) passed.push(key, cookie);
    } else if (key === 'location' || key === 'content-location')
      passed.push(key, ownAddress(value, origin, port));
    else if (!NOT_PASSED.test(key)) passed.push(key, value);
  }
  const [length] = lengths;
  const isLength = lengths.size === 1 && /^\d{1,15}$/.test(length ?? '');
  return { status, headers: passed, bodyBytes: isLength ? Number(length) : undefined };
}

/** An absolute address of the local web server, under the origin of the session. */
function ownAddress(value: string, origin: string, port: number): string {
  const url = URL.parse(value);
  const isLocal =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname) &&
    (url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)) === port;
  return isLocal ? `${origin}${url.pathname}${url.search}${url.hash}` : value;
}
