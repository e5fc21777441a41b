import { z } from 'zod';
import type { Timestamp } from '../pages.ts';
import { createPersonalTokenInput } from './api-tokens.ts';
import type { Permission } from './permissions.ts';

/**
 * Sign-in of applications without a browser (OAuth 2.0 Device Authorization Grant, RFC 8628). The "device" of the RFC is
 * the machine on which the application runs, not a device of the fleet.
 */
export const oauthPaths = {
  metadata: '/.well-known/oauth-authorization-server',
  deviceAuthorization: '/oauth/device-authorization',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
} as const;

/** The screen on which users enter the code. */
export const ACTIVATION_PATH = '/activate';

export const DEVICE_CODE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code';

export const DEVICE_GRANT = {
  validSeconds: 600,
  /** Least time between two requests for the token, and by how much `slow_down` extends it (RFC 8628, section 3.5). */
  intervalSeconds: 5,
  /** Authorizations that wait for a user. */
  mostPending: { ofAddress: 20, ofAll: 2_000 },
  /** Incorrect user codes within the lock time, before further ones are not checked. */
  mostFailures: { ofUser: 10, ofAddress: 50 },
  lockSeconds: 900,
} as const;

/** Consonants that are hard to confuse and form no words (RFC 8628, section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
export const USER_CODE_LENGTH = 8;

/** Groups the letters of a code as it is shown: `WDJB-MJHT`. */
export const formatUserCode = (letters: string): string =>
  letters.length <= USER_CODE_LENGTH / 2
    ? letters
    : `${letters.slice(0, USER_CODE_LENGTH / 2)}-${letters.slice(USER_CODE_LENGTH / 2)}`;

/** The letters of a code as a user types it: in any case, with or without separators. */
export const readUserCode = (typed: string): string =>
  [...typed.normalize('NFKC').toUpperCase()]
    .filter((letter) => USER_CODE_LETTERS.includes(letter))
    .join('')
    .slice(0, USER_CODE_LENGTH);

export const userCodeSchema = z
  .string()
  .regex(new RegExp(`^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$`));

/** Name of an application, which it chooses itself. */
export const CLIENT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const userCodeReference = z.object({ userCode: userCodeSchema });

export const approveApplicationInput = createPersonalTokenInput.extend({
  userCode: userCodeSchema,
});
export type ApplicationApproval = z.output<typeof approveApplicationInput>;

/** An application that waits for a user. */
export interface WaitingApplication {
  /** As the application calls itself; not verified. */
  readonly clientId: string;
  /** Address of its request. */
  readonly address: string;
  /** Permissions that it requests. */
  readonly permissions: readonly Permission[];
  readonly requestedAt: Timestamp;
  readonly expiresAt: Timestamp;
  /** The longest lifetime of a token, in days. */
  readonly mostDays: number;
}
