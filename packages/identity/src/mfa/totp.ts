import { randomBytes } from 'node:crypto';
import { newId } from '@deviceportal/contract/ids';
import { generateSecret, generateURI, verify } from 'otplib';
import { inTransaction } from '../database/in-transaction.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { RecordWith } from '../sign-in/sign-ins.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { mfaRefusals } from './mfa-refusals.ts';
import {
  deleteTotps,
  enableTotp,
  listTotps,
  replacePendingTotp,
  takeRecoveryCode,
  takeStep,
  type StoredTotp,
} from './totp-store.ts';

/** Data for an authenticator app; returned once (identity-sdk.md, section 7). */
export interface TotpAssociation {
  readonly authenticator_type: 'totp';
  /** Base32. */
  readonly secret: string;
  readonly qrcode_uri: string;
  /** A PNG. */
  readonly qrcode_data_url: string;
  readonly recovery_code: string;
}

/** Authenticator apps (RFC 6238: SHA-1, six digits, 30 seconds). */
export interface Totps {
  list(userId: string): Promise<StoredTotp[]>;
  /** @throws ProviderError totpAlreadyBound */
  associate(user: ProviderUser): Promise<TotpAssociation>;
  /** The same app once more, while it is not confirmed. */
  describe(
    user: ProviderUser,
    told: { readonly secret: string; readonly recoveryCode: string },
  ): Promise<TotpAssociation>;
  /**
   * @param isSpent whether the number may not be used again for a sign-in
   * @throws ProviderError totpNotBound, wrongTotp, totpAlreadyBound
   */
  confirm(userId: string, number: string, isSpent: boolean, record?: RecordWith): Promise<void>;
  /** A number counts once. @throws ProviderError totpNotBound, wrongTotp */
  verify(userId: string, number: string): Promise<void>;
  /** A recovery code counts once. @throws ProviderError wrongRecoveryCode */
  recover(userId: string, code: string, record?: RecordWith): Promise<void>;
  /** @throws ProviderError totpNotBound */
  remove(userId: string, record?: RecordWith): Promise<void>;
}

const PERIOD_SECONDS = 30;
/** RFC 6238, section 5.2: one step to either side, for clocks that differ. */
const TOLERANCE_SECONDS = 30;
const RECOVERY_BYTES = 14;

export function createTotps({
  db,
  clock,
  hash,
  box,
  settings,
}: Pick<ProviderContext, 'db' | 'clock' | 'hash' | 'box' | 'settings'>): Totps {
  const now = (): Date => new Date(clock.now());
  const recoveryHash = (userId: string, code: string): Buffer =>
    hash('provider-recovery-code', userId, code.replaceAll(/[\s-]/g, '').toLowerCase());
  const stepOf = async (totp: StoredTotp, number: string): Promise<number> => {
    const epoch = Math.floor(clock.now() / 1_000);
    const token = number.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(token)) throw new ProviderError(mfaRefusals.wrongTotp);
    const secret = box.open(totp.secretBox, `totp ${totp.id}`);
    const found = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS });
    if (!found.valid) throw new ProviderError(mfaRefusals.wrongTotp);
    return Math.floor(epoch / PERIOD_SECONDS) + found.delta;
  };
  const require = async (userId: string, enabled: boolean): Promise<StoredTotp> => {
    const totp = (await listTotps(db, userId)).find((one) => one.enabled === enabled);
    if (totp === undefined) throw new ProviderError(mfaRefusals.totpNotBound);
    return totp;
  };
  const describe: Totps['describe'] = (user, told) =>
    describeApp(settings.application.name, user, told);
  return {
    list: (userId) => listTotps(db, userId),
    async associate(user) {
      if ((await listTotps(db, user.id)).some(({ enabled }) => enabled)) {
        throw new ProviderError(mfaRefusals.totpAlreadyBound);
      }
      const id = newId();
      const secret = generateSecret();
      const code = newRecoveryCode();
      await replacePendingTotp(db, {
        id,
        userId: user.id,
        secretBox: box.seal(secret, `totp ${id}`),
        recoveryHash: recoveryHash(user.id, code),
        createdAt: now(),
      });
      return describe(user, { secret, recoveryCode: code });
    },
    describe,
    async confirm(userId, number, isSpent, record) {
      const totp = await require(userId, false);
      const step = await stepOf(totp, number);
      const lastStep = isSpent ? step : null;
      await inTransaction(db, async (client) => {
        if (!(await enableTotp(client, totp.id, { at: now(), lastStep }))) {
          throw new ProviderError(mfaRefusals.totpAlreadyBound);
        }
        await record?.(client);
      });
    },
    async verify(userId, number) {
      const totp = await require(userId, true);
      const step = await stepOf(totp, number);
      if (!(await takeStep(db, totp.id, step))) throw new ProviderError(mfaRefusals.wrongTotp);
    },
    async recover(userId, code, record) {
      const taken = { recoveryHash: recoveryHash(userId, code), at: now() };
      await inTransaction(db, async (client) => {
        if (!(await takeRecoveryCode(client, userId, taken))) {
          throw new ProviderError(mfaRefusals.wrongRecoveryCode);
        }
        await record?.(client);
      });
    },
    async remove(userId, record) {
      await inTransaction(db, async (client) => {
        if (!(await deleteTotps(client, userId))) throw new ProviderError(mfaRefusals.totpNotBound);
        await record?.(client);
      });
    },
  };
}

async function describeApp(
  issuer: string,
  user: ProviderUser,
  { secret, recoveryCode }: { readonly secret: string; readonly recoveryCode: string },
): Promise<TotpAssociation> {
  const label = user.email ?? user.username ?? user.phone ?? user.id;
  const uri = generateURI({ issuer, label, secret });
  // With the first picture, so that a server is ready sooner.
  const { toDataURL } = await import('qrcode');
  return {
    authenticator_type: 'totp',
    secret,
    qrcode_uri: uri,
    qrcode_data_url: await toDataURL(uri),
    recovery_code: recoveryCode,
  };
}

/** 112 bits (OWASP ASVS 2.6.2), in groups of four that can be read aloud. */
function newRecoveryCode(): string {
  return (randomBytes(RECOVERY_BYTES).toString('hex').match(/.{4}/g) ?? []).join('-');
}
