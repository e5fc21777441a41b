import type { SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Page } from '@deviceportal/contract/pages';
import type { listPeopleInput, Person } from '@deviceportal/contract/people';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import { wordsOf } from '../platform/text/match-score.ts';
import type { Viewer } from '../platform/viewer.ts';
import { containsWords, emailBegins, phoneBegins } from './data/person-conditions.ts';
import { listPeoplePage } from './data/person-queries.ts';
import { namesAllPeople } from './data/person-visibility.ts';
import { maskedPerson } from './masked-person.ts';

const cursorParts = z.tuple([z.string(), z.uuid()]);

/** People by name; text finds only people who are shown by name. */
export async function listPeople(
  deps: { readonly database: Database },
  viewer: Viewer,
  input: z.infer<typeof listPeopleInput>,
): Promise<Page<Person>> {
  if (input.text !== '' && !holds(viewer.grants, 'people:read')) {
    return { rows: [], nextCursor: null };
  }
  // The order, and a cursor that contains a name, would reveal masked names.
  const byName = namesAllPeople(viewer) || input.text !== '';
  const found = await listPeoplePage(deps.database.orm, viewer, {
    matching: input.text === '' ? undefined : matching(input.text),
    after: input.cursor === null ? null : readCursor(input.cursor),
    limit: input.pageSize + 1,
    byName,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(maskedPerson),
    nextCursor: last === undefined ? null : encodeCursor([byName ? last.name : '', last.id]),
  };
}

/** Email addresses and phone numbers use their own index: "example" and "com" are in every trigram list. */
function matching(text: string): SQL | undefined {
  if (/^[^\s@]+@/.test(text)) return emailBegins(text);
  return /^\+[\d\s().-]{5,24}$/.test(text)
    ? phoneBegins(text.replaceAll(/\D/g, ''))
    : containsWords(wordsOf(text));
}

function readCursor(cursor: string): [string, string] {
  const parsed = cursorParts.safeParse(decodeCursor(cursor, 2));
  if (parsed.success) return parsed.data;
  throw refuse('cursor-invalid', { field: 'cursor' });
}
