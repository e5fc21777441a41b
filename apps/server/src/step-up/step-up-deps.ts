import type { CodeChannel, StepUpCodeRule } from '@deviceportal/contract/step-up';
import type { IdentityService } from '@deviceportal/identity/identity-service';
import type { StepUpApp } from '@deviceportal/identity/step-up-app';
import type { Database } from '../platform/database/database.ts';

/** Dependencies of the second steps of signed-in users. */
export interface StepUpDeps {
  readonly database: Database;
  readonly clock: () => Date;
  readonly stepUpCodes: IdentityService['stepUpCodes'];
  readonly stepUpPasskeys: IdentityService['stepUpPasskeys'];
  /** Undefined if users sign in where the portal keeps no authenticator apps. */
  readonly stepUpApp: StepUpApp | undefined;
  /** Verified addresses of a user; undefined if another provider keeps the accounts. */
  readonly findVerifiedContacts: IdentityService['findVerifiedContacts'] | undefined;
  readonly codeRule: StepUpCodeRule;
  readonly codeChannels: readonly CodeChannel[];
}
