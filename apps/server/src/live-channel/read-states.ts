import type { LiveChange, LiveMessage } from '@deviceportal/contract/live-channel';
import type { Scope } from '@deviceportal/contract/permissions';
import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Database } from '../platform/database/database.ts';
import type { DirtyStates, LiveConnection } from './live-connection.ts';
import {
  readDeviceStates,
  readInvocationStates,
  readRunStates,
  type StatesRequest,
} from './live-state-store.ts';

export interface PendingStates {
  readonly viewer: LiveConnection;
  readonly states: DirtyStates;
}

/** A message stays well below the buffer of a slow connection. */
const MAX_MESSAGE_CHARACTERS = 100_000;

/** Reads the states for several viewers: one statement for all viewers with the same scopes. */
export async function readStates(
  database: Pick<Database, 'orm'>,
  pending: readonly PendingStates[],
): Promise<(request: PendingStates) => LiveChange[]> {
  const [devices, runs, invocations] = await Promise.all([
    readByScope(pending, {
      of: ({ viewer, states }) => ({ ids: states.devices, scopes: viewer.interests.deviceScopes }),
      read: (question) => readDeviceStates(database, question),
    }),
    readByScope(pending, {
      of: ({ viewer, states }) => ({ ids: states.runs, scopes: viewer.interests.commandScopes }),
      read: (question) => readRunStates(database, question),
    }),
    readByScope(pending, {
      of: ({ viewer, states }) => ({
        ids: states.invocations,
        scopes: viewer.interests.commandScopes,
      }),
      read: (question) => readInvocationStates(database, question),
    }),
  ]);
  return (request) => {
    const { interests } = request.viewer;
    // Checked again: permissions may have been removed while the states were read.
    return [
      ...devices(request).filter(({ id }) => interests.devices.has(id)),
      ...runs(request).filter(({ id }) => interests.runs.has(id)),
      ...invocations(request).filter(({ id }) => interests.invocations.has(id)),
    ];
  };
}

interface Reading<State> {
  readonly of: (request: PendingStates) => StatesRequest;
  readonly read: (question: StatesRequest) => Promise<ReadonlyMap<string, State>>;
}

async function readByScope<State>(
  pending: readonly PendingStates[],
  { of, read }: Reading<State>,
): Promise<(request: PendingStates) => State[]> {
  const groups = new Map<
    string,
    { readonly ids: Set<string>; readonly scopes: readonly Scope[] }
  >();
  const questions = new Map<
    PendingStates,
    { readonly key: string; readonly ids: ReadonlySet<string> }
  >();
  for (const request of pending) {
    const { ids, scopes } = of(request);
    if (ids.size === 0) continue;
    const key = scopes.some(isEverywhere) ? '' : JSON.stringify(scopes);
    const group = groups.get(key) ?? { ids: new Set<string>(), scopes };
    groups.set(key, group);
    for (const id of ids) group.ids.add(id);
    questions.set(request, { key, ids });
  }
  const found = new Map(
    await Promise.all([...groups].map(async ([key, group]) => [key, await read(group)] as const)),
  );
  return (request) => {
    const question = questions.get(request);
    if (question === undefined) return [];
    const states = found.get(question.key);
    return [...question.ids].flatMap((id) => states?.get(id) ?? []);
  };
}

/** Splits changes into messages that do not block others. */
export function toPayloads(changes: readonly LiveChange[]): string[] {
  const payloads: string[] = [];
  let gathered: LiveChange[] = [];
  let length = 0;
  const flush = (): void => {
    if (gathered.length > 0)
      payloads.push(JSON.stringify({ changes: gathered } satisfies LiveMessage));
    gathered = [];
    length = 0;
  };
  for (const change of changes) {
    const size = change.kind === 'output' ? change.text.length + 200 : 300;
    if (length + size > MAX_MESSAGE_CHARACTERS) flush();
    gathered.push(change);
    length += size;
  }
  flush();
  return payloads;
}
