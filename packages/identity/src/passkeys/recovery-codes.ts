import { randomInt } from 'node:crypto';
import { inTransaction, type Queryable } from '../database/in-transaction.ts';
import type { RateLimitRule } from '../limits/rate-limits.ts';
import { writeNotifiedChange } from './notify-owner.ts';
import type { PasskeyContext } from './passkey-context.ts';
import { PasskeyError } from './passkey-error.ts';
import { RECOVERY_CODES, type PasskeyCaller } from './passkeys.ts';
import { replaceRecoveryCodes, takeOneRecoveryCode } from './recovery-code-store.ts';

const WRONG: RateLimitRule = { name: 'passkey-recovery-wrong', hits: 10, windowMs: 15 * 60_000 };

/** Crockford's base32, without characters that are mistaken for each other. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits. */
const CHARACTERS = 16;

/** New codes in place of all earlier ones, in the caller's transaction. */
export async function replaceCodes(
  { hash }: Pick<PasskeyContext, 'hash'>,
  db: Queryable,
  ownerId: string,
): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  const hashes = codes.map((code) => hash('passkey-recovery-code', ownerId, canonical(code)));
  await replaceRecoveryCodes(db, ownerId, hashes);
  return codes;
}

/** Uses up a code; wrong ones are counted like incorrect codes of a sign-in. */
export async function useRecoveryCode(
  context: PasskeyContext,
  caller: PasskeyCaller,
  code: string,
): Promise<void> {
  const { limits, guesses, hash, clock, db } = context;
  const { owner, address, userAgent, requestId } = caller;
  const waitMs = await limits.hit(WRONG, owner.id);
  if (waitMs > 0) throw new PasskeyError('tooManyRequests', { waitMs });
  const used = {
    ownerId: owner.id,
    hash: hash('passkey-recovery-code', owner.id, canonical(code)),
  };
  const guess = { account: owner, name: owner.username, address, userAgent, requestId };
  const isRight = await guesses.check(guess, (isOpen) =>
    inTransaction(db, async (client) => {
      // Of a locked account, no code is used up.
      if (!isOpen) return undefined;
      const at = new Date(clock.now());
      if (!(await takeOneRecoveryCode(client, { ...used, at }))) return undefined;
      await writeNotifiedChange(context, client, caller, {
        detail: 'a recovery code was used',
        change: 'passkey-recovery-code-used',
      });
      return true;
    }),
  );
  if (isRight === undefined) throw new PasskeyError('wrongRecoveryCode');
  await limits.undo(WRONG, owner.id);
}

/** In groups of four that can be read aloud. */
function newCode(): string {
  const characters = Array.from({ length: CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}

/** As typed by hand: other case, spaces, and `o`, `i`, or `l` for digits. */
function canonical(code: string): string {
  return code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
}
