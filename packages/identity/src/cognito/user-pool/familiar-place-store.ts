import type { Queryable } from '../../database/in-transaction.ts';

export async function isFamiliarPlace(
  db: Queryable,
  place: { readonly sub: string; readonly placeHash: Buffer; readonly since: Date },
): Promise<boolean> {
  const answer = await db.query(
    `select 1 from identity.familiar_place where sub = $1 and place_hash = $2 and used_at > $3`,
    [place.sub, place.placeHash, place.since],
  );
  return answer.rowCount === 1;
}

export async function rememberPlace(
  db: Queryable,
  place: { readonly sub: string; readonly placeHash: Buffer },
  now: Date,
): Promise<void> {
  await db.query(
    `insert into identity.familiar_place (sub, place_hash, used_at) values ($1, $2, $3)
     on conflict (sub, place_hash) do update set used_at = excluded.used_at`,
    [place.sub, place.placeHash, now],
  );
}

export async function forgetPlaces(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.familiar_place where used_at < $1', [before]);
}
