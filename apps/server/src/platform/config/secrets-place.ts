import { InvalidValue } from './setting.ts';

/** Where the secrets of the installation are stored. */
export type SecretsPlace =
  | { readonly kind: 'file' }
  | {
      readonly kind: 'secretsmanager';
      /** Beginning of the names, without a slash at its end. */
      readonly prefix: string;
      /** Beginning of the ARNs, up to the prefix; undefined: secrets of the server's own account. */
      readonly arn: string | undefined;
      /** Undefined: the region of the installation. */
      readonly region: string | undefined;
    }
  | { readonly kind: 'kms'; readonly keyArn: string; readonly region: string };

const PARTITION = 'arn:aws(?:-[a-z]+)*';
const SECRET_ARN = new RegExp(`^${PARTITION}:secretsmanager:([a-z0-9-]+):\\d{12}:secret:(.+)$`);
const KEY_ARN = new RegExp(`^${PARTITION}:kms:([a-z0-9-]+):\\d{12}:key/[A-Za-z0-9-]+$`);
/** Names of secrets have at most 512 characters (Secrets Manager API Reference), with our part. */
const PREFIX = /^[\w/+=.@-]{1,400}$/;

export const SECRETS_PLACES = 'file, secretsmanager:PREFIX-OR-ARN, kms:KEY-ARN';
const SAYS = `must be one of ${SECRETS_PLACES}`;

/** @throws InvalidValue */
export function parseSecretsPlace(text: string): SecretsPlace {
  if (text === 'file') return { kind: 'file' };
  const [, kind, where = ''] = /^(secretsmanager|kms):(.+)$/.exec(text) ?? [];
  if (kind === 'kms') {
    const [, region] = KEY_ARN.exec(where) ?? [];
    if (region === undefined) throw new InvalidValue(SAYS);
    return { kind, keyArn: where, region };
  }
  if (kind !== 'secretsmanager') throw new InvalidValue(SAYS);
  const [, region, name] = SECRET_ARN.exec(where) ?? [];
  const prefix = (name ?? where).replace(/\/+$/, '');
  if (!PREFIX.test(prefix)) throw new InvalidValue(SAYS);
  const arn = name === undefined ? undefined : where.replace(/\/+$/, '');
  return { kind: 'secretsmanager', prefix, arn, region };
}

/** As `parseSecretsPlace` reads it. */
export function secretsPlaceText(place: SecretsPlace): string {
  if (place.kind === 'file') return 'file';
  if (place.kind === 'kms') return `kms:${place.keyArn}`;
  return `secretsmanager:${place.arn ?? place.prefix}`;
}
