import type { Consequence } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { ResolvedTarget } from './target/resolved-target.ts';

/**
 * Destructive commands are confirmed by typing the serial number (one device) or the number of devices (several):
 * docs/design/decisions.md, section 5. The number also prevents a run whose filter matches other devices than those
 * shown.
 *
 * @throws PortalError 2004 if something else was typed; facts contain the expected text
 */
export function requireConfirmation(
  consequence: Consequence,
  target: Pick<ResolvedTarget, 'single' | 'count'>,
  typed: string,
): void {
  if (consequence !== 'destroys') return;
  const expected = target.single ? (target.single.serialNumber ?? '') : String(target.count);
  if (expected !== '' && typed.trim().toUpperCase() === expected) return;
  throw target.single
    ? refuse('serial-number-not-typed', {
        field: 'confirmation',
        facts: { devices: target.count },
      })
    : refuse('target-count-not-typed', {
        field: 'confirmation',
        facts: { devices: target.count },
      });
}
