import { resolve } from 'node:path';
import type { Circumstances } from '../circumstances.ts';
import type { DatabaseConfig, DatabaseServer } from '../config.ts';
import { nameOf, type SettingName } from '../read-values.ts';
import { settings, type SettingValues } from '../settings.ts';

type Connector = DatabaseConfig['kind'];

const needed: Readonly<Record<Connector, readonly SettingName[]>> = {
  embedded: [],
  url: ['databaseUrl'],
  secret: ['databaseHost', 'databaseSecretId', 'databaseName'],
  iam: ['databaseHost', 'databaseUser', 'databaseName'],
};

const allowed: Readonly<Record<Connector, readonly SettingName[]>> = {
  embedded: [],
  url: ['databaseUrl', 'databaseOwnerUrl', 'databaseCaFile'],
  secret: [
    ...needed.secret,
    ...(['databasePort', 'databaseOwnerSecretId', 'databaseCaFile'] as const),
    'databaseSecretEndpoint',
  ],
  iam: [...needed.iam, 'databasePort', 'databaseOwnerUser', 'databaseCaFile'],
};

const all = new Set(Object.values(allowed).flat());

/** A connector needs its settings, and those of the others are not allowed with it. */
export function refuseDatabase(circumstances: Circumstances): string | undefined {
  const { values, given } = circumstances;
  const connector = connectorOf(values);
  const missing = needed[connector].find((setting) => !given.has(setting));
  const foreign = [...all].find(
    (setting) => given.has(setting) && !allowed[connector].includes(setting),
  );
  const because = given.has('databaseConnector')
    ? `${name('databaseConnector')} is "${connector}"`
    : `the database connector is "${connector}"`;
  if (foreign !== undefined) return `${name(foreign)} is set, but ${because}.`;
  if (missing !== undefined) return `${name(missing)} is missing, but ${because}.`;
  const urls = (['databaseUrl', 'databaseOwnerUrl'] as const).filter(
    (setting) => given.has('databaseCaFile') && given.has(setting),
  );
  const unprotected = urls.find((setting) => isUnverified(values[setting] ?? '', true));
  return unprotected === undefined
    ? undefined
    : `${name('databaseCaFile')} verifies the database, but ${name(unprotected)} switches this off by its sslmode.`;
}

/** The configured connector, or the one that the other settings imply. */
function connectorOf(values: SettingValues): Connector {
  if (values.databaseConnector !== undefined) return values.databaseConnector;
  if (values.databaseUrl ?? values.databaseOwnerUrl) return 'url';
  if (values.databaseUser ?? values.databaseOwnerUser) return 'iam';
  const { databaseHost, databaseSecretId, databaseOwnerSecretId, databaseName } = values;
  return (databaseHost ?? databaseSecretId ?? databaseOwnerSecretId ?? databaseName)
    ? 'secret'
    : 'embedded';
}

/** Contradictions have already been rejected. */
export function chooseDatabase(values: SettingValues, workingDir: string): DatabaseConfig {
  const connector = connectorOf(values);
  const { databaseCaFile, databaseUrl: url, databaseOwnerUrl: ownerUrl, region } = values;
  const caFile = databaseCaFile && resolve(workingDir, databaseCaFile);
  if (connector === 'url' && url !== undefined) {
    return { kind: 'url', url, ...(ownerUrl && { ownerUrl }), ...(caFile && { caFile }) };
  }
  const { databaseHost: host, databaseName } = values;
  if (host === undefined || databaseName === undefined) return { kind: 'embedded' };
  const server: DatabaseServer = {
    ...{ host, port: values.databasePort, name: databaseName },
    caFile: caFile || undefined,
  };
  const { databaseSecretId: secretId, databaseUser: user } = values;
  if (connector === 'secret' && secretId !== undefined) {
    const ownerSecretId = values.databaseOwnerSecretId;
    const secrets = { region, endpoint: values.databaseSecretEndpoint };
    return { kind: 'secret', server, secretId, ...(ownerSecretId && { ownerSecretId }), secrets };
  }
  if (connector !== 'iam' || user === undefined) return { kind: 'embedded' };
  const ownerUser = values.databaseOwnerUser;
  return { kind: 'iam', server, user, ...(ownerUser && { ownerUser }), region };
}

/**
 * Whether a URL connects without TLS or without verification of the server's certificate, by
 * the sslmode of libpq as node-postgres reads it.
 *
 * @param isByDefault whether TLS is used if the URL does not say so
 */
export function isUnverified(url: string, isByDefault: boolean): boolean {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode');
  if (mode === null) {
    const ssl = searchParams.get('ssl');
    return ssl === null ? !isByDefault : !['true', '1'].includes(ssl);
  }
  if (searchParams.get('uselibpqcompat') === 'true') return mode !== 'verify-full';
  return !['require', 'verify-ca', 'verify-full'].includes(mode);
}

function name(setting: SettingName): string {
  return nameOf(settings[setting]);
}
