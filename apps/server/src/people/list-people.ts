import { sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Page } from '@deviceportal/contract/pages';
import type { listPeopleInput, Person } from '@deviceportal/contract/people';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { Database } from '../platform/database/database.ts';
import { decodeCursor, encodeCursor } from '../platform/keyset-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { personSightOf } from './person-sight.ts';
import { selectPeople } from './person-store.ts';

const cursorParts = z.tuple([z.string(), z.uuid()]);
/** More people than this fit no question that a person asks. */
const MATCHES_LOOKED_AT = 5_000;

/** People by name; text finds only people who are shown by name. */
export async function listPeople(
  deps: { readonly database: Database },
  viewer: Viewer,
  input: z.infer<typeof listPeopleInput>,
): Promise<Page<Person>> {
  if (input.text !== '' && !holds(viewer.grants, 'people:read')) {
    return { rows: [], nextCursor: null };
  }
  const sight = personSightOf(viewer);
  // The order, and a cursor with a name in it, would tell what the mask hides.
  const byName = sight.namesAll || input.text !== '';
  const after = input.cursor === null ? null : readCursor(input.cursor);
  const found = await selectPeople(deps.database.orm, viewer, {
    from: input.text === '' ? sql`person p` : matching(input.text),
    where: sql`${input.text === '' ? sql`true` : sight.named} and ${behind(after, byName)}`,
    limit: input.pageSize + 1,
    byName,
  });
  const page = found.slice(0, input.pageSize);
  const last = found.length > input.pageSize ? page.at(-1) : undefined;
  return {
    rows: page.map(({ person }) => person),
    nextCursor: last === undefined ? null : encodeCursor([last.sortName, last.person.id]),
  };
}

/** An e-mail address or phone number through its own index: "example" and "com" are in every trigram list. */
function matching(text: string): SQL {
  const lower = text.toLowerCase();
  const literal = lower.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
  const words = literal.split(/\s+/).filter(Boolean);
  const condition = /^[^\s@]+@/.test(lower)
    ? sql`lower(email) like ${`${literal}%`}`
    : /^\+[\d\s().-]{5,24}$/.test(text)
      ? sql`phone like ${`+${text.replaceAll(/\D/g, '')}%`}`
      : sql.join(
          words.map(
            (word) =>
              sql`lower(name || ' ' || username || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')) like ${`%${word}%`}`,
          ),
          sql` and `,
        );
  return sql`(select * from person where ${condition} limit ${MATCHES_LOOKED_AT}) p`;
}

function behind(after: readonly [string, string] | null, byName: boolean): SQL {
  if (after === null) return sql`true`;
  return byName
    ? sql`(p.name, p.id) > (${after[0]}, ${after[1]}::uuid)`
    : sql`p.id > ${after[1]}::uuid`;
}

function readCursor(cursor: string): [string, string] {
  const parsed = cursorParts.safeParse(decodeCursor(cursor, 2));
  if (parsed.success) return parsed.data;
  throw refuse('cursor-invalid', { field: 'cursor' });
}
