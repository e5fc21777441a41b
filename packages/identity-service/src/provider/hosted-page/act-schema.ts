import { z } from 'zod';

const secret = z.string().regex(/^[\w-]{0,128}$/);

/** What the forms of the page send. */
export const actSchema = z.object({
  act: z.enum(['send', 'code', 'password', 'ldap', 'ad', 'qr', 'second-step', 'allow', 'cancel']),
  secret: z.string().max(128),
  account: z.string().trim().max(256).default(''),
  password: z.string().max(1_024).default(''),
  code: z.string().trim().max(16).default(''),
  token: z.string().max(512).default(''),
  /** Of a QR code. */
  random: secret.default(''),
  scan: secret.default(''),
  round: z.coerce.number().int().min(0).max(100).default(0),
});
export type Act = z.output<typeof actSchema>;
