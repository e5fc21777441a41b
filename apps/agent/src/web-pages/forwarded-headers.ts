/** Headers on their way between a browser and the local web server of the device. */

type Pair = [name: string, value: string];

/** Apply to one connection only: RFC 9110, section 7.6.1. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Set by the agent itself. */
const OWN: ReadonlySet<string> = new Set(['host', 'content-length', 'expect']);

/** Headers of a request to the local server, which sees itself as the host. */
export function requestHeadersOf(
  headers: readonly (readonly [name: string, value: string])[],
  { port, bodyBytes, method }: { port: number; bodyBytes: number; method: string },
): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = { host: `127.0.0.1:${port}` };
  for (const [name, value] of withoutHopByHop(headers)) {
    const key = name.toLowerCase();
    if (OWN.has(key)) continue;
    const before = sent[key];
    sent[key] = before === undefined ? value : [before, value].flat();
  }
  const hasBody = bodyBytes > 0 || ['POST', 'PUT', 'PATCH'].includes(method);
  if (hasBody) sent['content-length'] = String(bodyBytes);
  return sent;
}

/** Headers of a response, from the raw list of Node.js. */
export function responseHeadersOf(raw: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] ?? '', raw[at + 1] ?? '']);
  return withoutHopByHop(pairs);
}

/** Also without the headers that `Connection` names. */
function withoutHopByHop(headers: readonly (readonly [string, string])[]): Pair[] {
  const named = new Set(
    headers
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((each) => each.trim().toLowerCase())),
  );
  return headers
    .filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
    .map(([name, value]): Pair => [name, value]);
}
