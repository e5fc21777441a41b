import { sql } from 'drizzle-orm';
import { newId } from '@deviceportal/contract/ids';
import type { CaseEntry } from '@deviceportal/contract/cases';
import { listCaseEntries } from '../../src/cases/list-case-entries.ts';
import type { CasesDeps } from '../../src/cases/cases-deps.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Caller, Viewer } from '../../src/platform/viewer.ts';
import { origin, seedDevices } from '../support/command-fixture.ts';

export interface SeededPerson {
  readonly id: string;
  readonly deviceIds: readonly string[];
}

/** Creates a customer with one device in each of these countries. */
export async function seedPerson(
  database: Database,
  name: string,
  countries: readonly string[] = ['DE'],
): Promise<SeededPerson> {
  const id = newId();
  await database.orm.execute(sql`
    insert into person (id, username, name, email, phone)
    values (${id}, ${id}, ${name}, ${`${id}@example.com`}, '+4930123456')`);
  const deviceIds = await seedDevices(
    database,
    countries.map((country) => ({ country, name: `${name} in ${country}` })),
  );
  await database.orm.execute(sql`
    update device set owner_id = ${id} where id = any(${sql.param(deviceIds)}::uuid[])`);
  return { id, deviceIds };
}

/** A caller, in a case or in none. */
export function callerIn(viewer: Viewer, caseId: string | null = null): Caller {
  return { ...origin, viewer, caseId };
}

/** All entries as a viewer sees them, oldest first. */
export async function entriesOf(
  deps: CasesDeps,
  viewer: Viewer,
  caseId: string,
): Promise<CaseEntry[]> {
  const page = await listCaseEntries(deps, viewer, { caseId, pageSize: 100, cursor: null });
  return page.rows.toReversed();
}
