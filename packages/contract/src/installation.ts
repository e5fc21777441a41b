import type { Timestamp } from './pages.ts';

/** What every server of one installation must have, outside the database. */
export const secretNames = [
  'installation-key',
  'device-authority',
  'audit',
  'runs',
  'releases',
  'idp-application',
] as const;
export type SecretName = (typeof secretNames)[number];

/** What `npm run admin -- rotate` calls the secrets that it replaces. */
export const rotationNames = {
  'installation-key': 'installation',
  'device-authority': 'device-authority',
  audit: 'audit',
} as const satisfies Partial<Record<SecretName, string>>;
export type RotationName = (typeof rotationNames)[keyof typeof rotationNames];

/** What replaces a secret, after `npm run admin --`. */
export const rotateCommands: Readonly<Partial<Record<SecretName, string>>> = {
  ...Object.fromEntries(
    Object.entries(rotationNames).map(([secret, name]) => [secret, `rotate ${name}`]),
  ),
  runs: 'rotate-device-keys runs',
  releases: 'rotate-device-keys releases',
};

/** A secret by its fingerprint: SHA-256, hexadecimal. */
export interface InstallationSecretView {
  readonly name: SecretName;
  readonly fingerprint: string;
  /** Since when it is the one in use. */
  readonly since: Timestamp;
  /** Made already, and to be used next. */
  readonly next: string | null;
  /** No longer in use, and accepted still. */
  readonly earlier: readonly string[];
  /** For how many days it is used before a job replaces it; null where only a person does. */
  readonly maxAgeDays: number | null;
}

export interface InstallationServerView {
  readonly name: string;
  readonly startedAt: Timestamp;
  readonly seenAt: Timestamp;
  /** Secrets of which this server has another one than the installation uses. */
  readonly behind: readonly SecretName[];
}

export interface InstallationSecrets {
  readonly secrets: readonly InstallationSecretView[];
  readonly servers: readonly InstallationServerView[];
}
