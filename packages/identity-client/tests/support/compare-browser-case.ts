import { isDeepStrictEqual } from 'node:util';
import { hideRandom, revive } from './placeholders.ts';
import { callbacksOf, requestsOf, type BrowserOutcome, type Recorded } from './run-browser-case.ts';
import type { Json, RecordedRequest, VectorCase } from './vector-case.ts';

export interface BrowserMismatch {
  readonly aspect: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Lists all differences between the client and the recording in a browser. */
export function compareBrowserCase(
  entry: VectorCase & Recorded,
  outcome: BrowserOutcome,
): readonly BrowserMismatch[] {
  const requests = requestsOf(entry).map((request) => meaning(request));
  const callbacks = callbacksOf(entry).map(withoutTimer);
  const pages = (entry.topNavigations ?? entry.openPages)?.map(spaced);
  const moments = Object.entries(entry.dom ?? {}).filter(([, tree]) => isTree(tree));
  const windows = (entry.log ?? []).flatMap(({ kind, args }) =>
    kind === 'window.open'
      ? [(args as readonly Json[]).filter((arg) => typeof arg === 'string')]
      : [],
  );
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['requests', requests, outcome.requests.slice(0, requests.length || 1).map(meaning)],
    ['result', orUndefined(entry.result), outcome.result],
    ['thrown', thrownOf(entry), outcome.thrown],
    ['callbacks', callbacks, outcome.callbacks.slice(0, callbacks.length || 1).map(withoutTimer)],
    ...(windows.length > 0 ? ([['windows', windows, outcome.windows]] as const) : []),
    ...(pages ? ([['pages', pages, outcome.pages.map(spaced)]] as const) : []),
    ...(entry.storage ? ([['storage', entry.storage, outcome.storage]] as const) : []),
    ...(entry.input ? ([['input', entry.input, outcome.input]] as const) : []),
    ...moments.slice(-1).map(([, tree]) => ['dom', describe(tree), outcome.dom] as const),
  ];
  return pairs.flatMap(([aspect, wanted, ours]) => {
    const expected = revive((wanted ?? null) as Json, (name) => name);
    const actual = hideRandom(ours ?? null, expected);
    return isDeepStrictEqual(expected, actual) ? [] : [{ aspect, expected, actual }];
  });
}

function meaning({ method, path, query, headers, body }: RecordedRequest): Json {
  const own = Object.entries(headers).filter(
    ([name]) => name.startsWith('x-') || name === 'authorization',
  );
  const type = headers['content-type']?.split(';')[0] ?? null;
  const meant =
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'selectionRef'))
      : body;
  return { method, path, query, headers: Object.fromEntries(own), type, body: meant } as Json;
}

/** Both characters encode a space. */
function spaced(url: string): string {
  return url.replaceAll('+', '%20');
}

function withoutTimer({ name, args }: { name: string; args: readonly Json[] }): Json {
  return { name, args: name === 'onStart' ? [] : args.map((arg) => orUndefined(arg) ?? null) };
}

function orUndefined(result: Json | undefined): Json | undefined {
  const isNothing = typeof result === 'object' && result !== null && '$undefined' in result;
  return isNothing || result === '(trace)' ? undefined : result;
}

function thrownOf({ thrown }: VectorCase): Json | undefined {
  if (!thrown) return undefined;
  const { code, message } = thrown;
  return { ...(code === undefined ? {} : { code }), message: message ?? '' };
}

function isTree(tree: Json): boolean {
  return typeof tree === 'object' && tree !== null && 'tag' in tree;
}

/**
 * The recorded tree in the format of `describeBox`: without styles, sizes, and picture contents.
 */
function describe(tree: Json): Json {
  const { tag, id, class: name, text, children } = tree as { readonly [name: string]: Json };
  if (id === 'authing__spinner') return { id };
  return {
    tag: tag ?? '',
    ...(id ? { id } : {}),
    ...(name ? { class: name } : {}),
    ...(text ? { text } : {}),
    ...(Array.isArray(children)
      ? { children: children.map((child: Json) => describe(child)) }
      : {}),
  };
}
