import MailComposer from 'nodemailer/lib/mail-composer';
import type { Delivery } from './delivery-channel.ts';

/** The MIME message of a delivery. */
export function composeMail({ id, to, subject, text, html }: Delivery, from: string) {
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    ...(html !== undefined && { html }),
    messageId: `<${id}@${domain}>`,
    headers: {
      // Suppresses automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
  }).compile();
}
