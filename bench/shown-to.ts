import type { CommandTarget } from '@deviceportal/contract/command-targets';
import type { CommandsDeps } from '../apps/server/src/commands/commands-deps.ts';
import { previewTarget } from '../apps/server/src/commands/target/preview-target.ts';
import type { TargetAgreement } from '../apps/server/src/commands/target/target-agreement.ts';
import type { Viewer } from '../apps/server/src/platform/viewer.ts';

/** Previews the devices of a command, and returns the values that the run then requires. */
export async function shownTo(
  deps: CommandsDeps,
  viewer: Viewer,
  { command, target }: { readonly command: string; readonly target: CommandTarget },
): Promise<TargetAgreement> {
  const { sha256, count } = await previewTarget(deps, viewer, { command, document: '', target });
  return { kind: 'shown', sha256, count };
}
