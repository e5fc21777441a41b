import { hasOwnUserPool } from '../../platform/config/provider-origins.ts';
import type { StepUpDeps } from '../../step-up/step-up-deps.ts';
import type { IdentityParts } from '../compose-identity.ts';
import type { Composition } from '../composition.ts';

/** Second steps of signed-in users, at any provider of the sign-in. */
export function composeStepUp(
  { platform: { config, database }, clock }: Composition,
  { identity, provider }: Pick<IdentityParts, 'identity' | 'provider'>,
): StepUpDeps {
  const { messenger, providerSet, signIn } = config;
  const sendsTexts = messenger.kind === 'outbox' || messenger.sms !== undefined;
  return {
    database,
    clock,
    stepUpCodes: identity.stepUpCodes,
    stepUpPasskeys: identity.stepUpPasskeys,
    stepUpApp: hasOwnUserPool(providerSet) ? undefined : provider?.stepUpApp,
    findVerifiedContacts:
      providerSet.source === 'embedded' ? identity.findVerifiedContacts : undefined,
    codeRule: signIn.stepUpCodes,
    codeChannels: sendsTexts ? ['email', 'sms'] : ['email'],
  };
}
