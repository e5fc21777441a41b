import { recordAudit, systemActor } from '../audit-trail/record-audit.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { FilePlace } from '../platform/files/file-place.ts';
import { ensurePlaceId, keepPlaceRecord, readPlaceRecord } from '../platform/files/place-record.ts';
import { lockPlace, placeNameOf } from '../platform/files/require-own-place.ts';

/** Records that the files of this database are in another place; without effect if they are there. */
export async function adoptFilePlace(tx: Transaction, place: FilePlace): Promise<void> {
  await lockPlace(tx);
  const before = await readPlaceRecord(tx);
  if (before === undefined) return;
  const id = await ensurePlaceId(place);
  if (before.id === id) return;
  const name = placeNameOf(place);
  const others = [...new Set([...before.others, before.id])].filter((each) => each !== id);
  await keepPlaceRecord(tx, { id, name, others });
  const data = { from: before.name, to: name };
  await recordAudit(tx, [{ type: 'installation.files-moved', actor: systemActor, data }]);
}
