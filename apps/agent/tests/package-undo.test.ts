import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeFleet } from '../src/fleet/describe-fleet.ts';
import { newHealth } from '../src/fleet/device-health.ts';
import type { Machine, PackageRequest } from '../src/machine/machine.ts';
import { RealMachine } from '../src/machine/real-machine.ts';
import { SimulatedMachine } from '../src/machine/simulated-machine.ts';

const content = 'echo tool\n';
const sha256 = createHash('sha256').update(content).digest('hex');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'package-undo-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

function simulated(): Machine {
  const [plan] = describeFleet(1).devices;
  if (plan === undefined) throw new Error('a fleet of one is empty');
  return new SimulatedMachine({
    plan,
    health: newHealth(plan),
    timeScale: 1,
    instantResults: true,
    bootedAtMs: 0,
    onChange: () => {},
    onReboot: () => {},
  });
}

const machines: readonly [string, () => Machine][] = [
  [
    'real',
    () =>
      new RealMachine({
        stateDirectory: directory,
        serialNumber: null,
        fetch: () => Promise.resolve(new Response(content)),
      }),
  ],
  ['simulated', simulated],
];

const base = {
  stepIndex: 0,
  isRepeated: false,
  name: 'tool',
  source: null,
  sha256: null,
  offered: null,
  signal: new AbortController().signal,
} as const;

/** Returns the invocation, for its undo. */
async function install(machine: Machine, version: string, more: Partial<PackageRequest> = {}) {
  const invocationId = randomUUID();
  const source = `https://files.test/tool-${version}`;
  const notes = { undoNotesOf: invocationId, isUndo: false };
  const wanted = { action: 'Install', version, source, sha256 } as const;
  await machine.configurePackage({ ...base, ...notes, ...wanted, invocationId, ...more });
  return invocationId;
}

const undo = (machine: Machine, undoNotesOf: string | null) =>
  machine.configurePackage({
    ...base,
    ...{ invocationId: randomUUID(), undoNotesOf, isUndo: true },
    ...{ action: 'Rollback', version: null },
  });

const current = async (machine: Machine) =>
  (await machine.software()).find(({ component }) => component === 'tool')?.version;

describe.for(machines)('on a %s machine', ([, open]) => {
  test('an undo restores the version before its command, regardless of later changes', async () => {
    const machine = open();
    await install(machine, '1.0');
    const undone = await install(machine, '1.1');
    await install(machine, '1.2');
    await undo(machine, undone);
    expect(await current(machine)).toBe('1.0');
  });

  test('a package that a command installed first is removed', async () => {
    const machine = open();
    const undone = await install(machine, '1.0');
    await install(machine, '1.1');
    await undo(machine, undone);
    expect(await current(machine)).toBeUndefined();
  });

  test('a command that continues after a kill keeps its first undo note', async () => {
    const machine = open();
    await install(machine, '1.0');
    const undone = await install(machine, '1.1');
    await install(machine, '1.1', {
      invocationId: undone,
      undoNotesOf: undone,
      isRepeated: true,
    });
    await undo(machine, undone);
    expect(await current(machine)).toBe('1.0');
  });

  test('without a note, an undo restores the previous version', async () => {
    const machine = open();
    await install(machine, '1.0');
    await install(machine, '1.1', { undoNotesOf: null });
    await undo(machine, null);
    expect(await current(machine)).toBe('1.0');
  });
});
