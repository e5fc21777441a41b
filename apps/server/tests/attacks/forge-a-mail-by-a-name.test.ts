import { expect, test } from 'vitest';
import { accountChanges } from '@deviceportal/identity/messenger';
import { messageLanguages } from '../../src/messages/message-words.ts';
import { renderMessage } from '../../src/messages/render-message.ts';
import { createSmtpChannel } from '../../src/messages/smtp-channel.ts';
import { startMailServer } from '../support/mail-server.ts';

const HEADER = 'Bcc: all@example.com';
const FORGED = `ada\r\n${HEADER}\r\n\r\n<a href="https://evil.example">Win</a>\r\n.\r\nMAIL FROM:<eve@example.com>`;
const at = new Date('2026-11-20T11:02:00Z');

/** Everything before the first empty line, with folded lines joined. */
const headersOf = (mail: string): readonly string[] =>
  (mail.split('\r\n\r\n', 1)[0] ?? '').replaceAll(/\r\n[ \t]/g, ' ').split('\r\n');

const cases = accountChanges.flatMap((change) =>
  messageLanguages.map((locale) => ({ change, locale })),
);

test.each(cases)(
  'a name with line breaks adds nothing to an email about $change in $locale',
  async ({ change, locale }) => {
    await using server = await startMailServer();
    const rendered = renderMessage({
      kind: 'account-changed',
      ...{ change, locale, at, channel: 'email', to: 'ada@example.com', username: FORGED },
      portalUrl: 'https://portal.example.com/',
      askedFrom: { address: `198.51.100.7\r\n${HEADER}`, userAgent: `x\r\n${HEADER}` },
    });
    expect(rendered.html).not.toContain('<a href="https://evil.example">');
    await deliver(server.port, rendered);
    expect(server.mails).toHaveLength(1);
    const [{ to, mail } = { to: '', mail: '' }] = server.mails;
    expect(to).toBe('ada@example.com');
    expect(headersOf(mail).filter((line) => /^(bcc|cc|from|to|subject):/i.test(line))).toEqual([
      'From: Device Portal <portal@corp.example>',
      'To: ada@example.com',
      expect.stringMatching(/^Subject: /),
    ]);
  },
);

test.each([
  `ada@example.com\r\n${HEADER}`,
  'ada@example.com>\r\nRCPT TO:<all@example.com',
  'ada@example.com, all@example.com',
])('%j reaches no other address and adds no header', async (to) => {
  const recipients: string[] = [];
  await using server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => {
      recipients.push(address);
      done();
    },
  });
  const mail = { subject: `Hello\r\n${HEADER}`, text: 'Hello', html: undefined };
  await deliver(server.port, mail, to).catch(() => undefined);
  expect(recipients).not.toContain('all@example.com');
  const headers = server.mails.flatMap((taken) => headersOf(taken.mail));
  expect(headers.filter((line) => /^(bcc|cc):/i.test(line))).toEqual([]);
});

async function deliver(
  port: number,
  { subject, text, html }: ReturnType<typeof renderMessage>,
  to = 'ada@example.com',
): Promise<void> {
  const channel = createSmtpChannel({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Device Portal <portal@corp.example>',
    allowClear: true,
  });
  const expiresAt = new Date(Date.now() + 60_000);
  const id = '01990000-0000-7000-8000-000000000001';
  await channel.deliver({ id, to, subject, text, html, expiresAt }, async () => {});
}
