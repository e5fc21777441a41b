import type { Timestamp } from './pages.ts';

/** Secrets that all servers of an installation share outside the database. */
export const secretNames = [
  'installation-key',
  'device-authority',
  'audit',
  'runs',
  'releases',
  'idp-application',
] as const;
export type SecretName = (typeof secretNames)[number];

/** Names of the secrets for `npm run admin -- rotate`. */
export const rotationNames = {
  'installation-key': 'installation',
  'device-authority': 'device-authority',
  audit: 'audit',
} as const satisfies Partial<Record<SecretName, string>>;
export type RotationName = (typeof rotationNames)[keyof typeof rotationNames];

/** Commands that rotate a secret, after `npm run admin --`. */
export const rotateCommands: Readonly<Partial<Record<SecretName, string>>> = {
  ...Object.fromEntries(
    Object.entries(rotationNames).map(([secret, name]) => [secret, `rotate ${name}`]),
  ),
  runs: 'rotate-device-keys runs',
  releases: 'rotate-device-keys releases',
};

/** A secret, identified by its fingerprint: SHA-256, hexadecimal. */
export interface InstallationSecretView {
  readonly name: SecretName;
  readonly fingerprint: string;
  /** When it became the current one. */
  readonly since: Timestamp;
  /** Generated and pending. */
  readonly next: string | null;
  /** No longer used, but still accepted. */
  readonly earlier: readonly string[];
  /** Age in days at which a job rotates it; null if only an operator does. */
  readonly maxAgeDays: number | null;
}

export interface InstallationServerView {
  readonly name: string;
  readonly startedAt: Timestamp;
  readonly seenAt: Timestamp;
  /** Secrets of this server that differ from the installation's. */
  readonly behind: readonly SecretName[];
}

/** Where the secrets are stored: files, AWS Secrets Manager, or the database, encrypted by AWS KMS. */
export interface SecretsPlaceView {
  readonly kind: 'file' | 'secretsmanager' | 'kms';
  /** Beginning of the names or ARNs of the secrets, or the ARN of the key; null for files. */
  readonly name: string | null;
}

export interface InstallationSecrets {
  readonly place: SecretsPlaceView;
  readonly secrets: readonly InstallationSecretView[];
  readonly servers: readonly InstallationServerView[];
}

/** Which steps of setting up an installation are done. */
export interface InstallationSetup {
  /** A device has connected. */
  readonly device: boolean;
  /** There are users besides the viewer. */
  readonly users: boolean;
  /** A user besides the viewer has a role. */
  readonly roles: boolean;
  /** A command was run. */
  readonly command: boolean;
  /** Backups are scheduled. */
  readonly backups: boolean;
  /** Emails or text messages are sent. */
  readonly messages: boolean;
}
