/** Fields of an event whose values come from a closed set or are measurements, by event type. */
const structured: readonly (readonly [type: RegExp, keys: ReadonlySet<string>])[] = [
  [/^device\.(?:connected|disconnected)$/, new Set(['connectivity', 'reason'])],
  [
    /^device\.(?:software|packages)-changed$/,
    new Set(['changes', 'component', 'version', 'previous', 'before', 'after']),
  ],
  [
    /^command\./,
    new Set([
      'command',
      'document',
      'documentVersion',
      'version',
      'state',
      'statusDetails',
      'exitCode',
    ]),
  ],
  [
    /^finding$/,
    new Set([
      ...[
        'command',
        'component',
        'version',
        'approved',
        'percent',
        'count',
        'days',
        'seconds',
        'bytes',
      ],
      ...['country', 'endsAt', 'exitCode', 'fact', 'source', 'statusDetails', 'service', 'reason'],
    ]),
  ],
];
/** Ids and counters of the portal, in events of any type. */
const bookkeeping: ReadonlySet<string> = new Set([
  ...['seq', 'instanceId', 'deviceTime', 'occurredAt', 'runId', 'invocationId', 'personId'],
  ...['caseId', 'connectionId', 'claimId', 'reportId', 'shareId', 'count', 'attempt'],
]);
/** An identifier, a version, or a state, but not a sentence. */
const WORD = /^[A-Za-z\d][\w.:+/-]{0,63}$/;
const DEEPEST = 6;

type Data = Readonly<Record<string, unknown>>;

/** The part of an event's data that may be shown without review. */
export function structuredData(type: string, data: Data): Record<string, unknown> {
  const keys = keysOf(type);
  return Object.fromEntries(
    Object.entries(data).filter(([key, value]) => isStructured(key, value, keys)),
  );
}

/** The remaining data as text, one field per line; empty if there is none. */
export function freeData(type: string, data: Data): string {
  const keys = keysOf(type);
  return Object.entries(data)
    .filter(([key, value]) => !isStructured(key, value, keys) && isWorthReading(value))
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

function keysOf(type: string): ReadonlySet<string> {
  return structured.find(([pattern]) => pattern.test(type))?.[1] ?? new Set();
}

function isStructured(key: string, value: unknown, keys: ReadonlySet<string>, depth = 0): boolean {
  if (!keys.has(key) && !bookkeeping.has(key)) return false;
  if (typeof value === 'string') return WORD.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > DEEPEST) return false;
  const inner: [string, unknown][] = Array.isArray(value)
    ? value.map((one: unknown) => [key, one])
    : Object.entries(value);
  return inner.every(([name, one]) => isStructured(name, one, keys, depth + 1));
}

const isWorthReading = (value: unknown): boolean =>
  value !== null && value !== '' && typeof value !== 'boolean';
