import type { z } from 'zod';
import type { previewTargetInput, TargetPreview } from '@deviceportal/contract/command-targets';
import type { Viewer } from '../platform/viewer.ts';
import type { CommandsDeps } from './commands-deps.ts';
import { resolveCommand } from './resolve-command.ts';
import { targetQuery } from './target-query.ts';
import { showTargetDevices } from './target-store.ts';

/** Whom a run would reach, and who would be left out and why. A run can be held to exactly these devices. */
export async function previewTarget(
  { database, clock }: Pick<CommandsDeps, 'database' | 'clock'>,
  viewer: Viewer,
  input: z.infer<typeof previewTargetInput>,
): Promise<TargetPreview> {
  const resolved = await resolveCommand(database.orm, input.command, input.document);
  const { target } = input;
  const query = await targetQuery(database.orm, viewer, { resolved, target, now: clock() });
  return showTargetDevices(database.orm, query, clock());
}
