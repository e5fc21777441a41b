import { isDeepStrictEqual } from 'node:util';
import selections from '../vectors/identity-sdk-graphql-selections.json' with { type: 'json' };
import { hideRandom, revive } from './placeholders.ts';
import { describeError, isStoppable, type Outcome } from './run-node-case.ts';
import type { Json, RecordedRequest, VectorCase } from './vector-case.ts';

/** Aspects in which a case can differ. */
export type Aspect =
  | 'argsAfter'
  | 'callbacks'
  | 'onErrorCalls'
  | 'options'
  | 'requests'
  | 'result'
  | 'selection'
  | 'state'
  | 'thrown';

export interface Mismatch {
  readonly aspect: Aspect;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Lists all differences between the client and the recording. */
export function compareCase(entry: VectorCase, outcome: Outcome): readonly Mismatch[] {
  const expectedRequests = requestsOf(entry);
  const pairs: readonly (readonly [Aspect, unknown, unknown])[] = [
    ['requests', expectedRequests, comparable(outcome.requests, expectedRequests, entry)],
    ['selection', wantedSelections(expectedRequests), givenSelections(outcome.requests)],
    ['result', recorded(entry.result), plain(entry.result, outcome.result)],
    ['thrown', thrownOf(entry), outcome.thrown && describeThrown(entry, outcome.thrown)],
    ...(entry.state ? ([['state', recorded(entry.state), outcome.state]] as const) : []),
    ...(entry.callbacks ? ([callbacksOf(entry, outcome)] as const) : []),
    ...(entry.onErrorCalls
      ? ([['onErrorCalls', entry.onErrorCalls, outcome.onErrorCalls]] as const)
      : []),
    ...(entry.argsAfter ? ([['argsAfter', entry.argsAfter, outcome.argsAfter]] as const) : []),
    ...(entry.effectiveOptions ? ([optionsOf(entry, outcome)] as const) : []),
  ];
  return pairs.flatMap(([aspect, expected, actual]) =>
    isDeepStrictEqual(expected, actual) ? [] : [{ aspect, expected, actual }],
  );
}

function requestsOf(entry: VectorCase): readonly unknown[] {
  const found =
    entry.exchanges?.map(({ request }) => request) ??
    (entry.expectedRequest ? [entry.expectedRequest] : []);
  return found.map((request) => recorded(asExpected(request)));
}

/**
 * Removes duplicate information: the raw text of a query or body, and the reference to a selection.
 */
function asExpected(request: RecordedRequest): Json {
  const { method, path, query, headers, bodyKind, body } = request;
  const meaning = isRecord(body)
    ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'selectionRef'))
    : body;
  const reference = isRecord(body) ? (body['selectionRef'] ?? null) : null;
  return { method, path, query, headers, bodyKind, body: meaning, reference } as Json;
}

function comparable(
  ours: readonly RecordedRequest[],
  expected: readonly unknown[],
  entry: VectorCase,
): readonly unknown[] {
  // Only the first request of a poll was recorded for some cases.
  const isPoll = entry.method === 'startPolling';
  return (isPoll ? ours.slice(0, expected.length) : ours).map((request, index) => {
    const { method, path, query, headers, bodyKind, body } = request;
    const wanted = expected[index] as { readonly reference?: Json } | undefined;
    const whole = { method, path, query, headers, bodyKind, body };
    return hideRandom({ ...whole, reference: wanted?.reference ?? null }, wanted);
  });
}

/** `password` is a field that the original package selects and the specification does not have. */
function wantedSelections(expected: readonly unknown[]): readonly unknown[] {
  return expected.map((request) => {
    const reference = (request as { readonly reference?: string | null }).reference;
    if (!reference) return null;
    const found = (selections as unknown as Record<string, { readonly selection: Json }>)[
      reference
    ];
    return sorted(found?.selection ?? null);
  });
}

function givenSelections(requests: readonly RecordedRequest[]): readonly unknown[] {
  return requests.map((request) => {
    const { selection } = request as { readonly selection?: Json };
    return selection === undefined ? null : sorted(selection);
  });
}

function sorted(selection: Json): Json {
  if (!Array.isArray(selection)) return selection;
  const items = selection.map((item: Json): Json => {
    if (!isRecord(item)) return item;
    return { ...item, selection: sorted(item['selection'] ?? null) };
  });
  const unique = new Map(items.map((item) => [JSON.stringify(item), item]));
  unique.delete('"password"');
  return [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, item]) => item);
}

function thrownOf({ thrown }: VectorCase): unknown {
  if (thrown === undefined) return undefined;
  const { type, value, message, code } = thrown;
  if (type === 'Error') return { message };
  if (type === undefined) return { code, message, data: thrown['data'] };
  return isRecord(value)
    ? { code: value['code'], message: value['message'], data: value['data'] }
    : { value };
}

function describeThrown(entry: VectorCase, error: unknown): unknown {
  const found = describeError(error);
  return entry.thrown?.['type'] === 'Error' ? { message: found['message'] } : found;
}

function callbacksOf(entry: VectorCase, outcome: Outcome): readonly [Aspect, unknown, unknown] {
  const ours = outcome.callbacks.map(({ name, args }) => ({
    name,
    args: args.map((arg) => (isStoppable(arg) ? { $timer: true } : arg)),
  }));
  const expected = (entry.callbacks ?? []).map(({ name, args }) => ({
    name,
    args: (recorded(args) as readonly unknown[]).map((arg) =>
      arg === '<timer>' ? { $timer: true } : arg,
    ),
  }));
  return ['callbacks', expected, ours];
}

function optionsOf(entry: VectorCase, outcome: Outcome): readonly [Aspect, unknown, unknown] {
  const expected = recorded(entry.effectiveOptions) as Record<string, unknown>;
  const ours = outcome.options as Record<string, unknown>;
  const names = Object.keys(expected).filter((name) => typeof expected[name] !== 'function');
  const pick = (from: Record<string, unknown>): unknown =>
    Object.fromEntries(names.map((name) => [name, from[name]]));
  return ['options', pick(expected), pick(ours)];
}

function recorded(value: Json | undefined): unknown {
  return revive(value, (name) => () => name);
}

function plain(expected: Json | undefined, actual: unknown): unknown {
  if (isStoppable(actual)) return { $timer: true };
  return hideRandom(actual, recorded(expected));
}

function isRecord(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
