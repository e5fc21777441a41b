import type pg from 'pg';
import type { WriteAct } from '../administration/administration-act.ts';
import type { Clock } from '../clock.ts';
import type { RecordIdentityEvent, WriteIdentityEvent } from '../identity-event.ts';
import type { Messenger } from '../messenger.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { SecretHash } from '../secrets/secret-hash.ts';
import type { AccountGuesses } from '../accounts/account-guesses.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { Applications } from '../applications/applications.ts';
import type { Codes } from '../codes/codes.ts';
import type { ProviderKeys } from '../keys/load-provider-keys.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { Passwords } from '../passwords/passwords.ts';
import type { PlugIns } from '../plug-ins/plug-ins.ts';
import type { ProviderSettings } from './provider-settings.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import type { Tickets } from '../tickets/tickets.ts';
import type { Tokens } from '../sessions/provider-tokens.ts';
import type { Users } from '../accounts/provider-users.ts';

/** Context of all parts of the provider. */
export interface ProviderContext {
  readonly db: pg.Pool;
  readonly clock: Clock;
  readonly hash: SecretHash;
  readonly box: SecretBox;
  readonly settings: ProviderSettings;
  /** Life of a sign-in that begins now. */
  readonly sessionSeconds: () => number;
  readonly plugIns: PlugIns;
  readonly keys: ProviderKeys;
  readonly messenger: Messenger;
  readonly limits: RateLimits;
  readonly guesses: AccountGuesses;
  readonly passkeys: Passkeys;
  readonly applications: Applications;
  /** Also those that `applications` leaves out because they do not speak the protocol at hand (withinProtocol). */
  readonly everyApplication: Pick<Applications, 'find'>;
  readonly users: Users;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly tickets: Tickets;
  readonly tokens: Tokens;
  readonly signIns: SignIns;
  readonly record: RecordIdentityEvent;
  /** The same for changes, in their own transaction; rejects when it cannot be written, and nothing changes. */
  readonly writeEvent: WriteIdentityEvent;
  /** The same for what administrators do. */
  readonly writeAct: WriteAct;
  /** Whether the access grant of an access key is still in force. */
  readonly isAccessGrantInForce: (accessGrantId: string) => Promise<boolean>;
  /** Called for failures of which the client sees only an internal error. */
  readonly onInternalError: (error: unknown, what: string) => void;
}
