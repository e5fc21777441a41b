import type { Note } from '@deviceportal/contract/devices';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { isDeviceHeld } from '../legal-holds/data/hold-queries.ts';
import { inTransaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import { maskUser } from '../people/mask-person.ts';
import type { Caller, Viewer } from '../platform/viewer.ts';
import {
  deleteNote,
  findNote,
  insertNote,
  notesOf,
  selectNotes,
  type StoredNote,
} from './data/note-queries.ts';
import type { DevicesDependencies } from './devices-dependencies.ts';
import { findDevice } from './find-device.ts';

/** The newest notes of a device, newest first. */
export async function listNotes(
  deps: DevicesDependencies,
  viewer: Viewer,
  deviceId: string,
): Promise<readonly Note[]> {
  const on = deps.database.orm;
  const id = await findDevice(on, viewer, { reference: deviceId, permissions: ['devices:read'] });
  const notes = await selectNotes(on, id);
  return notes.map((note) => toNote(note, viewer));
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
    await requireRoom(tx, { limit: 'deviceNotes', of: deviceId, existing: notesOf(deviceId) });
    const row: StoredNote = {
      ...{ id: newId(), deviceId, text: input.text },
      ...{ authorId: viewer.userId, author: viewer.displayName, createdAt: deps.clock() },
    };
    await insertNote(tx, row);
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

/** Deletes a note of the caller, or any note with `devices:manage`. */
export async function removeNote(
  deps: DevicesDependencies,
  caller: Caller,
  noteId: string,
): Promise<void> {
  const { viewer } = caller;
  const note = await findNote(deps.database.orm, noteId);
  if (note === undefined) throw new PortalError('notFound');
  const mine = note.authorId === viewer.userId;
  if (!mine && !holds(viewer.grants, 'devices:manage')) throw new PortalError('notFound');
  await findDevice(deps.database.orm, viewer, {
    reference: note.deviceId,
    permissions: [mine ? 'devices:read' : 'devices:manage'],
  });
  await inTransaction(deps.database, async (tx) => {
    if (await isDeviceHeld(tx, note.deviceId)) throw refuse('data-held');
    // A concurrent request can have deleted it. The deletion is recorded once.
    if (!(await deleteNote(tx, noteId))) throw new PortalError('notFound');
    await recordAudit(tx, [
      {
        type: 'device.note-removed',
        actor: actorOf(viewer, caller),
        deviceId: note.deviceId,
        requestId: caller.requestId,
        data: { noteId, authorId: note.authorId },
      },
    ]);
  });
  deps.changes.publish([{ kind: 'audit-trail', deviceIds: [note.deviceId] }]);
}

function toNote(row: StoredNote, viewer: Viewer): Note {
  return {
    id: row.id,
    text: row.text,
    author: maskUser(row.author, viewer),
    createdAt: row.createdAt.toISOString(),
    mine: row.authorId === viewer.userId,
  };
}
