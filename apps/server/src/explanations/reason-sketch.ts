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

/** What rights are checked against where an act is done to one device. */
export interface ReasonDevice {
  readonly country: string | null;
  readonly model: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

export interface ActSketch {
  readonly kind: ReasonActKind;
  readonly on: Readonly<Record<string, string | number>>;
  /** Any one of these allows it; none is needed to look at something. */
  readonly needs?: readonly Permission[];
  /** Where the permission must reach. */
  readonly device?: ReasonDevice;
  /** Where more than a permission decides: a second person, the operator. */
  readonly allowed?: boolean;
  /** Whose it is where it is not `allowed`; nobody's name where any other person may. */
  readonly whose?: string;
  /** Done in its place by who holds the right that it would ask for. */
  readonly otherwise?: ActSketch;
}

/** A reason before it is known what of it is the viewer's to do. */
export interface ReasonSketch {
  readonly code: ReasonCode;
  readonly facts?: Reason['facts'];
  readonly since?: string | null;
  readonly until?: string | null;
  readonly act?: ActSketch | null;
}

export interface RoleRights {
  readonly name: string;
  readonly permissions: readonly Permission[];
}

interface Rights {
  readonly grants: readonly Grant[];
  readonly roles: readonly RoleRights[];
}

/** What the viewer may do themselves, and whom they ask for the rest. */
export function settleReasons(sketches: readonly ReasonSketch[], rights: Rights): Reason[] {
  return sketches.map(({ code, facts = {}, since = null, until = null, act = null }) => ({
    code,
    facts,
    since,
    until,
    act: act === null ? null : settleAct(act, rights),
  }));
}

/** Nobody is told to ask for a right that they hold. */
function settleAct(act: ActSketch, rights: Rights): ReasonAct | null {
  const { kind, on } = act;
  if (kind === 'request-access' && holds(rights.grants, String(on['permission']) as Permission)) {
    return act.otherwise === undefined ? null : settleAct(act.otherwise, rights);
  }
  return { kind, on, lacks: lackOf(act, rights) };
}

function lackOf(act: ActSketch, { grants, roles }: Rights): ReasonLack | null {
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
