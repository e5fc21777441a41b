import { escapeHtml as text } from '../messages/message-html.ts';
import { messageLanguages, type MessageLanguage } from '../messages/message-words.ts';
import type { RenderedMessage } from '../messages/render-message.ts';
import { sampleKinds, type SampleKind } from '../messages/sample-messages.ts';
import { smsLength } from '../messages/sms-length.ts';
import type { OutboxMessage } from './data/outbox-queries.ts';

const channelNames: Readonly<Record<string, string>> = { email: 'Email', sms: 'Text message' };

/** The list of messages; a script updates the page. */
export function outboxPage(
  messages: readonly OutboxMessage[],
  { to, hasTemplates }: { readonly to: string | undefined; readonly hasTemplates: boolean },
): string {
  return page({
    title: 'Outbox',
    script: true,
    head: `<h1>Outbox</h1>
<p class="faint">Messages that this installation would have sent. None of them leaves this machine. ${hasTemplates ? '<a href="/outbox/templates">All templates</a> · ' : ''}<a href="/">Portal</a></p>
<div class="bar"><label>Recipient <input id="filter" type="search" value="${text(to ?? '')}" placeholder="Email or phone number" autocomplete="off" spellcheck="false"></label><p id="status" role="status" class="faint"></p></div>`,
    main: `<div id="messages">${messages.map(article).join('\n')}</div>
<p id="nothing"${messages.length > 0 ? ' hidden' : ''}>No messages yet. Request a code on the <a href="/signin">sign-in page</a>: it appears here at once.</p>`,
  });
}

function article({ id, to, channel, subject, text: body, code, sentAt }: OutboxMessage): string {
  const mail =
    channel === 'email'
      ? `<details><summary>HTML preview</summary><iframe title="${text(subject)}" sandbox data-src="/outbox/messages/${id}/mail"></iframe></details>`
      : '';
  return `<article id="m-${id}" data-to="${text(to)}">
<h2>${text(subject)}</h2>
${code === null ? '' : `<div class="code"><output>${text(code)}</output><button type="button" data-code="${text(code)}">Copy code</button></div>`}
<dl><div><dt>To</dt><dd>${text(to)}</dd></div><div><dt>By</dt><dd>${text(channelNames[channel] ?? channel)}</dd></div><div><dt>At</dt><dd><time datetime="${sentAt}">${sentAt}</time></dd></div></dl>
<details><summary>Text</summary><pre>${text(body)}</pre></details>${mail}
</article>`;
}

/** Links to every template in every language and form. */
export function templatesPage(): string {
  const links = (kind: SampleKind): string =>
    messageLanguages
      .flatMap((language) =>
        (['email', 'sms'] as const).map(
          (channel) =>
            `<a href="/outbox/templates/${kind}?language=${language}&amp;channel=${channel}">${language} ${(channelNames[channel] ?? '').toLowerCase()}</a>`,
        ),
      )
      .join(' · ');
  const articles = sampleKinds.map(
    (kind) => `<article><h2>${kind}</h2><p>${links(kind)}</p></article>`,
  );
  return page({
    title: 'Templates',
    script: false,
    head: `<h1>Templates</h1><p class="faint">Every message template, with sample data. <a href="/outbox">Outbox</a></p>`,
    main: articles.join('\n'),
  });
}

export interface TemplateView {
  readonly kind: SampleKind;
  readonly language: MessageLanguage;
  readonly message: RenderedMessage;
  /** URL of the email alone; undefined for a text message. */
  readonly mailUrl: string | undefined;
}

/** One template: subject, rendered HTML, and text. */
export function templatePage({ kind, language, message, mailUrl }: TemplateView): string {
  const { alphabet, places } = smsLength(message.text);
  const form =
    mailUrl === undefined
      ? `<p class="faint">${places} places of one ${alphabet} message.</p>`
      : `<iframe title="${text(message.subject)}" sandbox src="${text(mailUrl)}"></iframe>`;
  return page({
    title: kind,
    script: false,
    head: `<h1>${kind}</h1><p class="faint">${language} · <a href="/outbox/templates">All templates</a></p>`,
    main: `<article><h2 lang="${language}">${text(message.subject)}</h2>${form}<pre lang="${language}">${text(message.text)}</pre></article>`,
  });
}

function page(parts: {
  readonly title: string;
  readonly head: string;
  readonly main: string;
  readonly script: boolean;
}): string {
  const script = parts.script ? '<script type="module" src="/outbox/outbox.js"></script>' : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${parts.title} · Device Portal</title><link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/outbox/outbox.css">${script}</head>
<body><header>${parts.head}</header><main>${parts.main}</main></body></html>`;
}
