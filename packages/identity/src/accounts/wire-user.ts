import { profileFields, outsideFields } from './profile-fields.ts';
import type { ProviderUser } from './provider-user.ts';

/**
 * A user on the wire (docs/design/sign-in.md, section 3, "User"). `token` is set only after a
 * sign-in.
 */
export interface WireUser extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly token: string | null;
}

/** All fields of the contract. Fields that are not stored are null, and the password always is. */
export function toWireUser(
  user: ProviderUser,
  token?: { readonly token: string; readonly expiresAt: Date },
): WireUser {
  const texts = [...outsideFields, ...profileFields].map((field) => [
    field,
    user.profile[field] ?? null,
  ]);
  return {
    ...Object.fromEntries(texts),
    id: user.id,
    arn: arnOf(user),
    userPoolId: user.userPoolId,
    status: user.status,
    username: user.username,
    email: user.email,
    emailVerified: user.emailVerified,
    phone: user.phone,
    phoneCountryCode: user.phoneCountryCode,
    phoneVerified: user.phoneVerified,
    externalId: user.externalId,
    registerSource: user.registerSource,
    password: null,
    token: token?.token ?? null,
    tokenExpiredAt: token?.expiresAt.toISOString() ?? null,
    loginsCount: user.loginsCount,
    lastLogin: user.lastLoginAt?.toISOString() ?? null,
    lastIP: user.lastAddress,
    signedUp: user.createdAt.toISOString(),
    blocked: user.blocked,
    isDeleted: user.status === 'Archived',
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.modifiedAt.toISOString(),
  };
}

/** Globally unique name of a user: partition, service, pool, and ID. */
export function arnOf({ id, userPoolId }: Pick<ProviderUser, 'id' | 'userPoolId'>): string {
  return `arn:cn:deviceportal:${userPoolId}:user:${id}`;
}
