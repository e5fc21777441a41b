import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import type { PlannedEffect } from './planned-effect.ts';

/** Keeps this hash apart from every other hash of the product; raised when the fields of an effect change. */
const DOMAIN = 'deviceportal/planned-effect/v1';

/** The one hash of everything that will happen: 64 hexadecimal digits. Equal exactly for equal effects. */
export function effectSha256(effect: PlannedEffect): string {
  return createHash('sha256')
    .update(`${DOMAIN}\n${canonicalJson(effect)}`)
    .digest('hex');
}
