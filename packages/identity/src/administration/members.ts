import type { Member } from '@deviceportal/contract/provider-admin';
import { refuse } from '@deviceportal/contract/refuse';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ActOrigin } from './administration-act.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { findKnownPerson } from './find-known-person.ts';

/** A page of people: those after this id, at most `limit`. */
export interface MemberPlace {
  readonly after: string | undefined;
  readonly limit: number;
}

/** The people who belong to a department or hold a role. */
export interface MemberAdministration {
  listMembers(id: string, page: MemberPlace): Promise<readonly Member[]>;
  /** @param person email address, phone number, or username */
  addMember(
    member: { readonly id: string; readonly person: string },
    origin: ActOrigin,
  ): Promise<void>;
  removeMember(
    member: { readonly id: string; readonly userId: string },
    origin: ActOrigin,
  ): Promise<void>;
}

export interface StoredMember extends Omit<Member, 'since'> {
  readonly since: Date;
}

/** Of `identity.provider_user u` and its `identity.account a`. */
export const MEMBER_COLUMNS = `u.id as "userId", coalesce(a.username, a.email, a.phone_number, u.id) as username,
  coalesce(u.profile ->> 'name', '') as name, u.status`;

export function toMember({ since, ...member }: StoredMember): Member {
  return { ...member, since: since.toISOString() };
}

/**
 * Finds a user by verified email address or phone number, or username.
 * @throws PortalError invalidParameters at `person`
 */
export async function requireMember(
  { users }: Pick<ProviderContext, 'users'>,
  person: string,
): Promise<ProviderUser> {
  const found = await findKnownPerson({ users }, person);
  if (found !== undefined) return found;
  throw refuse('member-unknown', { field: 'person' });
}
