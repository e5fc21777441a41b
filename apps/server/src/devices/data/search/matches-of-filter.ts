import type { SQL } from 'drizzle-orm';
import type { Executor } from '../../../platform/database/database.ts';
import { idsOfMatches } from './collect-source.ts';
import type { Predicate } from './device-predicate.ts';
import { every } from './predicate-forms.ts';
import { cheapestCandidate, listCandidates } from './search-candidates.ts';

/** Devices that meet conditions: an array of IDs, or a condition on `d` (device) and `s` (device_status). */
export type Matches =
  | { readonly kind: 'ids'; readonly ids: SQL }
  | { readonly kind: 'where'; readonly where: SQL };

/** @param mostIds sources with more devices are not read into an array */
export async function matchesOfFilter(
  on: Executor,
  conditions: readonly Predicate[],
  mostIds: number,
): Promise<Matches> {
  const candidates = await listCandidates(on, conditions);
  const affordable =
    candidates.find(({ source }) => source.few) ??
    (await cheapestCandidate(on, candidates, { sort: null, mostRows: mostIds }));
  return affordable === undefined
    ? { kind: 'where', where: every(conditions) }
    : { kind: 'ids', ids: idsOfMatches(affordable.source, affordable.conditions) };
}
