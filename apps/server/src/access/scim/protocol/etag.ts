import { createHash } from 'node:crypto';
import { ScimError } from './scim-error.ts';

/** The version of a representation: equal exactly if its content is. */
export const versionOf = (resource: object): string =>
  `W/"${createHash('sha256').update(JSON.stringify(resource)).digest('base64url').slice(0, 16)}"`;

/**
 * Rejects a change of a resource that was changed since the client read it.
 * @throws ScimError 412
 */
export function requireVersion(ifMatch: string | undefined, version: string): void {
  if (ifMatch === undefined || namesVersion(ifMatch, version)) return;
  throw new ScimError(412, `The resource has changed. Its current version is ${version}.`);
}

/** Whether a list of entity tags contains a version. */
export const namesVersion = (tags: string, version: string): boolean =>
  tags.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(version));

/** Tags are compared weakly (RFC 9110, section 8.8.3.2). */
const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
