import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Role } from '../roles/role.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { SecretHash } from '../../secrets/secret-hash.ts';
import { newAccessKeyId } from '../signature/new-access-key-id.ts';
import { insertCredential } from './credential-store.ts';
import type { Queryable } from '../../database/in-transaction.ts';
import { findSessionEnd } from '../../sessions/refresh-token-store.ts';

export const SECRET_KEY_BYTES = 30;
const SESSION_TOKEN_BYTES = 192;

export interface IssueContext {
  readonly pool: Queryable;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly box: SecretBox;
}

/** Owner of the credential. */
export interface CredentialPerson {
  readonly sub: string;
  readonly username: string;
  readonly groups: readonly string[];
  /** The sign-in it came from; null where the person signed in at another provider. */
  readonly originJti: string | null;
  /** End of such a user's session; for own sign-ins, the pool has it. */
  readonly sessionEndsAt?: Date;
}

/** Purpose of a new temporary credential. */
export interface CredentialRequest {
  /** Undefined for a role session of an application. */
  readonly identityId: string | undefined;
  readonly role: Role;
  readonly sessionName: string;
  /** Undefined for guests and applications. */
  readonly person: CredentialPerson | undefined;
  readonly lifetimeSeconds: number;
  readonly sessionPolicies?: readonly unknown[] | undefined;
  readonly sourceIdentity?: string | undefined;
  readonly parentAccessKeyId?: string | undefined;
}

export interface IssuedCredential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  readonly expiresAt: Date;
}

/** Makes a temporary key for SigV4. It ends after its lifetime, or with the sign-in it came from. */
export async function issueCredential(
  context: IssueContext,
  request: CredentialRequest,
): Promise<IssuedCredential> {
  const nowMs = context.clock.now();
  const { person } = request;
  const sessionEnd = await sessionEndOf(context, person);
  const expiresAt = new Date(
    Math.min(nowMs + request.lifetimeSeconds * 1_000, sessionEnd?.getTime() ?? Infinity),
  );
  const accessKeyId = newAccessKeyId('ASIA');
  const secretAccessKey = randomBytes(SECRET_KEY_BYTES).toString('base64');
  const sessionToken = randomBytes(SESSION_TOKEN_BYTES).toString('base64');
  await insertCredential(context.pool, {
    accessKeyId,
    secretBox: context.box.seal(secretAccessKey, accessKeyId),
    sessionTokenHash: context.hash('session-token', sessionToken),
    identityId: request.identityId ?? null,
    roleArn: request.role.arn,
    sessionName: request.sessionName,
    sessionPolicies: request.sessionPolicies ?? null,
    sourceIdentity: request.sourceIdentity ?? null,
    parentAccessKeyId: request.parentAccessKeyId ?? null,
    person: person ?? null,
    createdAt: new Date(nowMs),
    expiresAt,
  });
  return { accessKeyId, secretAccessKey, sessionToken, expiresAt };
}

async function sessionEndOf(
  { pool }: IssueContext,
  person: CredentialPerson | undefined,
): Promise<Date | undefined> {
  if (person === undefined) return undefined;
  return person.originJti === null ? person.sessionEndsAt : findSessionEnd(pool, person.originJti);
}
