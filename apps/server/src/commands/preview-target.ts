import type { z } from 'zod';
import type { previewTargetInput, TargetPreview } from '@deviceportal/contract/command-targets';
import { maskUser } from '../people/mask-person.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { resolveCommand } from './resolve-command.ts';
import { targetQuery } from './target-query.ts';
import { selectBusyRuns, showTargetDevices } from './target-store.ts';

type PreviewTarget = z.infer<typeof previewTargetInput>;

/** Whom a run would reach, and who would be left out and why. A run can be held to exactly these devices. */
export async function previewTarget(
  { database, clock }: Pick<CommandsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  input: Omit<PreviewTarget, 'whenBusy'> & Partial<PreviewTarget>,
): Promise<TargetPreview> {
  const resolved = await resolveCommand(database.orm, input.command, input.document);
  const { target, whenBusy } = input;
  const now = clock();
  const query = await targetQuery(database.orm, viewer, { resolved, target, now, whenBusy });
  const shown = await showTargetDevices(database.orm, query, now);
  const isBusy = shown.excluded.some(({ reason }) => reason === 'busy');
  const busy = isBusy ? await selectBusyRuns(database.orm, query) : [];
  return {
    ...shown,
    busy: busy.map((run) => ({ ...run, holder: maskUser(run.holder, viewer) })),
  };
}
