import { createHash } from 'node:crypto';
import type { Grant } from '@deviceportal/contract/permissions';

/** Enough to distinguish the roles of one user. Values that contain a digest are signed. */
const CHARACTERS = 16;

/** A digest of permissions and scope, independent of their order. */
export function digestOfGrant({ permissions, scope }: Grant): string {
  const { countries, models, labels } = scope;
  const parts = [permissions, countries, models].map((names) => names.toSorted());
  const sorted = Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([...parts, sorted]);
  return createHash('sha256').update(content).digest('base64url').slice(0, CHARACTERS);
}
