import type { SearchHit } from '@deviceportal/contract/search';
import { findPersonHits } from '../people/find-person-hits.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { findCaseHits } from './find-case-hits.ts';

/** People and cases that match a text. Cases are also found by their people, who are searched only once. */
export async function findPeopleAndCases(
  deps: { readonly database: Database },
  viewer: Viewer,
  wanted: { readonly text: string; readonly limit: number },
): Promise<SearchHit[]> {
  const people = findPersonHits(deps, viewer, wanted);
  const found = await Promise.all([people, findCaseHits(deps, viewer, { ...wanted, people })]);
  return found.flat();
}
