import { createHash } from 'node:crypto';
import type { Grant } from '@deviceportal/contract/permissions';

/** Enough to tell the roles of one person apart; what holds a digest is signed. */
const CHARACTERS = 16;

/** The same for the same rights, in whatever order they are listed. */
export function digestOfGrant({ permissions, scope }: Grant): string {
  const { countries, models, labels } = scope;
  const parts = [permissions, countries, models].map((names) => names.toSorted());
  const sorted = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([...parts, sorted]);
  return createHash('sha256').update(content).digest('base64url').slice(0, CHARACTERS);
}
