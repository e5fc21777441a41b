import { createTravellingOneTimeCode } from '@deviceportal/identity/travelling-one-time-code';
import { z } from 'zod';
import { createDirectMessenger } from './messages/direct-messenger.ts';
import { createSmsWebhookChannel } from './messages/sms-webhook-channel.ts';
import { createSmtpChannel } from './messages/smtp-channel.ts';
import { isLoopback } from './platform/config/is-loopback.ts';

/**
 * The one-time code as three AWS Lambda functions for a hosted user pool: `npm run build:triggers` makes one file of
 * this, and each function names its handler in it. docs/guides/hosted-user-pool.md says how.
 */
const environmentSchema = z.object({
  DEVICEPORTAL_CODE_SECRET: z.string().min(32),
  DEVICEPORTAL_SMTP_URL: z.string().regex(/^smtps?:\/\//),
  DEVICEPORTAL_MAIL_FROM: z.string().min(3),
  DEVICEPORTAL_SMS_WEBHOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
  DEVICEPORTAL_SMS_WEBHOOK_SECRET: z.string().min(32).optional(),
  /** `on` where the app client's PreventUserExistenceErrors is ENABLED. */
  DEVICEPORTAL_HIDE_USERS: z.enum(['on', 'off']).default('off'),
});

const environment = environmentSchema.parse(process.env);
const {
  DEVICEPORTAL_SMTP_URL: url,
  DEVICEPORTAL_SMS_WEBHOOK_URL: smsUrl,
  DEVICEPORTAL_SMS_WEBHOOK_SECRET: smsSecret,
} = environment;

export const { defineAuthChallenge, createAuthChallenge, verifyAuthChallengeResponse } =
  createTravellingOneTimeCode({
    messenger: createDirectMessenger({
      email: createSmtpChannel({
        url,
        from: environment.DEVICEPORTAL_MAIL_FROM,
        allowClear: isLoopback(new URL(url).hostname),
      }),
      ...(smsUrl &&
        smsSecret && { sms: createSmsWebhookChannel({ url: smsUrl, secret: smsSecret }) }),
    }),
    secret: environment.DEVICEPORTAL_CODE_SECRET,
    hidesUsers: environment.DEVICEPORTAL_HIDE_USERS === 'on',
  });
