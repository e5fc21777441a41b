import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../platform/database/database.ts';
import {
  findConnectionByToken,
  type ActiveConnection,
} from '../data/scim/scim-connection-queries.ts';
import { ScimError } from './protocol/scim-error.ts';

const PREFIX = 'dpscim_';
const TOKEN = /^dpscim_[\w-]{43}$/;

/** Shown once, and stored as a hash. The prefix lets scanners of source code find it. */
export const newScimToken = (): string => `${PREFIX}${randomBytes(32).toString('base64url')}`;

export const hashScimToken = (token: string): string =>
  createHash('sha256').update(token).digest('hex');

/** @throws ScimError 401 without a valid token */
export async function authenticateConnection(
  { database }: { readonly database: Pick<Database, 'orm'> },
  authorization: string | undefined,
): Promise<ActiveConnection> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const connection = TOKEN.test(token)
    ? await findConnectionByToken(database.orm, hashScimToken(token))
    : undefined;
  if (connection !== undefined) return connection;
  throw new ScimError(401, 'The token is missing, wrong, expired, or revoked.');
}
