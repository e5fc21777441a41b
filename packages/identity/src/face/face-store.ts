import type { Queryable } from '../database/in-transaction.ts';

export async function hasFace(db: Queryable, userId: string): Promise<boolean> {
  const answer = await db.query('select from identity.provider_face where user_id = $1', [userId]);
  return answer.rowCount === 1;
}

/** The sealed face of this user; undefined if there is none. */
export async function readFace(db: Queryable, userId: string): Promise<Buffer | undefined> {
  const answer = await db.query<{ box: Buffer }>(
    'select descriptor_box as box from identity.provider_face where user_id = $1',
    [userId],
  );
  return answer.rows[0]?.box;
}

export async function saveFace(
  db: Queryable,
  face: { readonly userId: string; readonly box: Buffer; readonly at: Date },
): Promise<void> {
  await db.query(
    `insert into identity.provider_face (user_id, descriptor_box, created_at) values ($1, $2, $3)
     on conflict (user_id) do update set descriptor_box = excluded.descriptor_box,
       created_at = excluded.created_at`,
    [face.userId, face.box, face.at],
  );
}
