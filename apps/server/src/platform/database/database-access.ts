import { readFile } from 'node:fs/promises';
import { loadAws } from '../aws/load-aws.ts';
import type { DatabaseConfig, DatabaseServer } from '../config/config.ts';
import { isLoopback } from '../config/is-loopback.ts';
import { StartError } from '../process/start-error.ts';
import type { DatabaseAccess } from './connections/open-pool.ts';
import { RotatedCredentials, type DatabaseCredentials } from './connections/rotated-credentials.ts';

/** A database outside of this installation. */
export type ExternalDatabase = Exclude<DatabaseConfig, { readonly kind: 'embedded' }>;

export interface DatabaseAccesses {
  /** With the server's role. */
  readonly runtime: DatabaseAccess;
  /** With the role that owns the tables; undefined if none is configured. */
  readonly owner: DatabaseAccess | undefined;
}

/** Tokens are valid for 15 minutes (Amazon RDS User Guide, IAM database authentication). */
const TOKEN_MAX_AGE_MS = 600_000;

/**
 * How the server connects to an external database.
 *
 * @param onError called if credentials could not be read again after a rotation
 * @throws StartError if a file or a package is missing
 */
export async function openDatabaseAccess(
  config: ExternalDatabase,
  onError: (error: unknown) => void,
): Promise<DatabaseAccesses> {
  if (config.kind === 'url') {
    const { url, ownerUrl, caFile } = config;
    if (caFile !== undefined) await readAuthorities(caFile);
    const accessBy = (to: string): DatabaseAccess => ({
      connection: { connectionString: caFile === undefined ? to : verifiedBy(to, caFile) },
    });
    return {
      runtime: accessBy(url),
      owner: ownerUrl === undefined ? undefined : accessBy(ownerUrl),
    };
  }
  const connection = await connectionTo(config.server);
  const read = config.kind === 'secret' ? await secretsOf(config) : await tokensOf(config);
  const maxAge = config.kind === 'iam' ? { maxAgeMs: TOKEN_MAX_AGE_MS } : {};
  const accessOf = (name: string): DatabaseAccess => ({
    connection,
    credentials: new RotatedCredentials({ read: () => read(name), ...maxAge, onError }),
  });
  const [runtime, owner] =
    config.kind === 'secret'
      ? [config.secretId, config.ownerSecretId]
      : [config.user, config.ownerUser];
  return { runtime: accessOf(runtime), owner: owner === undefined ? undefined : accessOf(owner) };
}

/** Names the settings of the server's role and of the owner's role, for error lines. */
export const databaseSettingsOf = {
  url: { runtime: 'DEVICEPORTAL_DATABASE_URL', owner: 'DEVICEPORTAL_DATABASE_OWNER_URL' },
  secret: {
    runtime: 'DEVICEPORTAL_DATABASE_SECRET_ID',
    owner: 'DEVICEPORTAL_DATABASE_OWNER_SECRET_ID',
  },
  iam: { runtime: 'DEVICEPORTAL_DATABASE_USER', owner: 'DEVICEPORTAL_DATABASE_OWNER_USER' },
} as const satisfies Record<ExternalDatabase['kind'], unknown>;

type ReadCredentials = (name: string) => Promise<DatabaseCredentials>;

async function secretsOf(
  config: Extract<ExternalDatabase, { readonly kind: 'secret' }>,
): Promise<ReadCredentials> {
  const { createSecretsManager } = await loadAws(
    'secrets-manager',
    'DEVICEPORTAL_DATABASE_SECRET_ID',
  );
  const secrets = createSecretsManager(config.secrets);
  return async (id) => {
    const secret = await secrets.read(id);
    if (secret === undefined) throw new Error(`the secret ${id} does not exist`);
    return credentialsIn(Buffer.from(secret).toString(), id);
  };
}

async function tokensOf(
  config: Extract<ExternalDatabase, { readonly kind: 'iam' }>,
): Promise<ReadCredentials> {
  const { createRdsTokens } = await loadAws('rds-tokens', 'DEVICEPORTAL_DATABASE_USER');
  const { host, port } = config.server;
  const createToken = createRdsTokens({ region: config.region, host, port });
  return async (user) => ({ user, password: await createToken(user) });
}

/** Secrets of databases contain more fields, which the settings replace (AWS Secrets Manager). */
function credentialsIn(secret: string, id: string): DatabaseCredentials {
  const { username, password } = parsed(secret);
  if (typeof username === 'string' && typeof password === 'string') {
    return { user: username, password };
  }
  throw new Error(`the secret ${id} is not JSON with "username" and "password"`);
}

function parsed(secret: string): { readonly username?: unknown; readonly password?: unknown } {
  try {
    return (JSON.parse(secret) as object | null) ?? {};
  } catch {
    // The error of the parser contains a part of the secret.
    return {};
  }
}

async function connectionTo({ host, port, name, caFile }: DatabaseServer) {
  const ca = caFile === undefined ? undefined : await readAuthorities(caFile);
  const isLocal = host.startsWith('/') || isLoopback(host);
  const tls = { host, rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
  return { host, port, database: name, ssl: isLocal && ca === undefined ? false : tls };
}

/** The same URL, with the server verified by these authorities. */
function verifiedBy(url: string, caFile: string): string {
  const verified = new URL(url);
  verified.searchParams.set('sslmode', 'verify-full');
  verified.searchParams.set('sslrootcert', caFile);
  return verified.href;
}

async function readAuthorities(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartError(`DEVICEPORTAL_DATABASE_CA_FILE: ${file} cannot be read.`, {
      cause: error,
    });
  });
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new StartError(`DEVICEPORTAL_DATABASE_CA_FILE: ${file} does not contain PEM certificates.`);
}
