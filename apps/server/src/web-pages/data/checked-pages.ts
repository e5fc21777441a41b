import { asc, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import { currentInstances } from '../../devices/data/current-instances.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { scopeReaches } from '../../devices/data/scope-reaches.ts';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { consentRules } from '../../terminals/data/consent-queries.ts';
import { MOST_OPEN, type WebPageRow } from './web-page-queries.ts';
import { webPageSession } from './web-page-tables.ts';

/** A session that has not ended, and what decides whether it may continue. */
export interface CheckedPage extends WebPageRow {
  /** The time of the database, which all times of sessions are. */
  readonly nowMs: number;
  /** Whether its device is served, within the scopes, offers the port, and has a model that allows web pages. */
  readonly isOffered: boolean;
}

const s = webPageSession;
const scope = sql`scope.value`;
const isInScope = sql`exists (
  select from jsonb_array_elements(${s.scopes}) scope where ${scopeReaches(scope, deviceRecords)})`;
const offersPort = sql`${currentInstances.webPages}::jsonb
  @> jsonb_build_array(jsonb_build_object('port', ${s.port}))`;
const allowsPages = sql`${consentRules.consent} is distinct from 'forbidden'`;

/** All sessions that have not ended, in one statement. */
export async function listCheckedPages(on: Executor): Promise<CheckedPage[]> {
  return on
    .select({
      ...getTableColumns(s),
      nowMs: sql<number>`(extract(epoch from ${portalNow}) * 1000)::float8`,
      isOffered: sql<boolean>`coalesce(${deviceRecords.lifecycle} in ('active', 'pending')
        and ${isInScope} and ${offersPort} and ${allowsPages}, false)`,
    })
    .from(s)
    .leftJoin(deviceRecords, eq(deviceRecords.deviceId, s.deviceId))
    .leftJoin(currentInstances, eq(currentInstances.deviceId, s.deviceId))
    .leftJoin(consentRules, eq(consentRules.model, deviceRecords.model))
    .where(ne(s.state, 'ended'))
    .orderBy(asc(s.openedAt))
    .limit(MOST_OPEN);
}
