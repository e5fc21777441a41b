import type { CustomValue } from '../custom-values/custom-value.ts';
import type { Queryable } from '../database/in-transaction.ts';
import { qrTransitions, type QrEvent } from './qr-state.ts';

export type QrScene = 'APP_AUTH' | 'WXAPP_AUTH' | 'WECHATMP_AUTH';

/** A stored QR code. */
export interface StoredQrCode {
  readonly id: string;
  readonly appId: string;
  readonly scene: QrScene;
  readonly status: number;
  /** Of the browser that shows the code. */
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly withCustomData: boolean;
  /** Values stored with the account of the user who confirms it. */
  readonly customData: readonly CustomValue[];
  /** Only who has an account at this connection may confirm it. */
  readonly connectionId: string | null;
  /** The user who scanned it. */
  readonly userId: string | null;
  readonly resultBox: Buffer | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly exchangedAt: Date | null;
}

const COLUMNS = `id, app_id as "appId", scene, status, address, user_agent as "userAgent",
  with_custom_data as "withCustomData", custom_data as "customData", connection_id as "connectionId", user_id as "userId", result_box as "resultBox",
  created_at as "createdAt", expires_at as "expiresAt", exchanged_at as "exchangedAt"`;

export interface NewQrCode extends Pick<
  StoredQrCode,
  | 'id'
  | 'appId'
  | 'scene'
  | 'address'
  | 'userAgent'
  | 'withCustomData'
  | 'customData'
  | 'connectionId'
  | 'createdAt'
  | 'expiresAt'
> {
  readonly randomHash: Buffer;
  readonly scanHash: Buffer;
  readonly ticketHash: Buffer;
}

export async function insertQrCode(db: Queryable, code: NewQrCode): Promise<void> {
  await db.query(
    `insert into identity.provider_qr_code (id, random_hash, scan_hash, ticket_hash, app_id, scene,
       address, user_agent, with_custom_data, created_at, expires_at, custom_data, connection_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      code.id,
      code.randomHash,
      code.scanHash,
      code.ticketHash,
      code.appId,
      code.scene,
      code.address,
      code.userAgent,
      code.withCustomData,
      code.createdAt,
      code.expiresAt,
      JSON.stringify(code.customData),
      code.connectionId,
    ],
  );
}

export async function findQrCodeByRandom(
  db: Queryable,
  randomHash: Buffer,
): Promise<StoredQrCode | undefined> {
  const answer = await db.query<StoredQrCode>(
    `select ${COLUMNS} from identity.provider_qr_code where random_hash = $1`,
    [randomHash],
  );
  return answer.rows[0];
}

export async function findQrCodeByScan(
  db: Queryable,
  scanHash: Buffer,
): Promise<StoredQrCode | undefined> {
  const answer = await db.query<StoredQrCode>(
    `select ${COLUMNS} from identity.provider_qr_code where scan_hash = $1`,
    [scanHash],
  );
  return answer.rows[0];
}

/**
 * Changes the state of a code, for the user who scanned it, if any.
 * @returns undefined if the event is not allowed in its state, it has expired, or it belongs to
 * another user
 */
export async function moveQrCode(
  db: Queryable,
  event: QrEvent,
  move: {
    readonly scanHash: Buffer;
    readonly userId: string;
    readonly now: Date;
    /** Until when the new state is shown; undefined: as long as before. */
    readonly expiresAt?: Date;
    readonly resultBox?: Buffer;
  },
): Promise<StoredQrCode | undefined> {
  const { from, to } = qrTransitions[event];
  const answer = await db.query<StoredQrCode>(
    `update identity.provider_qr_code
        set status = $1, user_id = $2, expires_at = coalesce($3, expires_at),
            result_box = coalesce($4, result_box)
      where scan_hash = $5 and status = any ($6) and expires_at > $7
        and (user_id is null or user_id = $2) returning ${COLUMNS}`,
    [
      to,
      move.userId,
      move.expiresAt ?? null,
      move.resultBox ?? null,
      move.scanHash,
      [...from],
      move.now,
    ],
  );
  return answer.rows[0];
}

/** Uses up a ticket; of concurrent uses, one succeeds. */
export async function exchangeQrTicket(
  db: Queryable,
  ticketHash: Buffer,
  { now, status, appId }: { readonly now: Date; readonly status: number; readonly appId: string },
): Promise<StoredQrCode | undefined> {
  const answer = await db.query<StoredQrCode>(
    `update identity.provider_qr_code set exchanged_at = $2
      where ticket_hash = $1 and status = $3 and app_id = $4 and expires_at > $2
        and exchanged_at is null returning ${COLUMNS}`,
    [ticketHash, now, status, appId],
  );
  return answer.rows[0];
}

export async function deleteExpiredQrCodes(db: Queryable, before: Date): Promise<void> {
  await db.query('delete from identity.provider_qr_code where expires_at < $1', [before]);
}
