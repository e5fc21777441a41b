import { sql } from 'drizzle-orm';
import type { Explanation } from '@deviceportal/contract/explanations';
import {
  holds,
  reaches,
  scopesOf,
  type Permission,
  type Scope,
} from '@deviceportal/contract/permissions';
import { findRoles } from '../access/find-roles.ts';
import { findDevice } from '../devices/find-device.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ExplainDeps } from './explain-deps.ts';
import {
  settleReasons,
  type ActSketch,
  type ReasonDevice,
  type ReasonSketch,
} from './reason-sketch.ts';

export interface RefusedAct {
  /** Several, any of which would do, are joined by ` | `. */
  readonly permission: string;
  readonly deviceId: string | null;
}

/** Why an act was refused: the permission is held nowhere, or not for this device. Nothing where it is held now. */
export async function explainPermission(
  { database }: Pick<ExplainDeps, 'database'>,
  viewer: Viewer,
  { permission, deviceId }: RefusedAct,
): Promise<Explanation> {
  const wanted = permission.split('|').map((one) => one.trim()) as Permission[];
  const roles = (await findRoles(database.orm)).filter(({ permissions }) =>
    wanted.some((one) => permissions.includes(one)),
  );
  const scopes = scopesOf(viewer.grants, wanted);
  const device = deviceId === null ? null : await readDevice({ database }, viewer, deviceId);
  const facts = { permission, roles: roles.map(({ name }) => name).join(', ') };
  const act = unblock(viewer, permission, roles[0]?.id);
  const sketches: ReasonSketch[] = [];
  if (scopes.length === 0) sketches.push({ code: 'permission-missing', facts, act });
  else if (device !== null && !reaches(scopes, device)) {
    sketches.push({
      code: 'permission-elsewhere',
      facts: { ...facts, scope: scopes.map(scopeWords).join(' | ') },
      act,
    });
  }
  return { about: null, reasons: settleReasons(sketches, { grants: viewer.grants, roles }) };
}

/** Who gives roles goes there; everybody else asks. */
function unblock(viewer: Viewer, permission: string, roleId: string | undefined): ActSketch {
  return roleId !== undefined && holds(viewer.grants, 'access:manage')
    ? { kind: 'open-roles', on: { roleId } }
    : { kind: 'request-access', on: { permission } };
}

async function readDevice(
  { database }: Pick<ExplainDeps, 'database'>,
  viewer: Viewer,
  reference: string,
): Promise<ReasonDevice> {
  const id = await findDevice(database.orm, viewer, { reference, permissions: ['devices:read'] });
  const { rows } = await database.orm.execute(
    sql`select country, model, labels from device where id = ${id}`,
  );
  return rows[0] as unknown as ReasonDevice;
}

/** Codes and names as they are stored: the same in every language. */
function scopeWords({ countries, models, labels }: Scope): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [...countries, ...models, ...pairs].join(', ');
}
