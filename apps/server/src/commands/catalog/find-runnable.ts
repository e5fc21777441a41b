import { scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { idsWithinDevices } from '../../devices/data/is-device-within.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findCommands } from '../data/command-definition-queries.ts';
import { permissionsForCommand } from './permissions-for-command.ts';

interface Deps {
  readonly database: Database;
}

/** Those of some commands that the viewer can run on any device, in their order. */
export async function findRunnable(
  deps: Deps,
  viewer: Viewer,
  commands: readonly string[],
): Promise<string[]> {
  const reaches = await reachesOf(deps, viewer, commands);
  return reaches.map(({ command }) => command);
}

/** The devices on which the viewer can run each of some commands. */
export async function findRunnableOn(
  deps: Deps,
  viewer: Viewer,
  {
    commands,
    deviceIds,
  }: { readonly commands: readonly string[]; readonly deviceIds: readonly string[] },
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const reaches = await reachesOf(deps, viewer, commands);
  const found = await Promise.all(
    reaches.map(async ({ command, scopes }) => {
      const ids = await idsWithinDevices(deps.database.orm, scopes, deviceIds);
      return [command, new Set(ids)] as const;
    }),
  );
  return new Map(found);
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
