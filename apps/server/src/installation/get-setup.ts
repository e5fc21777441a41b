import type { InstallationSetup } from '@deviceportal/contract/installation';
import { findOtherUsers } from '../access/data/other-users.ts';
import type { BackupsDeps } from '../backups/backups-deps.ts';
import { hasRun } from '../commands/data/runs/has-run.ts';
import { hasConnectedDevice } from '../devices/data/connections/has-connected-device.ts';
import type { Viewer } from '../platform/viewer.ts';

export interface SetupDeps extends Pick<BackupsDeps, 'database' | 'backups'> {
  /** Whether messages are sent, instead of being shown on a page of this machine. */
  readonly sendsMessages: boolean;
}

/** Which steps of setting up an installation are done, from its data and configuration. */
export async function getSetup(
  { database, backups, sendsMessages }: SetupDeps,
  viewer: Pick<Viewer, 'userId'>,
): Promise<InstallationSetup> {
  const [device, users, command] = await Promise.all([
    hasConnectedDevice(database.orm),
    findOtherUsers(database.orm, viewer.userId),
    hasRun(database.orm),
  ]);
  return {
    device,
    users: users.exist,
    roles: users.haveRoles,
    command,
    backups: backups !== undefined,
    messages: sendsMessages,
  };
}
