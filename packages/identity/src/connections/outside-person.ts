import { toPlainName } from '@deviceportal/contract/plain-name';

/** A user in the data of an external provider or a directory. */
export interface OutsidePerson {
  /** Permanent ID of the external account. */
  readonly subject: string;
  readonly email?: string | undefined;
  readonly emailVerified: boolean;
  readonly name?: string | undefined;
  readonly nickname?: string | undefined;
  readonly photo?: string | undefined;
}

const LONGEST = 512;

/** A text of a claim or attribute; the first where there are several. */
export function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const text = typeof first === 'number' ? String(first) : first;
  if (typeof text !== 'string') return undefined;
  const trimmed = toPlainName(text.trim()).slice(0, LONGEST);
  return trimmed === '' ? undefined : trimmed;
}

/** The person in claims named as in OpenID Connect Core 1.0, section 5.1, or as older providers name them. */
export function personOfClaims(
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): OutsidePerson {
  return {
    subject,
    email: textOf(claims['email']),
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: textOf(claims['name']),
    nickname: textOf(claims['nickname']) ?? textOf(claims['preferred_username']),
    photo: webAddressOf(claims['picture']) ?? webAddressOf(claims['avatar_url']),
  };
}

function webAddressOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^https?:\/\//.test(text) ? text : undefined;
}
