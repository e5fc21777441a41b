import { randomUUID } from 'node:crypto';
import {
  LOGIN_CODE_RESEND_MS,
  LOGIN_CODE_TRIES,
  LOGIN_CODE_VALIDITY_MS,
} from '@deviceportal/contract/constants';
import { newId } from '@deviceportal/contract/ids';
import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { providerDirectory } from '../accounts/directory.ts';
import { closeCode, insertCode, takeTryOfSubject, type StoredPurpose } from './code-store.ts';
import { newDigits } from './new-digits.ts';
import type { CodePurpose, MessageChannel, Messenger } from '../messenger.ts';
import { sameBytes, type SecretHash } from '../secrets/secret-hash.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { AccountGuesses } from '../accounts/account-guesses.ts';
import type { RateLimitRule, RateLimits } from '../limits/rate-limits.ts';
import { guessOf } from '../sign-in/guess-of.ts';
import type { Users } from '../accounts/provider-users.ts';
import { askedFrom, type Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';

export interface CodeToSend {
  readonly channel: MessageChannel;
  /** An email address, or a phone number in E.164 form. */
  readonly to: string;
  readonly purpose: StoredPurpose;
  /** Not delivered, and no answer is correct. Sent for unknown accounts, so that the response is the same. */
  readonly isDecoy?: boolean;
  /** Delivers in the background, so that neither duration nor failure is visible to the caller. */
  readonly inBackground?: boolean;
}

export interface CodeToCheck {
  readonly to: string;
  /** Accepted purposes; a code for `any` is always accepted. */
  readonly purposes: readonly CodePurpose[];
  readonly code: string;
  /** True if the caller already counts the guess; otherwise it is counted for the account with this address. */
  readonly isCounted?: boolean;
}

/** A correct code that is not used yet. */
export interface CheckedCode {
  readonly id: string;
}

/** Verification codes by email and text message: six digits, hashed, three tries, three minutes. */
export interface Codes {
  /** @throws ProviderError tooManyRequests */
  send(code: CodeToSend, caller: Caller): Promise<void>;
  /** Uses a try. @throws ProviderError wrongCode, codeExpired, codeTriesUsed, tooManyRequests */
  check(code: CodeToCheck, caller: Caller): Promise<CheckedCode>;
  /** Uses the code, in the transaction of the permitted action. @throws ProviderError wrongCode if it was already used */
  spend(code: CheckedCode, db?: Queryable): Promise<void>;
}

const MINUTE_MS = 60_000;

const rules = {
  resend: { name: 'provider-code-resend', hits: 1, windowMs: LOGIN_CODE_RESEND_MS },
  recipient: { name: 'provider-code-recipient', hits: 5, windowMs: 15 * MINUTE_MS },
  address: { name: 'provider-code-address', hits: 60, windowMs: 15 * MINUTE_MS },
  wrong: { name: 'provider-code-wrong', hits: 60, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, RateLimitRule>;

export interface CodesOptions {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly limits: RateLimits;
  readonly guesses: AccountGuesses;
  readonly users: Pick<Users, 'findBy'>;
  readonly messenger: Messenger;
  readonly settings: { readonly userPoolId: string };
  readonly onInternalError: (error: unknown, what: string) => void;
}

export function createCodes(options: CodesOptions): Codes {
  const { db: pool, clock, guesses, limits, messenger, onInternalError, settings, users } = options;
  const directory = providerDirectory(settings.userPoolId);
  const hit = async (rule: RateLimitRule, subject: string): Promise<void> => {
    const waitMs = await limits.hit(rule, subject);
    if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
  };
  return {
    async send({ channel, to, purpose, isDecoy = false, inBackground = false }, caller) {
      const subject = recipientOf(to);
      await hit(rules.address, caller.address);
      await hit(rules.resend, `${purpose} ${subject}`);
      await hit(rules.recipient, subject);
      const code = newDigits();
      const sentAt = new Date(clock.now());
      const expiresAt = new Date(clock.now() + LOGIN_CODE_VALIDITY_MS);
      const codeHash = hashOf(options, subject, isDecoy ? randomUUID() : code);
      await insertCode(pool, {
        ...{ codeId: newId(), directory, subject, purpose, sub: null, codeHash, channel },
        ...{ triesLeft: LOGIN_CODE_TRIES, sentAt, expiresAt },
      });
      if (isDecoy) return;
      const delivery = messenger.send({
        kind: 'code',
        purpose: purpose === 'any' ? (channel === 'email' ? 'verify-email' : 'login') : purpose,
        channel,
        to,
        code,
        sentAt,
        expiresAt,
        locale: caller.language === 'zh-CN' ? 'zh-CN' : 'en',
        askedFrom: askedFrom(caller),
      });
      if (!inBackground) await delivery;
      else void delivery.catch((error: unknown) => onInternalError(error, 'delivery of a code'));
    },
    async check(given, caller) {
      await hit(rules.wrong, caller.address);
      const { to, isCounted = false } = given;
      const owner = isCounted
        ? undefined
        : await users.findBy(to.includes('@') ? 'email' : 'phone', to);
      const checked = isCounted
        ? await takeTry(options, given, true)
        : await guesses.check(guessOf(owner, to, caller), (isOpen) =>
            takeTry(options, given, isOpen),
          );
      if (checked === undefined) throw new ProviderError(refusals.wrongCode);
      await limits.undo(rules.wrong, caller.address);
      return checked;
    },
    async spend({ id }, db = pool) {
      if (!(await closeCode(db, { directory, codeId: id }, new Date(clock.now())))) {
        throw new ProviderError(refusals.wrongCode);
      }
    },
  };
}

const hashOf = (
  { hash, settings }: Pick<CodesOptions, 'hash' | 'settings'>,
  subject: string,
  code: string,
): Buffer => hash('provider-code', settings.userPoolId, subject, code);

/**
 * For a locked account, every code is incorrect, so that the caller does not learn that the account exists.
 * @returns the code, or undefined for an incorrect one
 * @throws ProviderError codeExpired, codeTriesUsed
 */
async function takeTry(
  options: Pick<CodesOptions, 'db' | 'clock' | 'hash' | 'settings'>,
  { to, purposes, code }: CodeToCheck,
  isOpen: boolean,
): Promise<CheckedCode | undefined> {
  const subject = recipientOf(to);
  const tried = await takeTryOfSubject(options.db, {
    directory: providerDirectory(options.settings.userPoolId),
    subject,
    purposes: [...purposes, 'any'],
  });
  const expected = hashOf(options, subject, code);
  const right = tried.find(({ codeHash }) => sameBytes(codeHash, expected));
  if (tried.length > 0 && tried.every(({ triesLeft }) => triesLeft <= 0)) {
    throw new ProviderError(refusals.codeTriesUsed);
  }
  if (!isOpen || right === undefined || right.triesLeft <= 0) return undefined;
  if (right.expiresAt.getTime() <= options.clock.now())
    throw new ProviderError(refusals.codeExpired);
  return { id: right.codeId };
}

function recipientOf(to: string): string {
  return to.toLowerCase();
}
