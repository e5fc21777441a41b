/** `aws:softwareInventory`: every installed package, besides the components. */

import type { StepResult } from '../run-document.ts';
import { success, type StepContext } from '../step-context.ts';

const MAX_COMPONENTS = 2_000;

export async function softwareInventoryStep(context: StepContext): Promise<StepResult> {
  const components = await context.machine.software('packages');
  const kept = components.slice(0, MAX_COMPONENTS);
  context.journal({ kind: 'software', components: kept });
  const lines = kept.map((item) => `${item.component} ${item.version}`);
  if (components.length > kept.length) lines.push(`… and ${components.length - kept.length} more`);
  context.output('stdout', `${lines.join('\n')}\n`);
  return success;
}
