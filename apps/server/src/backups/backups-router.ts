import type { BackupsView } from '@deviceportal/contract/backups';
import { permitted, router } from '../platform/api.ts';
import type { BackupsDeps } from './backups-deps.ts';
import { getBackups } from './get-backups.ts';
import { requestBackup } from './request-backup.ts';

export function createBackupsRouter(deps: BackupsDeps) {
  return router({
    get: permitted('access:read').query((): Promise<BackupsView | null> => getBackups(deps)),
    start: permitted('access:manage').mutation(({ ctx }): Promise<void> =>
      requestBackup(deps, ctx),
    ),
  });
}
