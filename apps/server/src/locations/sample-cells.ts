import { sql } from 'drizzle-orm';
import type { LocationCell } from '@deviceportal/contract/locations';
import type { Predicate } from '../devices/search/device-predicate.ts';
import { every } from '../devices/search/predicate-forms.ts';
import type { Executor } from '../platform/database/database.ts';
import { readCells, type CellQuestion } from './cell-store.ts';
import { inRange } from './place-predicate.ts';

/** So many devices in view are looked at, about. */
const SAMPLED_DEVICES = 4_000;
/** The same sample each time: cells stay where they are while nothing changes. */
const SEED = 1;

/**
 * Cells reckoned from a sample of the devices in view: pages of the table, each device of which then stands for as many
 * as are in view for each one that was looked at.
 *
 * @param inView how many devices are in view, whichever they are
 */
export function sampleCells(
  on: Executor,
  question: CellQuestion,
  { conditions, inView }: { readonly conditions: readonly Predicate[]; readonly inView: number },
): Promise<LocationCell[]> {
  const { range, level } = question;
  const percent = Math.min(100, (100 * SAMPLED_DEVICES) / inView);
  return readCells(
    on,
    question,
    sql`
    with sampled as materialized (
      select l.* from device_location l tablesample system (${percent}::float8) repeatable (${SEED}::int)
      where ${inRange(range, sql`l`)})
    select l.cell_row >> ${level}::int as r, l.cell_column >> ${level}::int as q, coalesce(l.country, '') as place_country,
      s.connectivity, f.factor as n, l.cell_row * f.factor as row_sum, l.cell_column * f.factor as column_sum
    from sampled l
    cross join (select ${inView}::float8 / greatest(count(*), 1) as factor from sampled) f
    cross join lateral (select * from device_status s where s.device_id = l.device_id offset 0) s
    cross join lateral (select * from device d where d.id = l.device_id offset 0) d
    where ${every(conditions)}`,
  );
}
