import { deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { oddValue, withOddity } from '../odd-values.ts';
import type { Exchange } from './exchange.ts';
import { mutateBytes, mutateText, oddText } from './mutate-text.ts';

type Mutation = (exchange: Exchange) => fc.Arbitrary<Exchange>;

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'PROPFIND'] as const;
const contentTypes = [
  ...['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'text/xml', 'x', ''],
  ...['application/json; charset=utf-16', 'multipart/form-data', 'multipart/form-data; boundary=a'],
  ...['application/x-amz-json-1.1', 'application/octet-stream', 'application/graphql'],
];
const oddHeaders: readonly (readonly [string, string])[] = [
  ...['gzip', 'deflate', 'br', 'identity, gzip'].map(
    (value) => ['content-encoding', value] as const,
  ),
  ...['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-1,2-3'].map(
    (value) => ['range', value] as const,
  ),
  ...['*', 'null', 'http://evil.example', 'x'].map((value) => ['origin', value] as const),
  ...['', 'q', 'zh;q=9', '*;q=0', 'a'.repeat(4_000)].map(
    (value) => ['accept-language', value] as const,
  ),
  ...['', '%', 'a=b; a=c', '=; =', 'a'.repeat(4_000)].map((value) => ['cookie', value] as const),
  ...[
    '',
    'x',
    'Basic',
    'Basic !!',
    'Basic Og==',
    'Bearer',
    'Bearer a.b.c',
    'Bearer '.repeat(50),
  ].map((value) => ['authorization', value] as const),
  ...['127.0.0.1', '::', 'x', '1.2.3.4, 5.6.7.8'].map(
    (value) => ['x-forwarded-for', value] as const,
  ),
  ...['*', '"x"', 'W/"x"'].map((value) => ['if-none-match', value] as const),
];

/** A request with one to three mutations. */
export const mutatedExchange = (exchange: Exchange): fc.Arbitrary<Exchange> =>
  fc
    .integer({ min: 1, max: 3 })
    .chain((times) =>
      Array.from({ length: times }).reduce<fc.Arbitrary<Exchange>>(
        (before) => before.chain(mutateOnce),
        fc.constant(exchange),
      ),
    );

const mutateOnce = (exchange: Exchange): fc.Arbitrary<Exchange> =>
  fc.oneof(
    { weight: 5, arbitrary: mutateBody(exchange) },
    { weight: 3, arbitrary: mutateQuery(exchange) },
    { weight: 2, arbitrary: mutatePath(exchange) },
    { weight: 2, arbitrary: mutateHeader(exchange) },
    { weight: 1, arbitrary: addHeader(exchange) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...methods).map((method) => ({ ...exchange, method })),
    },
  );

const mutateQuery: Mutation = (exchange) => {
  const [place = '', query = ''] = split(exchange.path);
  return mutateForm(query).map((changed) => ({ ...exchange, path: `${place}?${changed}` }));
};

const mutatePath: Mutation = (exchange) => {
  const [place = '', query] = split(exchange.path);
  const parts = place.split('/');
  return fc
    .record({ at: fc.nat({ max: parts.length - 1 }), part: mutateText(parts.at(-1) ?? '') })
    .map(({ at, part }) => {
      const changed = parts.with(at, encodeURIComponent(part.toWellFormed()).slice(0, 4_000));
      const path = changed.join('/').replace(/^\/*/, '/');
      return { ...exchange, path: query === undefined ? path : `${path}?${query}` };
    });
};

const mutateHeader: Mutation = (exchange) => {
  const names = Object.keys(exchange.headers);
  if (names.length === 0) return fc.constant(exchange);
  return fc.constantFrom(...names).chain((name) => {
    const { [name]: value = '', ...others } = exchange.headers;
    return fc.oneof(
      { weight: 1, arbitrary: fc.constant({ ...exchange, headers: others }) },
      {
        weight: 4,
        arbitrary: mutateToken(value).map((changed) => withHeader(exchange, name, changed)),
      },
    );
  });
};

const addHeader: Mutation = (exchange) =>
  fc
    .constantFrom(...oddHeaders, ...contentTypes.map((value) => ['content-type', value] as const))
    .map(([name, value]) => withHeader(exchange, name, value));

const mutateBody: Mutation = (exchange) => {
  const { body } = exchange;
  const text = body.toString('utf8');
  const type = exchange.headers['content-type'] ?? '';
  const bytes = mutateBytes(body);
  const structured = type.includes('json')
    ? mutateJson(text)
    : type.includes('urlencoded')
      ? mutateForm(text).map((changed) => Buffer.from(changed))
      : bytes;
  return fc
    .oneof({ weight: 5, arbitrary: structured }, { weight: 1, arbitrary: bytes })
    .map((changed) => ({ ...exchange, body: changed }));
};

function mutateJson(text: string): fc.Arbitrary<Buffer> {
  try {
    return withOddity(JSON.parse(text), oddValue).map((value) =>
      Buffer.from(JSON.stringify(value) ?? ''),
    );
  } catch {
    return mutateText(text).map((changed) => Buffer.from(changed));
  }
}

/** Parameters of a query or form: one of them changed, duplicated, removed, or added. */
function mutateForm(text: string): fc.Arbitrary<string> {
  const pairs = [...new URLSearchParams(text)];
  return fc
    .record({
      at: fc.nat({ max: Math.max(0, pairs.length - 1) }),
      act: fc.constantFrom('change', 'change', 'change', 'double', 'remove', 'add', 'nest'),
      odd: oddText,
    })
    .chain(({ at, act, odd }) => {
      const [name = odd, value = ''] = pairs[at] ?? [];
      const others = pairs.toSpliced(at, 1);
      const changed = act === 'change' ? mutateValue(value) : fc.constant(odd);
      return changed.map((other) => {
        const own: Record<typeof act, (readonly [string, string])[]> = {
          change: [[name, other]],
          double: [
            [name, value],
            [name, other],
          ],
          remove: [],
          add: [
            [name, value],
            [odd, other],
          ],
          nest: [[`${name}[a][]`, value]],
        };
        return encodeForm([...others, ...own[act]]);
      });
    });
}

const encodeForm = (pairs: readonly (readonly [string, string])[]): string =>
  new URLSearchParams(
    pairs.map(([name, value]): [string, string] => [name.toWellFormed(), value.toWellFormed()]),
  )
    .toString()
    .slice(0, 60_000);

/** Mutates the value of a parameter by its content: JSON, a token, a compressed XML message, or text. */
function mutateValue(value: string): fc.Arbitrary<string> {
  if (/^[[{]/.test(value)) return mutateJson(value).map((changed) => changed.toString('utf8'));
  const xml = unpackXml(value);
  if (xml !== undefined)
    return mutateXml(xml.text).map((changed) =>
      (xml.packed ? deflateRawSync(changed) : Buffer.from(changed)).toString('base64'),
    );
  return mutateToken(value);
}

function unpackXml(value: string): { text: string; packed: boolean } | undefined {
  const bytes = Buffer.from(value, 'base64');
  if (bytes.subarray(0, 1).toString() === '<') return { text: bytes.toString(), packed: false };
  try {
    const text = inflateRawSync(bytes, { maxOutputLength: 1_000_000 }).toString();
    return text.startsWith('<') ? { text, packed: true } : undefined;
  } catch {
    return undefined;
  }
}

const ENTITIES =
  '<!DOCTYPE x [<!ENTITY a "a"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>';
function mutateXml(xml: string): fc.Arbitrary<string> {
  const [element = '<a/>'] = /<[\w:]+[^>]*>/.exec(xml) ?? [];
  return fc.oneof(
    mutateText(xml),
    fc.constantFrom(
      ENTITIES + xml.replace('>', '>&b;&c;'),
      `<?xml version="1.0" encoding="utf-16"?>${xml}`,
      xml.replace('>', `>${'<a>'.repeat(5_000)}`),
      xml.replace('>', `>${xml}`),
      xml.replace('>', `>${element}`),
      xml.replaceAll(/="[^"]*"/g, '="&#0;"'),
      xml.replaceAll(/ID="[^"]*"/g, 'ID="x" ID="x"'),
      xml.replaceAll(/xmlns:\w+="[^"]*"/g, ''),
      `<![CDATA[${xml}]]>`,
      `<!--${xml}`,
    ),
  );
}

/** Changes the content of a signed token, but not its signature. */
function mutateToken(value: string): fc.Arbitrary<string> {
  const [head = '', payload = '', ...rest] = value.split('.');
  const scheme = /^\w+ /.exec(head)?.[0] ?? '';
  if (rest.length !== 1) return mutateText(value);
  const change = (part: string) =>
    mutateJson(Buffer.from(part, 'base64url').toString()).map((bytes) =>
      bytes.toString('base64url'),
    );
  return fc.oneof(
    mutateText(value),
    change(payload).map((changed) => [head, changed, ...rest].join('.')),
    change(head.slice(scheme.length)).map((changed) =>
      [`${scheme}${changed}`, payload, ...rest].join('.'),
    ),
  );
}

const split = (path: string): readonly [string, string?] => {
  const at = path.indexOf('?');
  return at < 0 ? [path] : [path.slice(0, at), path.slice(at + 1)];
};

/** Without bytes that no header can contain: the client would reject them. */
const withHeader = (exchange: Exchange, name: string, value: string): Exchange => ({
  ...exchange,
  headers: {
    ...exchange.headers,
    [name]: value.replaceAll(/[^\t -~\u0080-\u00FF]/g, '').slice(0, 6_000),
  },
});
