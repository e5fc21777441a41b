import pg from 'pg';
import type { MeshCentralPlace } from './meshcentral-place.ts';

/** Copies devices that MeshCentral has stored itself, with other IDs and names, in its database. */
export async function storeNodes(
  { dataDir }: MeshCentralPlace,
  group: string,
  upTo: number,
): Promise<void> {
  const client = new pg.Client({
    ...{ host: `${dataDir}/postgres-socket`, user: 'postgres', database: 'meshcentral' },
  });
  await client.connect();
  try {
    await client.query(
      `with known as (
         select *, row_number() over (order by id) as place, count(*) over () as total
         from main where type = 'node' and extra = $1
       )
       insert into main (id, type, domain, extra, extraex, doc)
       select fresh.id, type, domain, extra, extraex,
         jsonb_set(jsonb_set(doc::jsonb, '{_id}', to_jsonb(fresh.id)), '{name}', to_jsonb('stored-' || n))::json
       from generate_series(1, $2::int - (select max(total) from known)) n
       join known on known.place = 1 + n % known.total,
       lateral (select 'node//' || rpad(md5('a' || n) || md5('b' || n), 64, '0') as id) fresh`,
      [group, upTo],
    );
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
