import { randomBytes } from 'node:crypto';
import { PortalError } from '@deviceportal/contract/errors';
import { z } from 'zod';
import { administer, type AdministrationContext } from '../administration/administer.ts';
import { serverOrigin, type ActOrigin } from '../administration/administration-act.ts';
import { parseInput } from '../administration/parse-input.ts';
import { SECRET_KEY_BYTES } from '../cognito/identity-pool/issue-credential.ts';
import { parsePolicy } from '../cognito/policy/parse-policy.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { newAccessKeyId } from '../cognito/signature/new-access-key-id.ts';
import { insertSignedCallsKey, listSignedCallsKeys } from './access-key-store.ts';
import { endAccessKey } from './end-access-key.ts';

const nameSchema = z
  .string()
  .regex(/^[\w+=,.@-]{1,64}$/, 'must have 1 to 64 letters, digits, or any of +=,.@_-');

export interface NewAccessKey {
  readonly accessKeyId: string;
  /** Returned once. It is stored sealed, to verify signatures. */
  readonly secretAccessKey: string;
  readonly name: string;
}

export interface AccessKeyFacts {
  readonly accessKeyId: string;
  readonly name: string;
  readonly policy: unknown;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

/**
 * Administration of access keys of applications that administer the pool with signed calls. Callers
 * and records are as in the administration of users.
 */
export interface AccessKeyAdministration {
  /**
   * @param policy a document in the language of AWS IAM: all that the key may do
   * @throws PortalError userAlreadyExists when a key of this name is in use; MalformedPolicyError
   */
  createAccessKey(
    input: { readonly name: string; readonly policy: unknown },
    origin?: ActOrigin,
  ): Promise<NewAccessKey>;
  /** Revoked ones included, newest first. */
  listAccessKeys(): Promise<AccessKeyFacts[]>;
  /**
   * Ends the key and every role session that was assumed with it.
   * @throws PortalError notFound when there is no such key in use
   */
  revokeAccessKey(accessKeyId: string, origin?: ActOrigin): Promise<void>;
}

export function createAccessKeyAdministration(
  context: AdministrationContext & { readonly box: SecretBox },
): AccessKeyAdministration {
  return {
    async createAccessKey(input, origin = serverOrigin) {
      const name = parseInput(nameSchema, input.name);
      parsePolicy(input.policy);
      const accessKeyId = newAccessKeyId('AKIA');
      const secretAccessKey = randomBytes(SECRET_KEY_BYTES).toString('base64');
      await administer(context, origin, async (act) => {
        const isNew = await insertSignedCallsKey(act.client, {
          accessKeyId,
          name,
          secretBox: context.box.seal(secretAccessKey, accessKeyId),
          policy: input.policy,
          createdAt: act.now,
          revokedAt: null,
        });
        if (!isNew) throw new PortalError('userAlreadyExists', { facts: { attribute: 'name' } });
        await act.write('accessKeyCreated', { detail: { accessKeyId, name } });
      });
      return { accessKeyId, secretAccessKey, name };
    },
    async listAccessKeys() {
      const keys = await listSignedCallsKeys(context.pool);
      return keys.map(({ secretBox: _secretBox, ...facts }) => facts);
    },
    async revokeAccessKey(accessKeyId, origin = serverOrigin) {
      await administer(context, origin, async (act) => {
        const name = await endAccessKey(act, { accessKeyId, use: 'signed-calls' });
        await act.write('accessKeyRevoked', { detail: { accessKeyId, name } });
      });
    },
  };
}
