import type { Queryable } from '../database/in-transaction.ts';

export interface RateLimitState {
  readonly hits: number;
  readonly windowEndsAt: Date;
}

/** Counts one hit in a window that starts with the first hit; one statement, so parallel hits all count. */
export async function countHit(
  db: Queryable,
  keyHash: Buffer,
  window: { readonly now: Date; readonly endsAt: Date },
): Promise<RateLimitState> {
  const answer = await db.query<RateLimitState>(
    `insert into identity.rate_limit as r (key_hash, window_ends_at, hits) values ($1, $3, 1)
     on conflict (key_hash) do update set
       hits = case when r.window_ends_at <= $2 then 1 else r.hits + 1 end,
       window_ends_at = case when r.window_ends_at <= $2 then excluded.window_ends_at else r.window_ends_at end
     returning hits, window_ends_at as "windowEndsAt"`,
    [keyHash, window.now, window.endsAt],
  );
  return answer.rows[0] ?? { hits: 1, windowEndsAt: window.endsAt };
}

/** Gives a hit back: what was counted did not happen. */
export async function uncountHit(db: Queryable, keyHash: Buffer): Promise<void> {
  await db.query(
    'update identity.rate_limit set hits = hits - 1 where key_hash = $1 and hits > 0',
    [keyHash],
  );
}
