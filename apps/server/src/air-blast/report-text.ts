import type { AirBlastTargetRow } from '@deviceportal/contract/air-blast';
import { PortalError } from '@deviceportal/contract/errors';
import type { Scope } from '@deviceportal/contract/permissions';
import { maskName } from '../people/mask-person.ts';
import { csvHeader, csvLines, type CsvColumns } from '../platform/csv.ts';
import type { AirBlastDeps } from './air-blast-deps.ts';
import { findAirBlast } from './data/rollout-queries.ts';
import type { AirBlastRecord } from './data/air-blast-record.ts';
import { readFacts } from './get-air-blast.ts';
import { selectFailures } from './data/result-queries.ts';
import { selectTimeline } from './select-timeline.ts';
import { selectTargetRows } from './data/targets/target-row-queries.ts';
import type { ReportLink } from './report-link.ts';

const ROWS_AT_ONCE = 500;

const columns: CsvColumns<AirBlastTargetRow> = [
  ['device_id', (row) => row.deviceId],
  ['device', (row) => row.name],
  ['serial_number', (row) => row.serialNumber],
  ['model', (row) => row.model],
  ['country', (row) => row.country],
  ['excluded_because', (row) => row.exclusion],
  ['no_go_because', (row) => row.noGo.join(' ')],
  ['canary', (row) => row.canary],
  ['wave', (row) => (row.canary ? null : row.wave)],
  ['state', (row) => row.invocationState],
  ['status_details', (row) => row.statusDetails],
  ['exit_code', (row) => row.responseCode],
  ['reported_version', (row) => row.reportedVersion],
  ['verified', (row) => row.verified],
  ['run_id', (row) => row.runId],
  ['invocation_id', (row) => row.invocationId],
];

/**
 * The report as text, in chunks of 500 devices. CSV (RFC 4180) has a line for each device. JSON also has the plan,
 * steps, waves, approvals, failures, and timeline. Times are UTC, ISO 8601. Secrets are masked.
 *
 * @throws PortalError 2003
 */
export async function* reportText(
  { database }: Pick<AirBlastDeps, 'database'>,
  link: ReportLink,
): AsyncGenerator<string> {
  const run = await findAirBlast(database.orm, link.id, 'all');
  if (run === undefined) throw new PortalError('notFound', { facts: { airBlast: link.id } });
  const isCsv = link.format === 'csv';
  yield isCsv ? csvHeader(columns) : `${await headOf(database.orm, run, link)},"devices":[`;
  let separator = '\n';
  for await (const rows of pagesOf(database.orm, run, link.scopes)) {
    if (isCsv) {
      yield csvLines(columns, rows);
      continue;
    }
    yield separator + rows.map((row) => JSON.stringify(recordOf(row))).join(',\n');
    separator = ',\n';
  }
  if (!isCsv) yield '\n]}\n';
}

type Orm = AirBlastDeps['database']['orm'];

/** Everything except the devices, as a JSON object without its closing brace. */
async function headOf(
  orm: Orm,
  run: AirBlastRecord,
  { scopes, seesNames }: ReportLink,
): Promise<string> {
  const shown = (name: string): string => (seesNames ? name : maskName(name));
  const [facts, failures, timeline] = await Promise.all([
    readFacts(orm, run, shown),
    selectFailures(orm, run, scopes),
    selectTimeline(orm, run, shown),
  ]);
  return JSON.stringify({ ...facts, failures, timeline }).slice(0, -1);
}

async function* pagesOf(
  orm: Orm,
  run: AirBlastRecord,
  scopes: readonly Scope[],
): AsyncGenerator<readonly AirBlastTargetRow[]> {
  let after: string | null = null;
  for (;;) {
    const rows: AirBlastTargetRow[] = await selectTargetRows(orm, {
      run,
      scopes,
      group: 'all',
      after,
      limit: ROWS_AT_ONCE,
    });
    if (rows.length > 0) yield rows;
    after = rows.at(-1)?.deviceId ?? null;
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

function recordOf(row: AirBlastTargetRow): Record<string, unknown> {
  return Object.fromEntries(columns.map(([header, value]) => [header, value(row)]));
}
