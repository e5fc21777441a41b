import { PortalError } from '@deviceportal/contract/errors';
import type { Explanation } from '@deviceportal/contract/explanations';
import {
  holds,
  reaches,
  scopesOf,
  type Permission,
  type Scope,
} from '@deviceportal/contract/permissions';
import { findDeviceRecord } from '../devices/data/find-device-record.ts';
import { findRoles } from '../access/data/role-queries.ts';
import { findDevice } from '../devices/find-device.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ExplainDeps } from './explain-deps.ts';
import {
  resolveReasons,
  type ActionDraft,
  type ReasonDevice,
  type ReasonDraft,
} from './reason-draft.ts';

export interface RefusedAct {
  /** Alternatives, joined by ` | `. */
  readonly permission: string;
  readonly deviceId: string | null;
  /** The command that was to be run. */
  readonly command?: string;
}

/**
 * Why an action was rejected: the viewer has the permission for no device, or not for this one. Empty if they have it
 * now.
 */
export async function explainPermission(
  { database }: Pick<ExplainDeps, 'database'>,
  viewer: Viewer,
  { permission, deviceId, command = '' }: RefusedAct,
): Promise<Explanation> {
  const wanted = permission.split('|').map((one) => one.trim()) as Permission[];
  const roles = (await findRoles(database.orm)).filter(({ permissions }) =>
    wanted.some((one) => permissions.includes(one)),
  );
  const scopes = scopesOf(viewer.grants, wanted);
  const device = deviceId === null ? null : await readDevice({ database }, viewer, deviceId);
  const facts = { permission, roles: roles.map(({ name }) => name).join(', ') };
  const asked = { permission, command, device: device?.name ?? '' };
  const act = unblock(viewer, asked, roles[0]?.id);
  const sketches: ReasonDraft[] = [];
  if (scopes.length === 0) sketches.push({ code: 'permission-missing', facts, act });
  else if (device !== null && !reaches(scopes, device)) {
    sketches.push({
      code: 'permission-elsewhere',
      facts: { ...facts, scope: scopes.map(scopeWords).join(' | ') },
      act,
    });
  }
  return { about: null, reasons: resolveReasons(sketches, { grants: viewer.grants, roles }) };
}

/** Viewers who can assign roles are led to the role; others to an access request. */
function unblock(
  viewer: Viewer,
  asked: ActionDraft['on'],
  roleId: string | undefined,
): ActionDraft {
  return roleId !== undefined && holds(viewer.grants, 'access:manage')
    ? { kind: 'open-roles', on: { roleId } }
    : { kind: 'request-access', on: asked };
}

async function readDevice(
  { database }: Pick<ExplainDeps, 'database'>,
  viewer: Viewer,
  reference: string,
): Promise<ReasonDevice & { readonly name: string }> {
  const id = await findDevice(database.orm, viewer, { reference, permissions: ['devices:read'] });
  const device = await findDeviceRecord(database.orm, id);
  if (device === undefined)
    throw new PortalError('deviceNotFound', { facts: { device: reference } });
  return { ...device, name: device.serialNumber ?? device.name };
}

/** Codes and names as stored, not translated. */
function scopeWords({ countries, models, labels }: Scope): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return [...countries, ...models, ...pairs].join(', ');
}
