import { sql, type SQL } from 'drizzle-orm';
import type { CaseEntryKind } from '@deviceportal/contract/cases';
import { newId } from '@deviceportal/contract/ids';
import type { Executor } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';

export interface EntryDraft {
  readonly caseId: string;
  readonly at: Date;
  readonly actorId: string;
  readonly actor: string;
  readonly kind: CaseEntryKind;
  readonly deviceId?: string | null;
  readonly runId?: string | null;
  readonly reference?: string | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

const columnTypes = {
  id: 'uuid',
  case_id: 'uuid',
  at: 'timestamptz',
  actor_id: 'uuid',
  actor: 'text',
  kind: 'text',
  device_id: 'uuid',
  run_id: 'uuid',
  reference: 'text',
  data: 'jsonb',
} as const;

/** In the transaction of what they speak of. */
export async function insertEntries(tx: Executor, drafts: readonly EntryDraft[]): Promise<void> {
  if (drafts.length === 0) return;
  const rows = drafts.map((draft) => ({
    id: newId(),
    case_id: draft.caseId,
    at: draft.at.toISOString(),
    actor_id: draft.actorId,
    actor: draft.actor,
    kind: draft.kind,
    device_id: draft.deviceId ?? null,
    run_id: draft.runId ?? null,
    reference: draft.reference ?? null,
    data: JSON.stringify(draft.data ?? {}),
  }));
  await tx.execute(sql`
    insert into case_entry (${sql.raw(Object.keys(columnTypes).join(', '))})
    select * from ${rowsOf(columnTypes, rows)} as entry`);
}

/** Entries of one kind in a case, as a query of rows. */
export const entriesOfKind = (caseId: string, kind: CaseEntryKind): SQL =>
  sql`select from case_entry where case_id = ${caseId} and kind = ${kind}`;

/** A look that goes on: the person's last one at the same thing is prolonged. False when there is none so young. */
export async function prolongLook(
  on: Executor,
  look: EntryDraft,
  pauseSeconds: number,
): Promise<boolean> {
  const at = sql`${look.at.toISOString()}::timestamptz`;
  const { rowCount } = await on.execute(sql`
    update case_entry set until = ${at} where id = (
      select e.id from case_entry e
      where e.case_id = ${look.caseId} and e.actor_id = ${look.actorId} and e.kind = ${look.kind}
        and e.device_id is not distinct from ${look.deviceId ?? null}::uuid
        and e.reference is not distinct from ${look.reference ?? null}::text
        and coalesce(e.until, e.at) > ${at} - make_interval(secs => ${pauseSeconds})
      order by e.at desc, e.id desc limit 1)`);
  return rowCount === 1;
}
