import { sql } from 'drizzle-orm';
import type { SoftwareApproval, SoftwareVersionRow } from '@deviceportal/contract/versions';
import { maskUser } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import { isoOf } from '../platform/moment-cursor.ts';
import type { Viewer } from '../platform/viewer.ts';
import { cellsWithin } from './cells-within.ts';

const LISTED = 1_000;

interface SoftwareRow extends Record<string, unknown> {
  readonly version: string;
  readonly state: SoftwareVersionRow['state'];
  readonly channel: string;
  readonly models: string[];
  readonly notes: string;
  readonly released_at: string | null;
  readonly created_at: string;
  readonly created_by: string;
  readonly devices: number;
  readonly artefact_name: string | null;
  readonly artefact_bytes: number | null;
  readonly artefact_sha256: string | null;
}

/** The versions of a component that are on record, the newest first. */
export async function listSoftware(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string,
): Promise<readonly SoftwareVersionRow[]> {
  const found = await deps.database.orm.execute<SoftwareRow>(sql`
    select s.version, s.state, s.channel, s.models, s.notes, s.released_at, s.created_at, s.created_by,
      coalesce(k.devices, 0) as devices, s.artefact_name, s.artefact_bytes::float8 as artefact_bytes, s.artefact_sha256
    from software_version s
    left join (select version, sum(devices)::int as devices from (${cellsWithin(viewer, component)}) c group by 1) k
      on k.version = s.version
    where s.component = ${component}
    order by version_rank(s.version) collate "C" desc, s.version desc limit ${LISTED}`);
  return found.rows.map((row) => ({
    component,
    version: row.version,
    state: row.state,
    channel: row.channel,
    models: row.models,
    notes: row.notes,
    releasedAt: row.released_at === null ? null : isoOf(row.released_at),
    createdAt: isoOf(row.created_at),
    createdBy: maskUser(row.created_by, viewer),
    devices: row.devices,
    artefact:
      row.artefact_name === null || row.artefact_sha256 === null
        ? null
        : {
            name: row.artefact_name,
            bytes: row.artefact_bytes ?? 0,
            sha256: row.artefact_sha256,
          },
  }));
}

interface ApprovalRow extends Record<string, unknown> {
  readonly model: string;
  readonly country: string;
  readonly version: string;
  readonly approved_by: string;
  readonly approved_at: string;
  readonly mandatory_from: string | null;
}

export async function listApprovals(
  deps: { readonly database: Database },
  viewer: Viewer,
  component: string,
): Promise<readonly SoftwareApproval[]> {
  const found = await deps.database.orm.execute<ApprovalRow>(sql`
    select model, country, version, approved_by, approved_at, mandatory_from
    from version_approval where component = ${component} order by model, country limit ${LISTED}`);
  return found.rows.map((row) => ({
    component,
    model: row.model,
    country: row.country,
    version: row.version,
    approvedBy: maskUser(row.approved_by, viewer),
    approvedAt: isoOf(row.approved_at),
    mandatoryFrom: row.mandatory_from === null ? null : isoOf(row.mandatory_from),
  }));
}
