import { LOGIN_CODE_RESEND_MS } from '@deviceportal/contract/constants';
import { z } from 'zod';
import { signInByDirectory } from '../connections/directory/sign-in-by-directory.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { SignedIn } from '../sign-in/sign-ins.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { Act } from './act-schema.ts';
import { mfaRefusals } from '../mfa/mfa-refusals.ts';
import { inProviderWords } from '../mfa/passkey-step.ts';
import { readCredential } from './read-credential.ts';

type ActContext = Pick<ProviderContext, 'codes' | 'limits' | 'signIns' | 'users'>;

const resendRule = { name: 'hosted-code', hits: 1, windowMs: LOGIN_CODE_RESEND_MS };

interface Address {
  readonly channel: 'email' | 'sms';
  readonly to: string;
  readonly user: ProviderUser | undefined;
}

/**
 * Sends a code if the account exists; the response does not reveal whether it does.
 * @returns false if the input is neither an email address nor a phone number
 * @throws ProviderError tooManyRequests
 */
export async function sendSignInCode(
  context: ActContext,
  { account }: Act,
  caller: Caller,
): Promise<boolean> {
  const address = await readAddress(context, account);
  if (address === undefined) return false;
  const waitMs = await context.limits.hit(resendRule, address.to.toLowerCase());
  if (waitMs > 0) throw new ProviderError(refusals.tooManyRequests, { waitMs });
  const { channel, to, user } = address;
  const hidden = { isDecoy: user === undefined, inBackground: true };
  await context.codes.send({ channel, to, purpose: 'login', ...hidden }, caller);
  return true;
}

/** @throws ProviderError if the code is incorrect, and the errors of a sign-in */
export async function signInByCode(
  { codes, signIns, ...context }: ActContext,
  { account, code }: Act,
  caller: Caller,
): Promise<SignedIn> {
  const address = await readAddress(context, account);
  if (address === undefined) throw new ProviderError(refusals.wrongCode);
  const checked = await codes.check({ to: address.to, purposes: ['login'], code }, caller);
  await codes.spend(checked);
  if (address.user === undefined) throw new ProviderError(refusals.wrongCode);
  const method = address.channel === 'email' ? 'email-code' : 'phone-code';
  return signIns.complete(address.user, caller, { method });
}

/**
 * Signs in the owner of a passkey who lets it replace the code or password.
 * @throws ProviderError wrongPasskey, and the errors of a sign-in
 */
export async function signInByPasskey(
  { passkeys, signIns, users }: Pick<ProviderContext, 'passkeys' | 'signIns' | 'users'>,
  { credential }: Act,
  caller: Caller,
): Promise<SignedIn> {
  const { address, requestId, userAgent } = caller;
  const origin = { address, requestId, userAgent };
  const { ownerId, signsIn } = await inProviderWords(() =>
    passkeys.finishSignIn(origin, readCredential(credential)),
  );
  // A passkey of another directory belongs to no user here.
  const user = signsIn ? await users.find(ownerId) : undefined;
  if (user === undefined) throw new ProviderError(mfaRefusals.passkeyNotAllowed);
  // The authenticator has verified the user: two factors in one.
  return signIns.complete(user, caller, { method: 'passkey', isSecondStep: true });
}

/** @throws ProviderError wrongPassword, tooManyRequests, and the errors of a sign-in */
export async function signInByPassword(
  { signIns, users }: ActContext,
  { account, password }: Act,
  caller: Caller,
): Promise<SignedIn> {
  const found = await users.findByAccount(account);
  const user = await signIns.checkPassword(
    found,
    { account, sent: password, isPlain: true },
    caller,
  );
  return signIns.complete(user, caller, { method: 'password' });
}

/**
 * @throws ProviderError wrongPassword, unreachable, tooManyRequests, and the errors of a sign-in
 */
export function signInByDirectoryForm(
  context: ProviderContext,
  { account, act, password }: Act,
  caller: Caller,
): Promise<SignedIn> {
  const login = { username: account, password };
  return signInByDirectory(context, act === 'ad' ? 'ad' : 'ldap', login, caller);
}

async function readAddress(
  { users }: Pick<ActContext, 'users'>,
  account: string,
): Promise<Address | undefined> {
  if (z.email().safeParse(account).success) {
    return { channel: 'email', to: account, user: await users.findBy('email', account) };
  }
  if (!/^\+?[\d\s()-]{6,24}$/.test(account)) return undefined;
  try {
    const { phoneE164 } = users.readPhone(account);
    return { channel: 'sms', to: phoneE164, user: await users.findBy('phone', phoneE164) };
  } catch {
    return undefined;
  }
}
