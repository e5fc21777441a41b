import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type { WhenLocked } from '@deviceportal/contract/change-locks';
import { scopesOf } from '@deviceportal/contract/permissions';
import { guardOf } from '@deviceportal/contract/run-rules';
import { maskUser } from '../../people/mask-person.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { findRunRule } from '../approval/find-run-rule.ts';
import type { CommandsDeps } from '../commands-deps.ts';
import { predictFailures } from '../data/execution/failure-history-queries.ts';
import { resolveCommand } from '../catalog/resolve-command.ts';
import { showTargetDevices } from '../data/shown-target-queries.ts';
import { runCommandObstaclesOf } from './run-command-obstacles-of.ts';
import { targetQuery } from './target-query.ts';
import { selectLockingRuns } from '../data/target-queries.ts';
import type { RunTarget } from './run-target.ts';

export interface PreviewTarget {
  readonly command: string;
  readonly document: string;
  readonly target: RunTarget;
  readonly whenLocked?: WhenLocked;
  /** Whether to run the undo steps of the document. */
  readonly isUndo?: boolean;
}

/**
 * Previews the target devices of a run, and the excluded ones with their reasons. A run is limited to exactly these
 * devices.
 */
export async function previewTarget(
  { database, clock }: Pick<CommandsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  { command, document, target, whenLocked, isUndo = false }: PreviewTarget,
): Promise<TargetPreview> {
  const resolved = await resolveCommand(database.orm, command, document);
  const now = clock();
  const asked = { resolved, target, now, whenLocked, isUndo };
  const query = await targetQuery(database.orm, viewer, asked);
  const { userId } = viewer;
  const { models, ...shown } = await showTargetDevices(database.orm, query, { userId, now });
  const isBusy = shown.excluded.some(({ reason }) => reason === 'busy');
  const needsAgent = shown.excluded.some(({ reason }) => reason === 'needs-agent');
  const busy = isBusy ? await selectLockingRuns(database.orm, query) : [];
  const rule = await findRunRule(database.orm, resolved.consequence);
  return {
    ...shown,
    guard: guardOf(rule, shown.count),
    failures: await predictFailures(database.orm, {
      ...{ document: resolved.document, isUndo, models },
      scopes: scopesOf(viewer.grants, ['commands:read']),
    }),
    runCommandObstacles: needsAgent ? runCommandObstaclesOf(resolved, isUndo) : [],
    busy: busy.map((run) => ({ ...run, holder: maskUser(run.holder, viewer) })),
  };
}
