import type { GooseBitPlace } from './goosebit-place.ts';
import { openGooseBitDatabase } from './open-goosebit-database.ts';

/** Copies devices that gooseBit has stored itself, with other IDs, in its database. */
export async function storeTargets(place: GooseBitPlace, upTo: number): Promise<void> {
  await using database = await openGooseBitDatabase(place);
  const { rows } = await database.client.query<{ name: string }>(
    `select quote_ident(column_name) as name from information_schema.columns
     where table_schema = 'public' and table_name = 'device' and column_name <> 'id'`,
  );
  const columns = rows.map(({ name }) => name).join(', ');
  await database.client.query(
    `with known as (select *, row_number() over (order by id) as place, count(*) over () as total from device)
     insert into device (id, ${columns})
     select 'stored-' || n, ${columns} from generate_series(1, $1::int - (select max(total) from known)) n
     join known on known.place = 1 + n % known.total`,
    [upTo],
  );
  await database.client.query('vacuum analyze');
}
