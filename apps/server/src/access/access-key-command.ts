import { readFile } from 'node:fs/promises';
import { PortalError } from '@deviceportal/contract/errors';
import { accessKeyPolicies } from '@deviceportal/identity/access-key-policies';
import type { AccessKeyAdministration } from '@deviceportal/identity/access-key-administration';
import { MalformedPolicyError } from '@deviceportal/identity/parse-policy';
import { StartError } from '../platform/process/start-error.ts';

type Work = (accessKeys: AccessKeyAdministration) => Promise<string>;

/** Work of the access key commands; undefined if the arguments are for another command. */
export function chooseAccessKeyWork(words: readonly string[]): Work | undefined {
  const [verb, subject, policy] = words;
  if (verb === 'list-access-keys' && words.length === 1) return listKeys;
  if (verb === 'revoke-access-key' && subject !== undefined && words.length === 2) {
    return (accessKeys) => revokeKey(accessKeys, subject);
  }
  if (verb === 'create-access-key' && subject !== undefined) {
    return (accessKeys) => createKey(accessKeys, { name: subject, policy: policy ?? 'read-users' });
  }
  return undefined;
}

async function createKey(
  accessKeys: AccessKeyAdministration,
  input: { readonly name: string; readonly policy: string },
): Promise<string> {
  const policy = await readPolicy(input.policy);
  const key = await inOperatorWords(
    accessKeys.createAccessKey({ name: input.name, policy }),
    input.name,
  );
  return [
    `Access key ${key.name} (${input.policy}). The secret is shown this once:`,
    `AWS_ACCESS_KEY_ID=${key.accessKeyId}`,
    `AWS_SECRET_ACCESS_KEY=${key.secretAccessKey}`,
  ].join('\n');
}

async function listKeys(accessKeys: AccessKeyAdministration): Promise<string> {
  const keys = await accessKeys.listAccessKeys();
  if (keys.length === 0) return 'There are no access keys.';
  return keys
    .map((key) =>
      [
        key.accessKeyId,
        key.name,
        `created ${key.createdAt.toISOString()}`,
        key.revokedAt === null ? 'in use' : `revoked ${key.revokedAt.toISOString()}`,
      ].join('  '),
    )
    .join('\n');
}

async function revokeKey(accessKeys: AccessKeyAdministration, id: string): Promise<string> {
  await inOperatorWords(accessKeys.revokeAccessKey(id), id);
  return `Access key ${id} is revoked, and with it every role session that it assumed.`;
}

/** Reads a policy by its name, or from a file. */
async function readPolicy(named: string): Promise<unknown> {
  if (named in accessKeyPolicies) return accessKeyPolicies[named as keyof typeof accessKeyPolicies];
  const names = Object.keys(accessKeyPolicies).join(', ');
  const text = await readFile(named, 'utf8').catch((error: unknown) => {
    throw new StartError(`POLICY is one of ${names}, or a readable file; ${named} is neither.`, {
      cause: error,
    });
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new StartError(`${named} does not contain valid JSON.`, { cause: error });
  }
}

async function inOperatorWords<T>(work: Promise<T>, subject: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof MalformedPolicyError) {
      throw new StartError(`The policy is malformed: ${error.message}`, { cause: error });
    }
    if (!(error instanceof PortalError)) throw error;
    const reasons: Readonly<Record<string, string>> = {
      userAlreadyExists: `An access key named ${subject} is in use; revoke it first.`,
      notFound: `There is no access key ${subject} in use.`,
      invalidParameters: `A name ${error.issues[0]?.message ?? 'is malformed'}.`,
    };
    throw new StartError(reasons[error.errorName] ?? error.message, { cause: error });
  }
}
