/**
 * The state of a simulated fleet: one append-only file for the agents' durable state, one for their
 * identities. Lines start with the device's index.
 */

import { join } from 'node:path';
import { AgentState } from './agent-state.ts';
import { AgentStore, snapshotLines } from './agent-store.ts';
import { openAppendFile } from './append-file.ts';
import { identitySchema, type Identity } from './identity-file.ts';
import { foldLines } from './open-agent-store.ts';

const COMPACT_ABOVE_BYTES = 64 * 1024 * 1024;

export interface FleetStore extends AsyncDisposable {
  storeOf(index: number): AgentStore;
  identityOf(index: number): Identity | undefined;
  saveIdentity(index: number, identity: Identity): Promise<void>;
}

/**
 * `name` separates fleets with different seeds. Survives a kill of the process; a power failure can
 * lose the last records.
 */
export async function openFleetStore(stateDirectory: string, name: string): Promise<FleetStore> {
  const journals = await openAppendFile({
    path: join(stateDirectory, `${name}-journals.jsonl`),
    sync: false,
  });
  const identityFile = await openAppendFile({
    path: join(stateDirectory, `${name}-identities.jsonl`),
    sync: false,
  });
  const states = foldStates(journals.lines);
  const identities = foldIdentities(identityFile.lines);
  const snapshot = function* (): Generator<string> {
    for (const [index, state] of states) {
      for (const line of snapshotLines(state)) yield `${index} ${line}`;
    }
  };
  const hadLines = journals.lines.length > 0;
  const { file } = journals;
  if (hadLines) await file.rewrite(snapshot);
  let compactAt = file.bytes + COMPACT_ABOVE_BYTES;
  const flush = async (): Promise<void> => {
    if (file.bytes < compactAt) return file.flush();
    compactAt = Number.POSITIVE_INFINITY;
    await file.rewrite(snapshot);
    compactAt = file.bytes + COMPACT_ABOVE_BYTES;
  };
  return {
    storeOf: (index) => {
      let state = states.get(index);
      if (!state) {
        state = new AgentState();
        states.set(index, state);
        for (const line of snapshotLines(state)) file.append(`${index} ${line}`);
      }
      return new AgentStore(state, { write: (line) => file.append(`${index} ${line}`), flush });
    },
    identityOf: (index) => identities.get(index),
    saveIdentity: (index, identity) => {
      identities.set(index, identity);
      identityFile.file.append(`${index} ${JSON.stringify(identity)}`);
      return identityFile.file.flush();
    },
    [Symbol.asyncDispose]: async () => {
      await file[Symbol.asyncDispose]();
      await identityFile.file[Symbol.asyncDispose]();
    },
  };
}

function splitLine(line: string): readonly [index: number, json: string] {
  const space = line.indexOf(' ');
  return [Number(line.slice(0, space)), line.slice(space + 1)];
}

function foldStates(lines: readonly string[]): Map<number, AgentState> {
  const states = new Map<number, AgentState>();
  for (const line of lines) {
    const [index, json] = splitLine(line);
    if (!Number.isInteger(index)) continue;
    let state = states.get(index);
    if (!state) {
      state = new AgentState();
      states.set(index, state);
    }
    foldLines(state, [json]);
  }
  return states;
}

function foldIdentities(lines: readonly string[]): Map<number, Identity> {
  const identities = new Map<number, Identity>();
  for (const line of lines) {
    const [index, json] = splitLine(line);
    const parsed = identitySchema.safeParse(JSON.parse(json));
    if (parsed.success) identities.set(index, parsed.data);
  }
  return identities;
}
