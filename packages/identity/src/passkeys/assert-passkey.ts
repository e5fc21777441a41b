import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type PublicKeyCredentialRequestOptionsJSON,
  type VerifiedAuthenticationResponse,
} from '@simplewebauthn/server';
import { sameBytes } from '../secrets/secret-hash.ts';
import { assertionResponseSchema, type AssertionResponse } from './ceremony-responses.ts';
import { takeChallenge, type ChallengeUse } from './passkey-challenges.ts';
import { eventOf, requireRelyingParty, type PasskeyContext } from './passkey-context.ts';
import { PasskeyError } from './passkey-error.ts';
import { findPasskeyOwner } from './passkey-owner-store.ts';
import { findPasskey, takeSignCount, type StoredPasskey } from './passkey-store.ts';
import { CHALLENGE_LIFE_MS, type Assertion, type PasskeyCaller } from './passkeys.ts';

export function assertionOptions(
  context: PasskeyContext,
  challenge: string,
  allowed: readonly StoredPasskey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: requireRelyingParty(context).id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: 'required',
    allowCredentials: allowed.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
  });
}

type Origin = Omit<PasskeyCaller, 'owner'> & Partial<PasskeyCaller>;

/** Checks a signature; a rejected one is recorded. */
export async function finishAssertion(
  context: PasskeyContext,
  caller: Origin,
  { use, response }: { readonly use: ChallengeUse; readonly response: unknown },
): Promise<Assertion> {
  try {
    return await check(context, use, response);
  } catch (error) {
    if (error instanceof PasskeyError) {
      context.record(eventOf(context, 'signInRefused', caller, `passkey: ${error.refusal}`));
    }
    throw error;
  }
}

async function check(
  context: PasskeyContext,
  use: ChallengeUse,
  sent: unknown,
): Promise<Assertion> {
  const parsed = assertionResponseSchema.safeParse(sent);
  if (!parsed.success) throw new PasskeyError('notVerified', { cause: parsed.error });
  const passkey = await findPasskey(context.db, parsed.data.id);
  if (passkey === undefined) throw new PasskeyError('unknownPasskey');
  const isOwn = use.ownerId === undefined || use.ownerId === passkey.ownerId;
  const owner = await findPasskeyOwner(context.db, passkey.ownerId);
  if (!isOwn || owner === undefined) throw new PasskeyError('unknownPasskey');
  const { userHandle } = parsed.data.response;
  const isOwnHandle =
    userHandle == null || sameBytes(Buffer.from(userHandle, 'base64url'), owner.userHandle);
  if (!isOwnHandle) throw new PasskeyError('notVerified');
  const { authenticationInfo } = await verify(context, { use, passkey, response: parsed.data });
  const isNewer = await takeSignCount(context.db, passkey.id, {
    signCount: authenticationInfo.newCounter,
    isBackedUp: authenticationInfo.credentialBackedUp,
    at: new Date(context.clock.now()),
  });
  if (!isNewer) throw new PasskeyError('signCountRegressed');
  return { ownerId: passkey.ownerId, passkeyId: passkey.id, signsIn: owner.signsIn };
}

async function verify(
  context: PasskeyContext,
  {
    use,
    passkey,
    response,
  }: {
    readonly use: ChallengeUse;
    readonly passkey: StoredPasskey;
    readonly response: AssertionResponse;
  },
): Promise<VerifiedAuthenticationResponse> {
  const party = requireRelyingParty(context);
  const { id, rawId, type } = response;
  const { clientDataJSON, authenticatorData, signature } = response.response;
  const signed = { clientDataJSON, authenticatorData, signature };
  let isOpen: boolean | undefined;
  const verified = await verifyAuthenticationResponse({
    response: { id, rawId, type, clientExtensionResults: {}, response: signed },
    expectedChallenge: async (challenge) => (isOpen = await takeChallenge(context, use, challenge)),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    // The library would compare the counter with a value that was read before; `takeSignCount` does it atomically.
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: 0,
    },
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new PasskeyError(isOpen === false ? 'challengeEnded' : 'notVerified', { cause });
  });
  if (!verified.verified) throw new PasskeyError('notVerified');
  return verified;
}
