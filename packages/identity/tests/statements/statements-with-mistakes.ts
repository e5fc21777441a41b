import type { Queryable } from '../../src/database/in-transaction.ts';

interface Role {
  readonly id: string;
  readonly code: string;
  readonly description: string | null;
  readonly people: number;
  readonly createdAt: Date;
}

const COLUMNS = 'id, code, description, created_at as "createdAt"';
const roleOf = (alias: string): string => `${alias}.user_pool_id = $1`;

/** Each differs from the schema in one way; never run. */
export async function statementsWithMistakes(db: Queryable, pool: string): Promise<unknown[]> {
  await db.query('select from identity.provider_roles');
  await db.query(`select from identity.provider_role r where ${roleOf('r')} and r.title = 'a'`, [
    pool,
  ]);
  for (const column of ['code', 'label']) {
    await db.query(`select from identity.provider_role where ${column} = $1`, [pool]);
  }
  await db.query<Role>(`select ${COLUMNS} from identity.provider_role`);
  await db.query<Pick<Role, 'id'>>('select id, code from identity.provider_role');
  await db.query<Pick<Role, 'people'>>('select count(*) as people from identity.provider_role');
  await db.query<{ createdAt: string }>(
    'select created_at as "createdAt" from identity.provider_role',
  );
  await db.query<{ codes: number[] }>(
    'select array_agg(code) as codes from identity.provider_role',
  );
  await db.query('select from identity.provider_role where id = $1 and code = $2', [pool]);
  await db.query('select from identity.provider_role where created_at > $1', [true]);
  await db.query('select from identity.provider_upload where id = any($1)', [pool]);
  const answer = await db.query('select id from identity.provider_role');
  return answer.rows;
}
