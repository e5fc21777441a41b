import type { CallOptions, IdentityClient } from '../core/identity-client.ts';

/** A person's identity card and bank card. */
export interface PersonProof {
  readonly type: 'P';
  readonly name: string;
  readonly idCard: string;
  readonly bankCard: string;
}

/** A company's register number and its legal representative. */
export interface EnterpriseProof {
  readonly type: 'E';
  readonly enterpriseName: string;
  readonly enterpriseCode: string;
  readonly legalPersonName: string;
}

export interface RealName {
  readonly id: string;
  readonly principalType: 'P' | 'E';
  readonly principalName: string;
  readonly principalCode: string;
  readonly authenticationTime: string;
  readonly userId: string;
  readonly userPoolId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const PATH = '/api/v2/users/principal_authentication';

/** The current user's verified real name; null if there is none. */
export async function getRealName(
  client: IdentityClient,
  { signal }: CallOptions = {},
): Promise<RealName | null> {
  return ((await client.rest({ method: 'GET', path: PATH, signal })) ?? null) as RealName | null;
}

/** Verifies the current user's real name. */
export async function proveRealName(
  client: IdentityClient,
  proof: PersonProof | EnterpriseProof,
  { signal }: CallOptions = {},
): Promise<true> {
  await client.rest({ method: 'POST', path: PATH, body: bodyOf(proof), signal });
  return true;
}

function bodyOf(proof: PersonProof | EnterpriseProof): object {
  return proof.type === 'P'
    ? { type: 'P', name: proof.name, idCard: proof.idCard, ext: proof.bankCard }
    : {
        type: 'E',
        name: proof.enterpriseName,
        idCard: proof.enterpriseCode,
        ext: proof.legalPersonName,
      };
}
