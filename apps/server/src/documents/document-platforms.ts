import type { DocumentStep } from '@deviceportal/contract/ssm-document';

const ALL = ['Linux', 'MacOS', 'Windows'] as const;

/** Platforms on which at least one step of a document runs, by its precondition or otherwise its action. */
export function documentPlatforms(
  steps: readonly Pick<DocumentStep, 'action' | 'precondition'>[],
): readonly string[] {
  return ALL.filter((platform) => steps.some((step) => runsOn(step, platform)));
}

function runsOn(step: Pick<DocumentStep, 'action' | 'precondition'>, platform: string): boolean {
  const sides = step.precondition?.StringEquals;
  if (sides?.some((side) => /^(\{\{\s*)?platformType(\s*\}\})?$/.test(side)) === true) {
    return sides.includes(platform);
  }
  if (step.action === 'aws:runShellScript') return platform !== 'Windows';
  if (step.action === 'aws:runPowerShellScript') return platform === 'Windows';
  return true;
}
