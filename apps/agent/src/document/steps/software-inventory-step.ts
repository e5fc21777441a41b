/** `aws:softwareInventory`: the components and all installed packages. */

import { cutPackageList } from '../../core/cut-package-list.ts';
import type { StepResult } from '../run-document.ts';
import { success, type StepContext } from '../step-context.ts';

export async function softwareInventoryStep(context: StepContext): Promise<StepResult> {
  const components = await context.machine.software();
  const packages = await context.machine.packages();
  context.journal({ kind: 'software', components: [...components] });
  for (const piece of cutPackageList(packages)) context.journal(piece);
  const lines = [
    'Components:',
    ...components.map(({ component, version }) => `${component} ${version}`),
    '',
    `Installed packages (${packages.length}):`,
    ...packages.map(({ name, version }) => `${name} ${version}`),
  ];
  context.output('stdout', `${lines.join('\n')}\n`);
  return success;
}
