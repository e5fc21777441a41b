import type { Reason, ReasonActKind, ReasonCode } from '@deviceportal/contract/explanations';
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

/** What the viewer may do themselves, and whom they ask for the rest. */
export function settleReasons(
  sketches: readonly ReasonSketch[],
  { grants, roles }: { readonly grants: readonly Grant[]; readonly roles: readonly RoleRights[] },
): Reason[] {
  return sketches.map(({ code, facts = {}, since = null, until = null, act = null }) => ({
    code,
    facts,
    since,
    until,
    act:
      act === null
        ? null
        : {
            kind: act.kind,
            on: act.on,
            lacks: isAllowed(act, grants) ? null : lackOf(act, roles),
          },
  }));
}

function isAllowed({ needs = [], device, allowed = true }: ActSketch, grants: readonly Grant[]) {
  if (!allowed) return false;
  if (needs.length === 0) return true;
  return device === undefined
    ? needs.some((permission) => holds(grants, permission))
    : reaches(scopesOf(grants, needs), device);
}

function lackOf({ needs = [] }: ActSketch, roles: readonly RoleRights[]) {
  return {
    permission: needs.at(-1) ?? '',
    roles: roles
      .filter(({ permissions }) => needs.some((permission) => permissions.includes(permission)))
      .map(({ name }) => name),
  };
}
