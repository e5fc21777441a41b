import { idSchema } from '@deviceportal/contract/ids';
import { findRunningAccessGrants } from '../../access/data/access-grant-bonds.ts';
import { findPermanentGrants } from '../../access/data/user-queries.ts';
import { hasOwnUserPool } from '../../platform/config/provider-origins.ts';
import { digestOfGrant } from '../../platform/digest-of-grant.ts';
import type { LinkHolder } from '../../platform/person-links.ts';
import type { Platform } from '../../platform/platform.ts';
import type { IdentityParts } from '../compose-identity.ts';

export type FindValidHolders = (holders: readonly LinkHolder[]) => Promise<ReadonlySet<LinkHolder>>;

const idsIn = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].filter((text) => idSchema.safeParse(text).success);

/**
 * Finds those of the holders who are admitted, and whose sign-in, temporary access, and permanent roles are still
 * valid, with the same number of statements for any number of holders.
 */
export function validHolderFinder(
  { config, database: { orm } }: Pick<Platform, 'config' | 'database'>,
  { identity, provider }: Pick<IdentityParts, 'identity' | 'provider'>,
): FindValidHolders {
  const findOpenSignIns = async (
    ids: readonly string[],
  ): Promise<ReadonlySet<string> | undefined> => {
    // External providers do not report ended sign-ins.
    if (config.providerSet.source !== 'embedded') return undefined;
    if (hasOwnUserPool(config.providerSet)) return identity.findOpenSignIns(idsIn(ids));
    return (await provider?.findOpenSignIns(ids)) ?? new Set();
  };
  return async (holders) => {
    const [lasting, running, open] = await Promise.all([
      findPermanentGrants(orm, idsIn(holders.map(({ userId }) => userId))),
      findRunningAccessGrants(orm, idsIn(holders.flatMap(({ accessGrantIds }) => accessGrantIds))),
      findOpenSignIns(holders.flatMap(({ signInId }) => signInId ?? [])),
    ]);
    const heldBy = new Map(
      [...lasting].map(([userId, grants]) => [userId, new Set(grants.map(digestOfGrant))]),
    );
    const isValid = ({ userId, signInId, accessGrantIds, rights }: LinkHolder): boolean => {
      const held = heldBy.get(userId);
      if (held === undefined || !rights.every((right) => held.has(right))) return false;
      if (!accessGrantIds.every((id) => running.has(id))) return false;
      return signInId === undefined || open === undefined || open.has(signInId);
    };
    return new Set(holders.filter(isValid));
  };
}
