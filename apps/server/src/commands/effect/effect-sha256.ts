import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { PlannedEffect } from './planned-effect.ts';

/**
 * Separates this hash from all other hashes of the product. Increase the version when the fields of an effect change.
 */
const DOMAIN = 'deviceportal/planned-effect/v1';

/** SHA-256 of an effect: 64 hexadecimal digits, equal exactly for equal effects. */
export function effectSha256(effect: PlannedEffect): string {
  return createHash('sha256')
    .update(`${DOMAIN}\n${canonicalJson(effect)}`)
    .digest('hex');
}
