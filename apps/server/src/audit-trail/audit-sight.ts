import type { AuditActor, AuditEvent } from '@deviceportal/contract/audit-trail';
import { holds, scopesOf, type Permission, type Scope } from '@deviceportal/contract/permissions';
import { maskName } from '../people/mask-person.ts';
import { isEverywhere } from '../devices/is-everywhere.ts';
import type { Viewer } from '../platform/viewer.ts';
import { namesIn } from './audit-names.ts';

/** What a viewer can see of the trail. */
export interface AuditSight {
  readonly userId: string;
  readonly scopes: readonly Scope[];
  /** Without `people:read`, names of people are masked and not searched. */
  readonly seesPeople: boolean;
}

export function auditSightOf(viewer: Viewer, permission: Permission): AuditSight {
  return {
    userId: viewer.userId,
    scopes: scopesOf(viewer.grants, [permission]),
    seesPeople: holds(viewer.grants, 'people:read'),
  };
}

/** Without `people:read`, other users are reduced to their first letter, without their address. */
export function maskActor<Actor extends Omit<AuditActor, 'address'>>(
  actor: Actor,
  sight: AuditSight,
): Actor {
  if (sight.seesPeople || actor.kind !== 'user' || actor.id === sight.userId) return actor;
  const masked = { ...actor, name: maskName(actor.name) };
  return 'address' in actor ? { ...masked, address: null } : masked;
}

export function maskEvent(event: AuditEvent, sight: AuditSight): AuditEvent {
  return { ...event, actor: maskActor(event.actor, sight), data: maskData(event, sight) };
}

/** Whether the viewer sees an event as it was sealed: nothing is masked, and no count depends on their scope. */
export function isShownWhole(event: AuditEvent, sight: AuditSight): boolean {
  const { actor, data } = event;
  const counts = typeof data['runId'] === 'string' && 'targets' in data;
  if (counts && !sight.scopes.some(isEverywhere)) return false;
  if (sight.seesPeople) return true;
  const isOther = actor.kind === 'user' && actor.id !== sight.userId;
  return !isOther && namesIn(event).length === 0;
}

/** Masks people other than the actor, such as the author of a document. */
function maskData(event: AuditEvent, sight: AuditSight): AuditEvent['data'] {
  if (sight.seesPeople) return event.data;
  const masked = namesIn(event).map((field) => [field, maskName(String(event.data[field]))]);
  return { ...event.data, ...Object.fromEntries(masked) };
}
