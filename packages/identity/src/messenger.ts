import type pg from 'pg';

export type MessageChannel = 'email' | 'sms';

/**
 * Purposes of a verification code (docs/design/sign-in.md, section 3, "Verification code
 * purposes"); five of them have separate email templates.
 */
export const codePurposes = [
  'login',
  'register',
  'reset-password',
  'change-password',
  'verify-email',
  'change-email',
  'bind-email',
  'unbind-email',
  'bind-phone',
  'unbind-phone',
  'verify-mfa',
  'bind-mfa',
  'unbind-mfa',
  'complete-information',
  // Of the portal itself: confirms a user who is already signed in.
  'step-up',
] as const;
export type CodePurpose = (typeof codePurposes)[number];

/** Source of the request, shown to the recipient, who may not have made it. */
export interface AskedFrom {
  readonly address: string;
  /** The `User-Agent` header, as it came. */
  readonly userAgent: string | undefined;
}

interface ToOnePerson {
  /** An email address, or a phone number in E.164 format. */
  readonly to: string;
  readonly channel: MessageChannel;
  /** The reader's `sub` in the user pool. */
  readonly person?: string | undefined;
  /** The reader's attribute `locale`; the messenger chooses where there is none. */
  readonly locale?: string | undefined;
  /** The reader's attribute `zoneinfo`; the messenger chooses where there is none. */
  readonly timeZone?: string | undefined;
  readonly askedFrom?: AskedFrom | undefined;
}

/** A code that a user is waiting for; invalid after `expiresAt`, and never logged. */
export interface CodeMessage extends ToOnePerson {
  readonly kind: 'code';
  readonly purpose: CodePurpose;
  readonly code: string;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** An account was made for the reader. There is no password in it: one signs in with a code. */
export interface WelcomeMessage extends ToOnePerson {
  readonly kind: 'welcome';
  readonly code?: undefined;
  readonly username: string;
  readonly portalUrl: string;
}

/** The reader's password was changed: by them, or it is the only warning that they get. */
export interface PasswordResetNotice extends ToOnePerson {
  readonly kind: 'password-reset-notification';
  readonly code?: undefined;
  readonly username: string;
  readonly at: Date;
  readonly portalUrl: string;
}

/** Changes of a sign-in, in addition to the password. */
export const accountChanges = [
  'email',
  'phone',
  'second-step-added',
  'second-step-removed',
  'recovery-code-used',
  'account-linked',
  'account-unlinked',
  'passkey-added',
  'passkey-removed',
  // All of them, by an administrator.
  'passkeys-removed',
  'passkey-sign-in-on',
  'passkey-sign-in-off',
  'recovery-codes-replaced',
  'passkey-recovery-code-used',
] as const;
export type AccountChange = (typeof accountChanges)[number];

/** How the reader signs in was changed: by them, or it is the only warning that they get. */
export interface AccountChangedNotice extends ToOnePerson {
  readonly kind: 'account-changed';
  readonly change: AccountChange;
  readonly code?: undefined;
  readonly username: string;
  readonly at: Date;
  readonly portalUrl: string;
}

/** Sign-in to the recipient's account is blocked until an administrator unlocks it. */
export interface AccountLockedNotice extends ToOnePerson {
  readonly kind: 'account-locked';
  readonly code?: undefined;
  readonly username: string;
  readonly at: Date;
  readonly portalUrl: string;
}

/** A message to one recipient. The messenger determines its layout and language. */
export type OutgoingMessage =
  | CodeMessage
  | WelcomeMessage
  | PasswordResetNotice
  | AccountChangedNotice
  | AccountLockedNotice;

/** Keeps a notice in the transaction of the change that it is about. It is sent after the commit. */
export type QueueNotice = (client: pg.PoolClient, notice: AccountChangedNotice) => Promise<void>;

/** How messages reach people. */
export interface Messenger {
  /**
   * Resolves when the message was handed over, or is kept and tried again.
   * @throws MessageRefusedError when this address or number takes none; any other error means that nothing was kept
   */
  send(message: OutgoingMessage): Promise<void>;
}

/** The other side refused the message for good: the address or number is wrong, closed or blocked. */
export class MessageRefusedError extends Error {
  override readonly name = 'MessageRefusedError';
}
