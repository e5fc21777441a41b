import type { Database } from '../../apps/server/src/platform/database/database.ts';
import { fillFleet, writeInBulk } from '../device-list-fleet.ts';
import { personName } from './people-names.ts';

const VOCABULARY = 200_000;

/** A fleet whose people have names of a real customer base, with an agent on every device. */
export async function fillInstalledFleet(database: Database, size: number): Promise<void> {
  await fillFleet(database, size, personName);
  await writeInBulk(
    database,
    ['device_instance', 'search_word'],
    [
      `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version, architecture,
       agent_version, host_name, ip_address, certificate_fingerprint, certificate_ends_at)
     select 'mi-' || substr(md5(id::text), 1, 17), id, 'current', 'Linux', 'Debian', '13', 'x64', '1.2.0',
       'host-' || lower(serial_number), '10.' || n / 65536 % 256 || '.' || n / 256 % 256 || '.' || n % 256, 'f', now()
     from (select id, serial_number, substr(serial_number, 3)::int as n from device) d
     order by 1`,
      // As many distinct words as the names of a real customer base.
      `insert into search_word (word)
     select distinct (array['ka','ber','lin','mo','ste','fan','o','wal','czy','schu'])[1 + n % 10]
       || (array['ma','ri','son','ta','ven','ger','li','ko','ras','ez'])[1 + n / 10 % 10]
       || (array['der','ski','mann','ova','berg','sen','nik','dt','ello','ian'])[1 + n / 100 % 10]
       || substr(translate(md5(n::text), '0123456789', 'ghijklmnop'), 1, 3)
     from generate_series(0, ${VOCABULARY - 1}) n`,
    ],
  );
}
