import { z } from 'zod';
import { canonicalJson } from '@deviceportal/command-signing/canonical-json';
import {
  faultOfStatement,
  signStatement,
  type SignedStatement,
  type StatementFault,
  type StatementType,
} from '@deviceportal/command-signing/signed-statement';
import type { TextVault } from '../output/text-vault.ts';
import { newBlinding, openBlinding } from './blinding.ts';
import type { RunSigning } from './run-signing.ts';

/** A signed authorization of a later run, stored next to the rows that it covers. */
export interface Authorization extends SignedStatement {
  /**
   * Encrypted, because with it short secrets could be guessed from their digest. Only if the signed facts include
   * secrets.
   */
  readonly blinding?: string;
}

export interface AuthorizedFacts {
  readonly type: StatementType;
  /** ID of the schedule or rollout. */
  readonly id: string;
  /**
   * All facts that determine what will run; a function if they include digests of secrets, which depend on the
   * blinding.
   */
  readonly facts: Facts | ((blinding: string) => Facts);
}

type Facts = Readonly<Record<string, unknown>>;

export interface AuthorizationAct {
  /** By ID only, because the signed text cannot be changed when the user is erased. */
  readonly by: { readonly id: string };
  readonly at: Date;
}

export type AuthorizationFault = StatementFault | 'unsigned' | 'changed';

/** How stored rows differ from what a user authorized. */
export interface AuthorizationMismatch {
  readonly fault: AuthorizationFault;
  /** Names of the facts that differ. */
  readonly changed: readonly string[];
}

interface SigningDeps {
  readonly signing: Pick<RunSigning, 'keys'>;
  readonly vault: Pick<TextVault, 'sealText' | 'openText'>;
}

const payloadSchema = z.object({ facts: z.record(z.string(), z.unknown()) });

export async function authorize(
  { signing, vault }: SigningDeps,
  { type, id, facts }: AuthorizedFacts,
  { by, at }: AuthorizationAct,
): Promise<Authorization> {
  const sign = (signed: Facts): Promise<SignedStatement> =>
    signStatement(
      type,
      { facts: signed, authorizedBy: by, authorizedAt: at },
      signing.keys.current,
    );
  if (typeof facts !== 'function') return sign(facts);
  const blinding = newBlinding(vault, id);
  return { ...(await sign(facts(blinding.text))), blinding: blinding.sealed };
}

/** Whether it is signed by a key that is not revoked, regardless of what it covers. */
export const isSigned = (
  { signing }: Pick<SigningDeps, 'signing'>,
  authorization: Authorization | null,
): boolean =>
  authorization?.signatures.some(({ keyId }) =>
    signing.keys.trusted.some((key) => key.keyId === keyId),
  ) ?? false;

/** Null if a key of this installation has signed exactly these facts. */
export function findMismatch(
  { signing, vault }: SigningDeps,
  authorization: Authorization | null,
  { type, id, facts }: AuthorizedFacts,
): AuthorizationMismatch | null {
  if (authorization === null) return { fault: 'unsigned', changed: [] };
  const fault = faultOfStatement(type, authorization, signing.keys.trusted);
  if (fault !== null) return { fault, changed: [] };
  const signed = payloadSchema.parse(JSON.parse(authorization.payload)).facts;
  const actual =
    typeof facts === 'function' ? openFacts(vault, { id, facts, authorization }) : facts;
  if (actual === null) return { fault: 'changed', changed: ['blinding'] };
  const changed = [...new Set([...Object.keys(signed), ...Object.keys(actual)])].filter(
    (name) => canonicalJson(signed[name] ?? null) !== canonicalJson(actual[name] ?? null),
  );
  return changed.length === 0 ? null : { fault: 'changed', changed };
}

function openFacts(
  vault: SigningDeps['vault'],
  {
    id,
    facts,
    authorization,
  }: {
    readonly id: string;
    readonly facts: (blinding: string) => Facts;
    readonly authorization: Authorization;
  },
): Facts | null {
  try {
    return facts(openBlinding(vault, id, authorization.blinding ?? ''));
  } catch {
    return null;
  }
}
