import type { Consequence } from '../access/permissions.ts';
import type { AirBlastStep } from './air-blast.ts';

/**
 * Whether a stage starts only after the user has typed the number of its devices: the rollout stage
 * of every change, because it reaches most devices, and every stage that destroys data.
 */
export function mustTypeCount(
  { consequence }: { readonly consequence: Consequence },
  step: AirBlastStep,
): boolean {
  return consequence === 'destroys' || (step === 'blast' && consequence !== 'reads');
}
