import { isIP } from 'node:net';
import { choice, list, optionalText, optionalUrl } from './setting.ts';

const group = 'Sign-in';

/** A host name, an address, or a network. */
const internalHost = {
  test: (entry: string): boolean => {
    const [address = '', bits, ...rest] = entry.split('/');
    if (bits === undefined) return /^[\w.:-]{1,253}$/.test(entry);
    const mostBits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
    return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= mostBits;
  },
};

/** How sign-in codes and notices reach people. */
export const messageSettings = {
  messenger: choice(
    {
      env: 'DEVICEPORTAL_MESSENGER',
      group,
      description:
        'Delivery of sign-in codes: `outbox` shows them on a page on this machine, `smtp` uses a mail server, and `ses` uses Amazon SES in `DEVICEPORTAL_REGION` and requires the package `aws`. Required in production, where `outbox` is allowed only with a loopback host.',
    },
    ['outbox', 'smtp', 'ses'],
    undefined,
  ),
  smtpUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_SMTP_URL',
      group,
      secret: true,
      description: 'Mail server for `smtp`, for example `smtps://user:password@host:465`.',
    },
    ['smtp:', 'smtps:'],
  ),
  mailFrom: optionalText({
    env: 'DEVICEPORTAL_MAIL_FROM',
    group,
    description: 'Sender of emails, for example `Device Portal <portal@example.com>`.',
  }),
  smtpStartTls: choice(
    {
      env: 'DEVICEPORTAL_SMTP_STARTTLS',
      group,
      description:
        'With `smtp:`: whether a mail server without STARTTLS is rejected or used without encryption. A mail server on this machine is always allowed.',
    },
    ['required', 'optional'],
    'required',
  ),
  smsWebhookUrl: optionalUrl(
    {
      env: 'DEVICEPORTAL_SMS_WEBHOOK_URL',
      group,
      description:
        'Gateway for text messages, in addition to `smtp` or `ses`. It receives a signed `POST` request for each message. Default: codes are sent only by email.',
    },
    ['http:', 'https:'],
  ),
  smsWebhookSecret: optionalText(
    {
      env: 'DEVICEPORTAL_SMS_WEBHOOK_SECRET',
      group,
      secret: true,
      description:
        'Secret shared with the gateway, which verifies the signature with it. At least 32 characters.',
    },
    { test: /^.{32,}$/, says: 'must have at least 32 characters' },
  ),
  sesEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_SES_ENDPOINT',
      group,
      description: 'Endpoint for `ses`. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  smsGateway: choice(
    {
      env: 'DEVICEPORTAL_SMS_GATEWAY',
      group,
      description:
        'Delivery of text messages, in addition to `smtp` or `ses`: `webhook` is `DEVICEPORTAL_SMS_WEBHOOK_URL`, and `sns` is Amazon SNS in `DEVICEPORTAL_REGION` and requires the package `aws`.',
    },
    ['webhook', 'sns'],
    'webhook',
  ),
  smsSenderId: optionalText(
    {
      env: 'DEVICEPORTAL_SMS_SENDER_ID',
      group,
      description:
        'Sender of text messages by `sns`, in countries where it can be chosen. Default: a number of SNS.',
    },
    {
      test: /^(?=.*[A-Za-z])[A-Za-z0-9-]{1,11}$/,
      says: 'must have 1 to 11 letters, digits or hyphens, at least one of them a letter',
    },
  ),
  snsEndpoint: optionalUrl(
    {
      env: 'DEVICEPORTAL_SNS_ENDPOINT',
      group,
      description: 'Endpoint for `sns`. Default: the endpoint of the region.',
    },
    ['http:', 'https:'],
  ),
  alertInternalHosts: list(
    {
      env: 'DEVICEPORTAL_ALERT_INTERNAL_HOSTS',
      group: 'Limits',
      description:
        'Host names, addresses, and networks inside this network to which alerts can be sent, for example `hooks.example.internal,10.2.0.0/16`. Requests to them can be without TLS. All other addresses must be public. Default: none.',
    },
    {
      item: internalHost,
      says: 'must be a list of host names, addresses, or networks (10.2.0.0/16)',
      default: [],
    },
  ),
};
