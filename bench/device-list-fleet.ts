import type { Database } from '../apps/server/src/platform/database/database.ts';

const tables = [
  ...(['person', 'person_search', 'device', 'device_status', 'device_label'] as const),
  'search_word',
] as const;

/** A pseudo-random value between 0 and 1 that is the same each time. */
const chance = (salt: string) =>
  `(((hashint4(n * 7 + ${salt})::bigint & 2147483647) / 2147483647.0))`;
const idOf = (namespace: string) =>
  `(lpad(to_hex(n), 8, '0') || '-0000-7000-8000-${namespace}')::uuid`;

/**
 * Fills a database with typical correlations: the newest devices are online and seen recently,
 * batches and sites follow serial numbers, names start with the type, a rare country was added
 * late, some devices were never seen.
 *
 * @param personName the name of the person `n`, as an SQL expression
 */
export async function fillFleet(
  database: Database,
  size: number,
  personName = numberedName,
): Promise<void> {
  await writeInBulk(database, tables, statements(size, personName));
  await database.pool.query('alter index device_search set (fastupdate = off)');
}

/**
 * Runs the statements without the tables' secondary indexes and triggers, then recreates the indexes
 * and updates statistics.
 */
export async function writeInBulk(
  database: Database,
  into: readonly string[],
  work: readonly string[],
): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('set synchronous_commit = off');
    await client.query("set work_mem = '256MB'");
    await client.query("set maintenance_work_mem = '1GB'");
    for (const name of into) await client.query(`alter table ${name} disable trigger user`);
    const indexes = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = any(array[${into.map((name) => `'${name}'::regclass`).join(', ')}])
         and not indisprimary and not exists (select from pg_constraint c where c.conindid = indexrelid)`,
    );
    for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
    for (const statement of work) await client.query(statement);
    for (const name of into) await client.query(`alter table ${name} enable trigger user`);
    for (const { definition } of indexes.rows) await client.query(definition);
    for (const name of into) await client.query(`vacuum (analyze) ${name}`);
    await client.query('checkpoint');
  } finally {
    // Its settings are only for bulk writes.
    client.release(true);
  }
}

const numberedName = `(array['Anna','Bo','Cara','Dan','Eva','Finn','Gita','Hugo'])[1 + n % 8]
  || ' ' || (array['Berg','Chen','Diaz','Evans','Fuchs','Gupta'])[1 + n / 8 % 6] || ' ' || n`;

function statements(size: number, personName: string): string[] {
  const people = Math.max(1, Math.floor(size / 2));
  return [
    `insert into person (id, username, name, email, phone, country, language)
     select ${idOf('00000000000b')}, 'user' || n, ${personName},
       (array['anna','bo','cara','dan','eva','finn','gita','hugo'])[1 + n % 8] || '.' || to_hex(n) || '@example.com',
       '+49151' || lpad(n::text, 8, '0'), 'DE', 'en'
     from generate_series(0, ${people - 1}) n`,
    `insert into device (id, serial_number, serial_rank, name, model, owner_id, country, labels, lifecycle, search_text)
     select ${idOf('00000000000a')}, serial, serial, d.name, model, p.id, d.country, labels, lifecycle,
       lower(serial || ' ' || d.name || ' ' || p.name || ' ' || model || ' ' || (labels ->> 'batch') || ' '
         || (labels ->> 'env') || ' ' || (labels ->> 'site'))
     from (
       select n, 'DP' || lpad(n::text, 7, '0') as serial, model || '-' || substr(md5(n::text), 1, 6) as name, model, country,
         jsonb_build_object('batch', 'b' || n::bigint * 50 / ${size}, 'site', 's' || n::bigint * 2000 / ${size},
           'env', case when ${chance('3')} < 0.1 then 'test' else 'prod' end) as labels,
         case when ${chance('5')} < 0.005 then 'suspended' when ${chance('5')} < 0.01 then 'retired' else 'active' end
           as lifecycle
       from (
         select n, (array['beacon','camera','drone','gateway','kiosk','meter','scanner','terminal'])
             [1 + n::bigint * 8 / ${size}] as model,
           case when n > ${size} * 0.98 and n % 4 = 0 then 'NZ'
                else (array['PL','PL','PL','DE','DE','FR','CN','CN','US','BR','JP','IN'])[1 + (${chance('1')} * 11.99)::int % 12]
           end as country
         from generate_series(0, ${size - 1}) n) base) d
     join person p on p.id = (lpad(to_hex(n % ${people}), 8, '0') || '-0000-7000-8000-00000000000b')::uuid
     order by n`,
    `insert into device_label (key, value, device_id, serial_rank, name)
     select e.key, e.value, d.id, d.serial_rank, d.name from device d cross join lateral jsonb_each_text(d.labels) e
     order by d.serial_rank`,
    `insert into device_status (device_id, connectivity, connectivity_since, seen_rank, last_seen_at, connection_id, failing,
       instance_id, agent_version, platform, software_version, country, model, lifecycle, serial_rank, name)
     select id, connectivity, now() - interval '1 day', case connectivity when 'offline' then seen when 'never' then '-infinity'
         else 'infinity' end,
       case when connectivity = 'never' then null when connectivity = 'offline' then seen else now() end,
       case when connectivity in ('online', 'degraded') then id end,
       case when connectivity = 'degraded' then '[{"part":"disk","fact":"97 % used"}]' else '[]' end::jsonb,
       'mi-' || substr(md5(id::text), 1, 17), case when n > ${size} * 0.9 then '1.2.0' else '1.1.0' end,
       case when n % 20 = 0 then 'Windows' else 'Linux' end, '4.18.' || n * 3 / ${size}, country, model, lifecycle, serial_rank, name
     from (
       select d.*, n, case when ${chance('11')} < 0.02 then 'never'
           when ${chance('13')} < 0.25 + 0.6 * n / ${size} then case when ${chance('17')} < 0.01 then 'degraded' else 'online' end
           else 'offline' end as connectivity,
         now() - interval '1 hour' - ${chance('19')} * ${chance('23')} * interval '200 days' as seen
       from device d, lateral (select substr(serial_number, 3)::int as n) number) s
     order by n`,
    // What the triggers write.
    'insert into person_search select id, person_words(name, username, email) from person',
    `insert into search_word (word)
     select w from device d, search_words(d.search_text) w where w <> lower(d.serial_number)
     union select w from person p, search_words(lower(concat_ws(' ', p.name, p.username, p.email))) w`,
  ];
}
