import type { Consequence } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { FrozenTarget } from './target/frozen-target.ts';

/**
 * What destroys is confirmed by typing the serial number (one device) or the count (many): docs/design/decisions.md,
 * section 5. The count also stops a run whose filter has come to match other devices than the person saw.
 *
 * @throws PortalError 2004 when something else was typed; facts say what is expected of whom
 */
export function requireConfirmation(
  consequence: Consequence,
  target: Pick<FrozenTarget, 'single' | 'count'>,
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
