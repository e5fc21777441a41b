import { scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { idsWithinDevices } from '../../devices/data/is-device-within.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findCommands } from '../data/command-definition-queries.ts';
import { permissionsForCommand } from './permissions-for-command.ts';

interface Deps {
  readonly database: Database;
}

/** A command that a viewer can run on some devices. */
export interface RunnableCommand {
  readonly command: string;
  /** On which of these devices. */
  readonly runnableOn: (deviceIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** Those of some commands that the viewer can run on any device, in their order. */
export async function findRunnable(
  deps: Deps,
  viewer: Viewer,
  commands: readonly string[],
): Promise<RunnableCommand[]> {
  const reaches = await reachesOf(deps, viewer, commands);
  return reaches.map(({ command, scopes }) => ({
    command,
    runnableOn: async (deviceIds) =>
      new Set(await idsWithinDevices(deps.database.orm, scopes, deviceIds)),
  }));
}

/** The scopes in which the viewer can run each of the commands that exist; without those that the viewer cannot run. */
async function reachesOf(
  { database }: Deps,
  viewer: Viewer,
  commands: readonly string[],
): Promise<{ readonly command: string; readonly scopes: readonly Scope[] }[]> {
  const stored = new Set((await findCommands(database.orm)).map(({ command }) => command));
  const reaches = await Promise.all(
    commands
      .filter((each) => stored.has(each))
      .map(async (command) => {
        const permissions = await permissionsForCommand(database.orm, command);
        return { command, scopes: scopesOf(viewer.grants, permissions) };
      }),
  );
  return reaches.filter(({ scopes }) => scopes.length > 0);
}
