import type { WhenLocked } from '@deviceportal/contract/change-locks';
import { scopesOf } from '@deviceportal/contract/permissions';
import { conditionOfFilter } from '../../devices/data/search/condition-of-filter.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import type { ResolvedCommand } from '../catalog/resolve-command.ts';
import { needsEnvironment } from '../../systems-manager/to-ssm-document.ts';
import { permissionsToRun } from '../run-policy.ts';
import { runCommandObstaclesOf } from './run-command-obstacles-of.ts';
import type { RunTarget, TargetQuery } from './run-target.ts';

/** Resolves a target for a viewer, with the conditions of the device list. */
export async function targetQuery(
  executor: Executor,
  viewer: Viewer,
  request: {
    readonly resolved: ResolvedCommand;
    readonly target: RunTarget;
    readonly now: Date;
    /** `ask` excludes devices with change locks of other users. */
    readonly whenLocked?: WhenLocked | undefined;
    readonly isUndo?: boolean | undefined;
  },
): Promise<TargetQuery> {
  const { resolved, target } = request;
  return {
    target,
    matches:
      target.kind === 'filter'
        ? await conditionOfFilter(executor, viewer, { filter: target.filter, now: request.now })
        : null,
    readScopes: scopesOf(viewer.grants, ['devices:read']),
    runScopes: scopesOf(viewer.grants, permissionsToRun(resolved)),
    needsSerialNumber: resolved.needsSerialNumber,
    runCommand: {
      isPossible: runCommandObstaclesOf(resolved, request.isUndo).length === 0,
      environment: needsEnvironment(resolved.document.parsed),
    },
    freeFor:
      request.whenLocked === 'ask' && resolved.consequence !== 'reads' ? viewer.userId : null,
  };
}
