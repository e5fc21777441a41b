import { sql } from 'drizzle-orm';
import { portalNow } from '../../platform/columns.ts';
import type { Executor } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { deviceRecords } from '../../devices/data/device-records.ts';
import { heldSince } from './watcher-queries.ts';
import type { TerminalRow } from './terminal-queries.ts';
import { terminalModelConsent, terminalSession, terminalWatcher } from './terminal-tables.ts';

/** Written more often than a session without a server is looked for. */
const SEEN_SECONDS = 3;

export type Attachment = Pick<TerminalRow, 'id' | 'attachment'>;

/** What a server must know of a session that one of its browsers holds. */
export interface KeptTerminal {
  readonly state: TerminalRow['state'];
  /** A higher one than the browser's: another browser holds the session. */
  readonly attachment: number;
  readonly recordedBytes: number;
  /** Whether the device is served, and its model allows terminals. */
  readonly isOffered: boolean;
  /** Usernames, in the order in which they began. */
  readonly watchers: readonly string[];
}

/**
 * Keeps the sessions that browsers of a server hold, and reads what has changed in them.
 *
 * @param attachments at least one
 * @returns by ID; without those that do not exist
 */
export async function keepAttached(
  on: Executor,
  attachments: readonly Attachment[],
): Promise<Map<string, KeptTerminal>> {
  const s = terminalSession;
  const w = terminalWatcher;
  const given = rowsOf(
    { id: 'uuid', attachment: 'integer' },
    attachments.map(({ id, attachment }) => ({ id, attachment })),
  );
  const { rows } = await on.execute<
    { id: string; recorded: string } & Omit<KeptTerminal, 'recordedBytes'>
  >(sql`
    with given as ${given},
    kept as (
      update ${s} set seen_at = ${portalNow} from given
      where ${s.id} = given.id and ${s.attachment} = given.attachment and ${s.state} <> 'ended'
        and ${s.seenAt} < ${portalNow} - make_interval(secs => ${SEEN_SECONDS}))
    select ${s.id}, ${s.state}, ${s.attachment}, ${s.recordedBytes}::text as recorded,
      ${deviceRecords.lifecycle} in ('active', 'pending') and ${terminalModelConsent.consent} is distinct from 'forbidden'
        as "isOffered",
      array(
        select ${w.username} from ${w} where ${w.sessionId} = ${s.id} and ${w.seenAt} > ${heldSince}
        order by ${w.joinedAt}, ${w.id}) as watchers
    from given
    join ${s} on ${s.id} = given.id
    join ${deviceRecords} on ${deviceRecords.deviceId} = ${s.deviceId}
    left join ${terminalModelConsent} on ${terminalModelConsent.model} = ${deviceRecords.model}`);
  return new Map(
    rows.map(({ id, recorded, ...row }) => [id, { ...row, recordedBytes: Number(recorded) }]),
  );
}
