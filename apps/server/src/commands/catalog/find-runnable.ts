import { scopesOf } from '@deviceportal/contract/permissions';
import { isWithinDevices } from '../../devices/data/is-device-within.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findCommands } from '../data/command-definition-queries.ts';
import { permissionsForCommand } from './permissions-for-command.ts';

/** Those of some commands that the viewer can run on a device, or on any device if none is given, in their order. */
export async function findRunnable(
  { database }: { readonly database: Database },
  viewer: Viewer,
  {
    commands,
    deviceId,
  }: { readonly commands: readonly string[]; readonly deviceId: string | null },
): Promise<string[]> {
  const stored = new Set((await findCommands(database.orm)).map(({ command }) => command));
  const runnable: string[] = [];
  for (const command of commands.filter((each) => stored.has(each))) {
    const permissions = await permissionsForCommand(database.orm, command);
    const scopes = scopesOf(viewer.grants, permissions);
    const isAllowed =
      scopes.length > 0 &&
      (deviceId === null || (await isWithinDevices(database.orm, scopes, deviceId)));
    if (isAllowed) runnable.push(command);
  }
  return runnable;
}
