import { AuthenticationClient, createMemoryStorage, IdentityError } from '../../src/index.ts';
import type { AuthenticationClientOptions } from '../../src/index.ts';
import { revive } from './placeholders.ts';
import { createQuickClock } from './quick-clock.ts';
import { createRecordedProvider, HOST } from './recorded-provider.ts';
import type { RecordedRequest, VectorCase } from './vector-case.ts';

/** The outcome of a case. */
export interface Outcome {
  readonly requests: readonly RecordedRequest[];
  readonly result: unknown;
  readonly thrown: unknown;
  readonly state: { readonly token: string | null; readonly userId: string | null };
  readonly callbacks: { readonly name: string; readonly args: readonly unknown[] }[];
  readonly onErrorCalls: unknown[];
  readonly argsAfter: unknown;
  readonly options: unknown;
}

const ENDS = new Set(['onSuccess', 'onCancel', 'onError', 'onExpired', 'onAuthFlow']);

/** Runs a case against the classes, with a provider that replays the recording. */
export async function runNodeCase(entry: VectorCase): Promise<Outcome> {
  const callbacks: Outcome['callbacks'] = [];
  const onErrorCalls: unknown[] = [];
  const ended = Promise.withResolvers<void>();
  const makeFunction =
    (name: string) =>
    (...args: unknown[]) => {
      if (name.startsWith('onError ')) {
        onErrorCalls.push(args);
        if (name.endsWith('throw')) throw new Error('handler threw');
        return;
      }
      callbacks.push({ name, args });
      const results = callbacks.filter((made) => made.name === 'onResult').length;
      const isOnlyResults = entry.callbacks?.every((made) => made.name === 'onResult') ?? false;
      if (ENDS.has(name) || (isOnlyResults && results === entry.callbacks?.length)) ended.resolve();
    };
  const clock = createQuickClock();
  const provider = createRecordedProvider(entry, clock);
  const options = {
    ...(revive(entry.options ?? {}, makeFunction) as AuthenticationClientOptions),
    ...{ fetch: provider.fetch, storage: createMemoryStorage(), clock },
  };
  const client = new AuthenticationClient(options);
  const target = targetOf(client, entry.client);
  for (const { method, args } of entry.setup ?? []) {
    await call(client, method, revive(args, makeFunction) as unknown[]);
  }
  const before = provider.requests.length;
  const args = revive(entry.args ?? [], makeFunction) as unknown[];
  let result: unknown;
  let thrown: unknown;
  try {
    result = await call(target, entry.method, args);
    if (entry.method === 'startPolling') await ended.promise;
    if (isStoppable(result)) result.stop();
  } catch (error) {
    thrown = error instanceof Error ? error : new Error('threw no error');
  }
  const { tokenProvider } = client;
  return {
    requests: provider.requests.slice(before),
    ...{ result, thrown, callbacks, onErrorCalls, argsAfter: args, options: client.options },
    state: { token: tokenProvider.getToken(), userId: tokenProvider.getUser()?.id ?? null },
  };
}

function targetOf(client: AuthenticationClient, name: string): object {
  if (name === 'authentication') return client;
  return (client as unknown as Readonly<Record<string, object>>)[name] ?? {};
}

async function call(target: object, method: string, args: readonly unknown[]): Promise<unknown> {
  const found = (target as Readonly<Record<string, unknown>>)[method];
  if (typeof found !== 'function') throw new Error(`${method} is not there`);
  return Reflect.apply(found, target, args) as unknown;
}

export function isStoppable(value: unknown): value is { stop(): void } {
  return typeof (value as { stop?: unknown } | undefined)?.stop === 'function';
}

/** An error in the recordings' format. */
export function describeError(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { value: error };
  if (!(error instanceof IdentityError)) return { name: error.name, message: error.message };
  const { code, message, data } = error;
  return { code, message: message.replaceAll(HOST, '{{HOST}}'), data };
}
