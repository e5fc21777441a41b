import { sql } from 'drizzle-orm';
import type { Note } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { findDevice } from './find-device.ts';
import { requiredIsoMoment } from './list/moment-text.ts';

const LISTED_NOTES = 200;

interface NoteRecord extends Record<string, unknown> {
  readonly id: string;
  readonly device_id: string;
  readonly text: string;
  readonly author_id: string;
  readonly author: string;
  readonly created_at: string;
}

/** The newest notes of a device, newest first. */
export async function listNotes(
  deps: DevicesDependencies,
  viewer: Viewer,
  deviceId: string,
): Promise<readonly Note[]> {
  const on = deps.database.orm;
  const id = await findDevice(on, viewer, { reference: deviceId, permissions: ['devices:read'] });
  const found = await on.execute<NoteRecord>(sql`
    select * from device_note where device_id = ${id} order by created_at desc, id desc limit ${LISTED_NOTES}`);
  return found.rows.map((row) => toNote(row, viewer));
}

export async function addNote(
  deps: DevicesDependencies,
  caller: Caller,
  input: { readonly deviceId: string; readonly text: string },
): Promise<Note> {
  const { viewer } = caller;
  const deviceId = await findDevice(deps.database.orm, viewer, {
    reference: input.deviceId,
    permissions: ['devices:read'],
  });
  const note = await inTransaction(deps.database, async (tx) => {
    const existing = sql`select from device_note where device_id = ${deviceId}`;
    await requireRoom(tx, { limit: 'deviceNotes', of: deviceId, existing });
    const added = await tx.execute<NoteRecord>(sql`
      insert into device_note (id, device_id, text, author_id, author, created_at)
      values (${newId()}, ${deviceId}, ${input.text}, ${viewer.userId}, ${viewer.displayName},
        ${deps.clock().toISOString()}::timestamptz)
      returning *`);
    const row = added.rows[0];
    if (row === undefined) throw new PortalError('unknown', { detail: 'note not stored' });
    await recordAudit(tx, [
      {
        type: 'device.note-added',
        actor: actorOf(viewer, caller),
        deviceId,
        requestId: caller.requestId,
        data: { noteId: row.id },
      },
    ]);
    return toNote(row, viewer);
  });
  deps.changes.publish([{ kind: 'audit-trail', deviceIds: [deviceId] }]);
  return note;
}

/** One's own note, or anyone's with `devices:manage`. */
export async function removeNote(
  deps: DevicesDependencies,
  caller: Caller,
  noteId: string,
): Promise<void> {
  const { viewer } = caller;
  const found = await deps.database.orm.execute<NoteRecord>(
    sql`select * from device_note where id = ${noteId}`,
  );
  const note = found.rows[0];
  if (note === undefined) throw new PortalError('notFound');
  const mine = note.author_id === viewer.userId;
  if (!mine && !holds(viewer.grants, 'devices:manage')) throw new PortalError('notFound');
  await findDevice(deps.database.orm, viewer, {
    reference: note.device_id,
    permissions: [mine ? 'devices:read' : 'devices:manage'],
  });
  await inTransaction(deps.database, async (tx) => {
    const removed = await tx.execute(sql`delete from device_note where id = ${noteId}`);
    // Somebody else was quicker: it is removed, and recorded, once.
    if (removed.rowCount === 0) throw new PortalError('notFound');
    await recordAudit(tx, [
      {
        type: 'device.note-removed',
        actor: actorOf(viewer, caller),
        deviceId: note.device_id,
        requestId: caller.requestId,
        data: { noteId, authorId: note.author_id },
      },
    ]);
  });
  deps.changes.publish([{ kind: 'audit-trail', deviceIds: [note.device_id] }]);
}

function toNote(row: NoteRecord, viewer: Viewer): Note {
  return {
    id: row.id,
    text: row.text,
    author: maskUser(row.author, viewer),
    createdAt: requiredIsoMoment(row.created_at),
    mine: row.author_id === viewer.userId,
  };
}
