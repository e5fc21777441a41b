import type {
  Reason,
  ReasonAct,
  ReasonActKind,
  ReasonCode,
  ReasonLack,
} from '@deviceportal/contract/explanations';
import {
  holds,
  reaches,
  scopesOf,
  type Grant,
  type Permission,
} from '@deviceportal/contract/permissions';

/** Attributes of a device that scopes are checked against. */
export interface ReasonDevice {
  readonly country: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

export interface ActionDraft {
  readonly kind: ReasonActKind;
  readonly on: Readonly<Record<string, string | number>>;
  /** Any of these permissions allows it; none is needed to view something. */
  readonly needs?: readonly Permission[];
  /** The device that the permission must cover. */
  readonly device?: ReasonDevice;
  /** Conditions other than permissions: a second person, the operator. */
  readonly allowed?: boolean;
  /** The user who can do it if it is not `allowed`; absent if any other user with the permission can. */
  readonly whose?: string;
  /** Used instead if the viewer has the permission that they would otherwise have to request. */
  readonly otherwise?: ActionDraft;
}

/** A reason before the viewer's permissions have been applied. */
export interface ReasonDraft {
  readonly code: ReasonCode;
  readonly facts?: Reason['facts'];
  readonly since?: string | null;
  readonly until?: string | null;
  readonly act?: ActionDraft | null;
}

export interface RoleRights {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

interface Rights {
  readonly grants: readonly Grant[];
  readonly roles: readonly RoleRights[];
}

/** Resolves what the viewer can do, and whom they can ask for the rest. */
export function resolveReasons(sketches: readonly ReasonDraft[], rights: Rights): Reason[] {
  return sketches.map(({ code, facts = {}, since = null, until = null, act = null }) => ({
    code,
    facts,
    since,
    until,
    act: act === null ? null : resolveAction(act, rights),
  }));
}

/** A viewer is never told to request a permission that they have. */
function resolveAction(act: ActionDraft, rights: Rights): ReasonAct | null {
  const { kind, on } = act;
  if (kind === 'request-access' && holds(rights.grants, String(on['permission']) as Permission)) {
    return act.otherwise === undefined ? null : resolveAction(act.otherwise, rights);
  }
  return { kind, on, lacks: lackOf(act, rights) };
}

function lackOf(act: ActionDraft, { grants, roles }: Rights): ReasonLack | null {
  const { needs = [], device, allowed = true, whose = null } = act;
  const held = needs.find((permission) => holds(grants, permission));
  const isHeld = needs.length === 0 || held !== undefined;
  const isReached = device === undefined || reaches(scopesOf(grants, needs), device);
  if (isHeld && allowed && (needs.length === 0 || isReached)) return null;
  return {
    kind: !isHeld ? 'right' : isReached ? 'person' : 'reach',
    permission: held ?? needs.at(-1) ?? '',
    roles: roles
      .filter(({ permissions }) => needs.some((permission) => permissions.includes(permission)))
      .map(({ name }) => name),
    who: isHeld && isReached ? whose : null,
  };
}
