import { z } from 'zod';

const secret = z.string().regex(/^[\w-]{0,128}$/);

/** Form data of the hosted pages. */
export const actSchema = z.object({
  act: z.enum([
    'send',
    'code',
    'password',
    'ldap',
    'ad',
    'qr',
    'choose-step',
    'send-step',
    'second-step',
    'passkey',
    'allow',
    'cancel',
  ]),
  secret: z.string().max(128),
  account: z.string().trim().max(256).default(''),
  password: z.string().max(1_024).default(''),
  code: z.string().trim().max(64).default(''),
  token: z.string().max(512).default(''),
  /** Of a second step. */
  method: z
    .enum(['OTP', 'RECOVERY', 'SMS', 'EMAIL', 'FACE', 'PASSKEY', 'PASSKEY_CODE'])
    .default('OTP'),
  contact: z.string().trim().max(254).default(''),
  /** What the browser returned for a passkey, as JSON. */
  credential: z.string().max(65_536).default(''),
  photo: z.instanceof(Uint8Array).optional(),
  /** Shown once; sent back so that the page can show it again. */
  appSecret: z.string().max(128).default(''),
  recoveryCode: z.string().max(128).default(''),
  /** When a code was sent, for the countdown alone. */
  sentAt: z.coerce.number().int().min(0).catch(0).default(0),
  /** Of a QR code. */
  random: secret.default(''),
  scan: secret.default(''),
  round: z.coerce.number().int().min(0).max(100).default(0),
});
export type Act = z.output<typeof actSchema>;
