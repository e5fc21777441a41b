import type { Queryable } from '../database/in-transaction.ts';

/** An application as its users see it. */
export interface AllowedApplication {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly logo: string;
  /** Host of its first address. */
  readonly domain: string;
}

/** The applications of a pool: every one of its people may use each. Oldest first. */
export async function listAllowedApplications(
  db: Queryable,
  userPoolId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
): Promise<{ readonly totalCount: number; readonly list: readonly AllowedApplication[] }> {
  const total = await db.query<{ count: number }>(
    'select count(*)::int as count from identity.provider_application where user_pool_id = $1',
    [userPoolId],
  );
  const answer = await db.query<AllowedApplication>(
    `select app_id as id, name, coalesce(description, '') as description,
            coalesce(logo, '') as logo,
            coalesce(substring(redirect_uris[1] from '^[a-z]+://([^/?#]+)'), '') as domain
       from identity.provider_application where user_pool_id = $1
      order by created_at, app_id limit $2 offset $3`,
    [userPoolId, limit, (page - 1) * limit],
  );
  return { totalCount: total.rows[0]?.count ?? 0, list: answer.rows };
}
