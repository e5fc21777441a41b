import { malformed } from '../core/call-rest.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import { report } from '../core/report.ts';
import { asRecord } from '../core/send.ts';
import { readUser } from '../profile/read-user.ts';
import type { User } from '../profile/user.ts';

/** App that scans the code: a mini program, the application's own app, or an official account. */
export type QrCodeScene = 'WXAPP_AUTH' | 'APP_AUTH' | 'WECHATMP_AUTH';

export interface QrCodeRequest {
  readonly scene: QrCodeScene;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly customData?: Readonly<Record<string, unknown>> | undefined;
  readonly extIdpConnId?: string | undefined;
  readonly withCustomData?: boolean | undefined;
}

export interface QrCode {
  readonly random: string;
  /** URL of the code's picture. */
  readonly url: string;
  readonly customLogo?: string | null;
}

/** States of a QR code. */
export const QrCodeState = {
  EXPIRED: -1,
  WAITING: 0,
  SCANNED: 1,
  SUCCESS: 2,
  CANCELLED: 3,
  AUTH_FLOW: 4,
  ERROR: 5,
} as const;

/** The user who scanned the code. */
export interface QrCodeUserInfo {
  readonly id?: string;
  readonly nickname?: string;
  readonly photo?: string;
  readonly token?: string;
  readonly [field: string]: unknown;
}

export interface QrCodeStatus {
  readonly random: string;
  readonly status: number;
  readonly ticket?: string | null;
  readonly userInfo?: QrCodeUserInfo | null;
  readonly scannedResult?: {
    readonly code?: number;
    readonly message?: string;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly errmsg?: string;
  } | null;
}

/** Creates a QR code. */
export async function createQrCode(
  client: IdentityClient,
  request: QrCodeRequest,
  { signal }: CallOptions = {},
): Promise<QrCode> {
  const { scene, context, customData, extIdpConnId, withCustomData } = request;
  const body = {
    autoMergeQrCode: false,
    ...{ scene, context, params: customData, extIdpConnId, withCustomData },
  };
  const reply = await client.rest({ method: 'POST', path: '/api/v2/qrcode/gene', body, signal });
  const { random, url } = asRecord(reply);
  if (typeof random !== 'string' || typeof url !== 'string')
    throw report(client, malformed(client));
  return reply as QrCode;
}

/** Returns the current state of the code. */
export async function checkQrCode(
  client: IdentityClient,
  random: string,
  { signal }: CallOptions = {},
): Promise<QrCodeStatus> {
  const query = { random };
  const reply = await client.rest({ method: 'GET', path: '/api/v2/qrcode/check', query, signal });
  if (typeof asRecord(reply)['status'] !== 'number') throw report(client, malformed(client));
  return reply as QrCodeStatus;
}

/** The account of a confirmed code. Call `client.session.setUser` to make it current. */
export async function exchangeQrTicket(
  client: IdentityClient,
  ticket: string,
  { signal }: CallOptions = {},
): Promise<User> {
  const path = '/api/v2/qrcode/userinfo';
  return readUser(client, await client.rest({ method: 'POST', path, body: { ticket }, signal }));
}
