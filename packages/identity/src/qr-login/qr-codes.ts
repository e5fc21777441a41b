import { newId } from '@deviceportal/contract/ids';
import { randomSecret } from '../secrets/secret-hash.ts';
import type { Queryable } from '../database/in-transaction.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { ProviderError, wordsOf, type WireLanguage } from '../provider/wire/provider-error.ts';
import { qrRefusals } from './qr-refusals.ts';
import { QrState, shownQrState, type QrEvent } from './qr-state.ts';
import {
  deleteExpiredQrCodes,
  exchangeQrTicket,
  findQrCodeByRandom,
  findQrCodeByScan,
  insertQrCode,
  moveQrCode,
  type QrScene,
  type StoredQrCode,
} from './qr-code-store.ts';

/** From its creation to its confirmation. */
export const QR_CODE_LIFE_MS = 120_000;
/** From the confirmation until the browser has fetched the account. */
const RESULT_LIFE_MS = 60_000;
const SECRET_BYTES = 24;
const KEEP_MS = 3_600_000;

/** Response to a poll (docs/design/sign-in.md, section 3, "QR status response"). */
export interface QrStatus {
  readonly random: string;
  readonly status: QrState;
  readonly ticket: string | null;
  readonly userInfo: { readonly nickname: string | null; readonly photo: string | null } | null;
  readonly scannedResult: QrResult | null;
}

export interface QrResult {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly errmsg: string;
}

export interface QrCodes {
  /** @returns the secret to poll with, and the one that the picture has */
  create(code: {
    readonly appId: string;
    readonly scene: QrScene;
    readonly address: string;
    readonly userAgent: string | undefined;
    readonly withCustomData: boolean;
    readonly customData: readonly CustomValue[];
    readonly connectionId: string | null;
  }): Promise<{ readonly random: string; readonly scan: string }>;
  /** @throws ProviderError codeDoesNotExist */
  check(random: string): Promise<QrStatus>;
  /** The code to confirm on the phone; undefined if there is none, or it has expired. */
  findScanned(scan: string): Promise<StoredQrCode | undefined>;
  /** @returns undefined when nothing was moved: too late, or the code of another user */
  move(event: QrEvent, scan: string, user: ProviderUser): Promise<StoredQrCode | undefined>;
  /**
   * Ends a confirmation that is rejected or requires a second factor, with the result for the
   * browser.
   */
  end(
    event: 'askSecondStep' | 'fail',
    ended: {
      readonly scan: string;
      readonly user: ProviderUser;
      readonly error: ProviderError;
      readonly language: WireLanguage;
    },
  ): Promise<void>;
  /**
   * Uses up a ticket, for the application that requested the code.
   * @throws ProviderError ticketHasEnded
   */
  exchange(
    ticket: string,
    appId: string,
    client: Queryable,
  ): Promise<StoredQrCode & { readonly userId: string }>;
  deleteExpired(): Promise<void>;
}

/**
 * Codes with three secrets: `random` is for polling, `scan` is in the picture, and the ticket,
 * derived from `random`, is exchanged. A photo of the screen contains only `scan`, which gives no
 * access.
 */
export function createQrCodes({
  db,
  clock,
  hash,
  box,
  users,
}: Pick<ProviderContext, 'db' | 'clock' | 'hash' | 'box' | 'users'>): QrCodes {
  const now = (): Date => new Date(clock.now());
  const keys = hashesOf(hash);
  return {
    async create(code) {
      const random = randomSecret(SECRET_BYTES);
      const scan = randomSecret(SECRET_BYTES);
      const createdAt = now();
      await insertQrCode(db, {
        ...code,
        userAgent: code.userAgent ?? null,
        id: newId(),
        randomHash: keys.random(random),
        scanHash: keys.scan(scan),
        ticketHash: keys.ticket(keys.ticketOf(random)),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + QR_CODE_LIFE_MS),
      });
      return { random, scan };
    },
    async check(random) {
      const code = await findQrCodeByRandom(db, keys.random(random));
      if (code === undefined) throw new ProviderError(qrRefusals.codeDoesNotExist);
      const status = shownQrState(code, now());
      const user = code.userId === null ? undefined : await users.find(code.userId);
      const ended = status === QrState.secondStep || status === QrState.failed;
      return {
        random,
        status,
        ticket: status === QrState.authorized ? keys.ticketOf(random) : null,
        userInfo: user === undefined ? null : shownPerson(user, status),
        scannedResult: ended ? resultOf(box, code) : null,
      };
    },
    async findScanned(scan) {
      const code = await findQrCodeByScan(db, keys.scan(scan));
      return code && code.expiresAt > now() ? code : undefined;
    },
    move: (event, scan, user) =>
      moveQrCode(db, event, {
        scanHash: keys.scan(scan),
        userId: user.id,
        now: now(),
        ...(event !== 'scan' && { expiresAt: new Date(clock.now() + RESULT_LIFE_MS) }),
      }),
    async end(event, { scan, user, error, language }) {
      const code = await findQrCodeByScan(db, keys.scan(scan));
      if (code === undefined) return;
      const message = wordsOf(error.refusal, language);
      const result: QrResult = {
        ...{ code: error.refusal.code, message, data: error.data ?? null, errmsg: message },
      };
      await moveQrCode(db, event, {
        scanHash: keys.scan(scan),
        userId: user.id,
        now: now(),
        expiresAt: new Date(clock.now() + RESULT_LIFE_MS),
        resultBox: box.seal(JSON.stringify(result), `qr ${code.id}`),
      });
    },
    async exchange(ticket, appId, client) {
      const at = { now: now(), status: QrState.authorized, appId };
      const code = await exchangeQrTicket(client, keys.ticket(ticket), at);
      if (code === undefined || code.userId === null) {
        throw new ProviderError(qrRefusals.ticketHasEnded);
      }
      return { ...code, userId: code.userId };
    },
    deleteExpired: () => deleteExpiredQrCodes(db, new Date(clock.now() - KEEP_MS)),
  };
}

/** Hashes of the three secrets in the database, and the ticket of a code. */
function hashesOf(hash: ProviderContext['hash']) {
  return {
    random: (random: string) => hash('provider-qr', 'random', random),
    scan: (scan: string) => hash('provider-qr', 'scan', scan),
    ticket: (ticket: string) => hash('provider-qr', 'exchange', ticket),
    ticketOf: (random: string) => hash('provider-qr', 'ticket', random).toString('base64url'),
  };
}

/** The result for the browser of a confirmation that was rejected or requires a second factor. */
function resultOf(box: ProviderContext['box'], { id, resultBox }: StoredQrCode): QrResult | null {
  return resultBox === null ? null : (JSON.parse(box.open(resultBox, `qr ${id}`)) as QrResult);
}

/** The URL of a code's picture. */
export function qrPictureUrl(
  { settings }: Pick<ProviderContext, 'settings'>,
  scan: string,
): string {
  return `${settings.baseUrl}/qr/${scan}/picture.png`;
}

/**
 * Information for the screen about the user with the phone; another person may have created the
 * code. After the scan, only the nickname is shown (docs/design/sign-in.md, section 2); after the
 * confirmation, the user is signed in there.
 */
function shownPerson(user: ProviderUser, status: QrState): QrStatus['userInfo'] {
  const { nickname = null, photo = null } = user.profile;
  if (status === QrState.scanned) return { nickname, photo: null };
  if (status !== QrState.authorized) return null;
  return { nickname: nickname ?? shortName(user), photo };
}

/** The name alone, no address. */
function shortName({ username, email, profile }: ProviderUser): string | null {
  return profile.name ?? username ?? email?.split('@', 1)[0] ?? null;
}
