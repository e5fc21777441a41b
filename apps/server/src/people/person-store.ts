import { sql, type SQL } from 'drizzle-orm';
import type { Person } from '@deviceportal/contract/people';
import { scopesOf } from '@deviceportal/contract/permissions';
import { deviceScopeCondition } from '../devices/device-scope-condition.ts';
import type { Executor } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { maskEmail, maskName, maskPhone } from './mask-person.ts';
import { personSightOf } from './person-sight.ts';

export interface FoundPerson {
  readonly person: Person;
  /** What its page is sorted by: the name, or nothing where the order would tell masked names. */
  readonly sortName: string;
}

interface PersonRecord extends Record<string, unknown> {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly language: string | null;
  readonly deviceCount: number;
  readonly createdAt: string;
  readonly named: boolean;
}

/** People as `p` that a condition picks, within the viewer's sight. */
export async function selectPeople(
  on: Executor,
  viewer: Viewer,
  page: {
    readonly from: SQL;
    readonly where: SQL;
    readonly limit: number;
    /** Needs a condition that leaves nobody whose name is masked. */
    readonly byName: boolean;
  },
): Promise<FoundPerson[]> {
  const scopes = scopesOf(viewer.grants, ['people:read', 'devices:read']);
  const reached = deviceScopeCondition(scopes);
  const { exists, named } = personSightOf(viewer);
  const found = await on.execute<PersonRecord>(sql`
    select p.id, p.username, p.name, p.email, p.phone, p.country, p.language, p.created_at as "createdAt",
      (select count(*)::int from device d where d.owner_id = p.id and ${reached}) as "deviceCount", ${named} as named
    from ${page.from} where ${page.where} and ${exists}
    order by ${page.byName ? sql`p.name, p.id` : sql`p.id`} limit ${page.limit}`);
  return found.rows.map((row) => ({
    person: toPerson(row),
    sortName: page.byName ? row.name : '',
  }));
}

function toPerson({ named, ...row }: PersonRecord): Person {
  const person = { ...row, createdAt: isoOf(row.createdAt) } as Person;
  if (named) return person;
  return {
    ...person,
    username: maskName(person.username),
    name: maskName(person.name),
    email: maskEmail(person.email),
    phone: maskPhone(person.phone),
  };
}
