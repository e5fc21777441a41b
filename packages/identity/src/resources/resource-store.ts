import type { Queryable } from '../database/in-transaction.ts';

/** docs/design/sign-in.md, section 3, "Target types". */
export type ResourceType = 'DATA' | 'API' | 'MENU' | 'UI' | 'BUTTON';

export interface AuthorizedResource {
  readonly code: string;
  readonly type: ResourceType;
  /** Allowed actions; empty for a resource without actions. */
  readonly actions: readonly string[];
  readonly apiIdentifier: string | null;
}

/**
 * Resources of a namespace that a user is authorized for: by own grants, those of roles and their
 * parents, and those of departments and their parents. A DENY removes its actions from every ALLOW;
 * `*` is all actions.
 */
export async function listAuthorizedResources(
  db: Queryable,
  userId: string,
  where: { readonly namespace: string; readonly type: string | undefined },
): Promise<AuthorizedResource[]> {
  const answer = await db.query<AuthorizedResource>(
    `with recursive roles as (
       select r.id, r.parent_id from identity.provider_role_member m
         join identity.provider_role r on r.id = m.role_id where m.user_id = $1
       union
       select r.id, r.parent_id from roles join identity.provider_role r on r.id = roles.parent_id
     ), departments as (
       select d.id, d.parent_id from identity.provider_department_member m
         join identity.provider_department d on d.id = m.department_id where m.user_id = $1
       union
       select d.id, d.parent_id
         from departments join identity.provider_department d on d.id = departments.parent_id
     ), principals as (
       select 'USER' as type, $1 as id
       union all select 'ROLE', id from roles
       union all select 'ORG', id from departments
     ), granted as (
       select g.resource_id, g.effect, g.actions from principals p
         join identity.provider_grant g on g.principal_type = p.type and g.principal_id = p.id
     ), per_resource as (
       select r.code, r.type, r.api_identifier,
         array(select distinct action from granted g, unnest(g.actions) action
                where g.resource_id = r.id and g.effect = 'ALLOW' order by action) as allowed,
         array(select distinct action from granted g, unnest(g.actions) action
                where g.resource_id = r.id and g.effect = 'DENY') as denied
         from identity.provider_resource r
        where r.namespace = $2 and ($3::text is null or r.type = $3)
          and exists (select 1 from granted g where g.resource_id = r.id and g.effect = 'ALLOW')
     )
     select code, type, api_identifier as "apiIdentifier",
            array(select action from unnest(allowed) action where action <> all (denied)) as actions
       from per_resource
      where '*' <> all (denied) and (cardinality(allowed) = 0 or not allowed <@ denied)
      order by code`,
    [userId, where.namespace, where.type ?? null],
  );
  return answer.rows;
}

export async function insertResource(
  db: Queryable,
  resource: AuthorizedResource & {
    readonly id: string;
    readonly userPoolId: string;
    readonly namespace: string;
  },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_resource
       (id, user_pool_id, namespace, code, type, actions, api_identifier, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      resource.id,
      resource.userPoolId,
      resource.namespace,
      resource.code,
      resource.type,
      resource.actions,
      resource.apiIdentifier,
      at,
    ],
  );
}

export interface Grant {
  readonly resourceId: string;
  readonly principal: { readonly type: 'USER' | 'ROLE' | 'ORG'; readonly id: string };
  readonly effect: 'ALLOW' | 'DENY';
  readonly actions: readonly string[];
}

export async function setGrant(
  db: Queryable,
  { resourceId, principal, effect, actions }: Grant,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into identity.provider_grant
       (resource_id, principal_type, principal_id, effect, actions, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (resource_id, principal_type, principal_id, effect)
       do update set actions = excluded.actions`,
    [resourceId, principal.type, principal.id, effect, actions, at],
  );
}
