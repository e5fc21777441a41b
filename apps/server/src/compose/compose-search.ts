import { findAirBlastHits } from '../air-blast/find-air-blast-hits.ts';
import { findPeopleAndCases } from '../cases/find-people-and-cases.ts';
import { findRunnable } from '../commands/catalog/find-runnable.ts';
import { findRunHits } from '../commands/find-run-hits.ts';
import { findScheduleHits } from '../commands/schedules/find-schedule-hits.ts';
import {
  findByHostNames,
  findBySerialNumbers,
  findSearchHits,
} from '../devices/find-search-hits.ts';
import { estimateMatches } from '../devices/list/estimate-matches.ts';
import { readFleetWords } from '../devices/list/read-fleet-words.ts';
import { findDocumentHits } from '../documents/find-document-hits.ts';
import { findPeopleByMailbox } from '../people/find-people-by-mailbox.ts';
import { findSimilarPeople } from '../people/find-similar-people.ts';
import type { Database } from '../platform/database/database.ts';
import type { SearchDeps } from '../search/find-anything.ts';
import type { Finder, SmallFinder } from '../search/finders-of-texts.ts';
import { findSoftwareHits } from '../versions/find-software-hits.ts';

interface Deps {
  readonly database: Database;
  readonly clock: () => Date;
}

/** All searches, one for each domain module. */
export function composeSearch(deps: Deps): SearchDeps {
  const by =
    (find: (deps: Deps, ...rest: Parameters<Finder>) => ReturnType<Finder>): Finder =>
    (viewer, wanted) =>
      find(deps, viewer, wanted);
  const small =
    (
      find: (deps: Deps, ...rest: Parameters<SmallFinder>) => ReturnType<SmallFinder>,
    ): SmallFinder =>
    (viewer, wanted) =>
      find(deps, viewer, wanted);
  return {
    database: deps.database,
    finders: [
      { kinds: ['device'], find: by(findSearchHits) },
      { kinds: ['person', 'case'], find: by(findPeopleAndCases) },
    ],
    smallFinders: [
      { kinds: ['run', 'invocation'], find: small(findRunHits) },
      { kinds: ['air-blast'], find: small(findAirBlastHits) },
      { kinds: ['schedule'], find: small(findScheduleHits) },
      { kinds: ['document'], find: small(findDocumentHits) },
      { kinds: ['software'], find: small(findSoftwareHits) },
    ],
    findBySerialNumbers: (viewer, wanted) => findBySerialNumbers(deps, viewer, wanted),
    findByHostNames: (viewer, wanted) => findByHostNames(deps, viewer, wanted),
    findSimilarPeople: (viewer, wanted) => findSimilarPeople(deps, viewer, wanted),
    findPeopleByMailbox: (viewer, wanted) => findPeopleByMailbox(deps, viewer, wanted),
    suggestions: {
      readFleetWords: (words) => readFleetWords(deps, words),
      estimateMatches: (viewer, { tokens, text }) =>
        estimateMatches(deps, viewer, {
          ...{ tokens: [...tokens], text },
          ...{ operation: 'and', targetListId: null },
        }),
      findRunnable: (viewer, commands) => findRunnable(deps, viewer, commands),
    },
  };
}
