import type { LiveChange, LiveMessage } from '@deviceportal/contract/live-channel';
import type { Scope } from '@deviceportal/contract/permissions';
import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Database } from '../platform/database/database.ts';
import type { DirtyStates, LiveConnection } from './live-connection.ts';
import {
  readDeviceStates,
  readInvocationStates,
  readRunStates,
  type StatesQuestion,
} from './live-state-store.ts';

export interface Turn {
  readonly viewer: LiveConnection;
  readonly states: DirtyStates;
}

/** A message stays well below what a slow line takes in one go. */
const MAX_MESSAGE_CHARACTERS = 100_000;

/** The states that several viewers are to be told: one statement for all who see the same devices. */
export async function readTurns(
  database: Pick<Database, 'orm'>,
  turns: readonly Turn[],
): Promise<(turn: Turn) => LiveChange[]> {
  const [devices, runs, invocations] = await Promise.all([
    readByScope(turns, {
      of: ({ viewer, states }) => ({ ids: states.devices, scopes: viewer.interests.deviceScopes }),
      read: (question) => readDeviceStates(database, question),
    }),
    readByScope(turns, {
      of: ({ viewer, states }) => ({ ids: states.runs, scopes: viewer.interests.commandScopes }),
      read: (question) => readRunStates(database, question),
    }),
    readByScope(turns, {
      of: ({ viewer, states }) => ({
        ids: states.invocations,
        scopes: viewer.interests.commandScopes,
      }),
      read: (question) => readInvocationStates(database, question),
    }),
  ]);
  return (turn) => {
    const { interests } = turn.viewer;
    // Asked again: rights may have been taken while the states were read.
    return [
      ...devices(turn).filter(({ id }) => interests.devices.has(id)),
      ...runs(turn).filter(({ id }) => interests.runs.has(id)),
      ...invocations(turn).filter(({ id }) => interests.invocations.has(id)),
    ];
  };
}

interface Reading<State> {
  readonly of: (turn: Turn) => StatesQuestion;
  readonly read: (question: StatesQuestion) => Promise<ReadonlyMap<string, State>>;
}

async function readByScope<State>(
  turns: readonly Turn[],
  { of, read }: Reading<State>,
): Promise<(turn: Turn) => State[]> {
  const groups = new Map<
    string,
    { readonly ids: Set<string>; readonly scopes: readonly Scope[] }
  >();
  const questions = new Map<Turn, { readonly key: string; readonly ids: ReadonlySet<string> }>();
  for (const turn of turns) {
    const { ids, scopes } = of(turn);
    if (ids.size === 0) continue;
    const key = scopes.some(isEverywhere) ? '' : JSON.stringify(scopes);
    const group = groups.get(key) ?? { ids: new Set<string>(), scopes };
    groups.set(key, group);
    for (const id of ids) group.ids.add(id);
    questions.set(turn, { key, ids });
  }
  const found = new Map(
    await Promise.all([...groups].map(async ([key, group]) => [key, await read(group)] as const)),
  );
  return (turn) => {
    const question = questions.get(turn);
    if (question === undefined) return [];
    const states = found.get(question.key);
    return [...question.ids].flatMap((id) => states?.get(id) ?? []);
  };
}

/** Changes as messages of a size that does not hold up others. */
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
