import type { MessageLanguage } from './message-words.ts';

/** The parts of an email; absent ones are omitted. */
export interface MailParts {
  readonly language: MessageLanguage;
  readonly subject: string;
  readonly lead: string;
  readonly code?: { readonly label: string; readonly digits: string };
  /** A highlighted value, such as the username. */
  readonly fact?: string;
  readonly button?: { readonly label: string; readonly url: string };
  /** Paragraphs after the main text. */
  readonly notes: readonly string[];
  readonly footer: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

const FONT =
  "font-family:'Open Sans','Segoe UI',Helvetica,Arial,'PingFang SC','Microsoft YaHei',sans-serif";

/** Rules that inline styles cannot express. Clients that ignore them show the light version. */
const STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #161d26 !important; }
  .card { background: #1b232d !important; border-color: #424650 !important; }
  .ink { color: #ebebf0 !important; }
  .faint { color: #b4b4bb !important; }
  .code { background: #232f3e !important; color: #ffffff !important; }
}
@media (max-width: 480px) { .card { padding: 24px 20px !important; } }`;

/**
 * An email as HTML: tables and inline styles, which every client supports, and no external content, so that opening
 * it reveals nothing. The code is one piece of text: selecting or tapping it copies it without spaces.
 */
export function messageHtml(parts: MailParts): string {
  const text = escapeHtml;
  const { language, subject, lead, code, fact, button, notes, footer } = parts;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no">
<title>${text(subject)}</title><style>${STYLES}</style></head>
<body class="page" style="margin:0;padding:0;background:#f3f3f7">
<div style="display:none;max-height:0;overflow:hidden">${text(lead)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f3f7"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td class="ink" style="${FONT};font-size:16px;font-weight:700;color:#0f141a;padding:0 4px 14px">Device Portal</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #d5d5dc;border-radius:16px;padding:32px">
<h1 class="ink" style="${FONT};font-size:20px;line-height:26px;font-weight:700;color:#0f141a;margin:0 0 16px">${text(lead)}</h1>
${code === undefined ? '' : codeBlock(code)}${fact === undefined ? '' : `<p class="ink" style="${FONT};font-size:16px;line-height:24px;font-weight:700;color:#0f141a;margin:0 0 16px">${text(fact)}</p>\n`}${button === undefined ? '' : buttonBlock(button)}${notes.map((note) => `<p class="ink" style="${FONT};font-size:14px;line-height:22px;color:#0f141a;margin:0 0 8px">${text(note)}</p>`).join('\n')}
</td></tr>
<tr><td class="faint" style="${FONT};font-size:12px;line-height:18px;color:#656871;padding:14px 4px">${text(footer)}</td></tr>
</table></td></tr></table></body></html>
`;
}

function codeBlock({ label, digits }: { readonly label: string; readonly digits: string }): string {
  return `<p class="faint" style="${FONT};font-size:12px;line-height:18px;color:#656871;margin:0 0 4px">${escapeHtml(label)}</p>
<p class="code" style="font-family:Consolas,Menlo,'Courier New',monospace;font-size:34px;line-height:44px;font-weight:700;letter-spacing:6px;text-align:center;background:#f0f4ff;color:#0f141a;border-radius:12px;padding:12px 6px 12px 12px;margin:0 0 20px;-webkit-user-select:all;user-select:all">${escapeHtml(digits)}</p>
`;
}

function buttonBlock({ label, url }: { readonly label: string; readonly url: string }): string {
  const href = escapeHtml(url);
  return `<p style="margin:0 0 12px"><a href="${href}" style="${FONT};display:inline-block;background:#006ce0;color:#ffffff;font-size:14px;line-height:20px;font-weight:700;text-decoration:none;border-radius:20px;padding:8px 20px">${escapeHtml(label)}</a></p>
<p class="faint" style="${FONT};font-size:12px;line-height:18px;color:#656871;margin:0 0 20px">${href}</p>
`;
}
