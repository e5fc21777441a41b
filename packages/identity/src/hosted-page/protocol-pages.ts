import type { KoaContextWithOIDC } from 'oidc-provider';
import { escapeHtml } from './escape-html.ts';
import { formTargetOf, pageFrame, pageHeaders } from './page-frame.ts';
import { pageLanguage } from './page-language.ts';
import { pageWords } from './page-words.ts';

type KoaContext = Pick<KoaContextWithOIDC, 'oidc' | 'req' | 'set'> & { body: unknown };

/** A page with a message, and an error's text if there is one. */
export function messagePage(
  ctx: KoaContext,
  what: 'requestRefused' | 'signedOut',
  details: object = {},
): void {
  const language = languageOf(ctx);
  const words = pageWords(language);
  const lines = Object.entries(details).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}: ${value}`] : [],
  );
  const list = lines.length === 0 ? '' : `<pre>${escapeHtml(lines.join('\n'))}</pre>`;
  const body = `<p>${escapeHtml(words[`${what}Hint`])}</p>${list}`;
  ctx.set({ ...pageHeaders([]) });
  ctx.body = pageFrame(hostedOf(ctx), { language, title: words[what], body });
}

/**
 * Asks whether to sign out. A request with an ID token of the session is not asked (OpenID Connect
 * RP-Initiated Logout, section 2); its page submits automatically.
 * @param form of oidc-provider, with the ID `op.logoutForm` and a CSRF secret
 */
export function signOutPage(ctx: KoaContext, form: string): void {
  const { client, params } = ctx.oidc;
  const language = languageOf(ctx);
  const words = pageWords(language);
  const isSure = ctx.oidc.entities.IdTokenHint !== undefined;
  const marked = isSure ? form.replace('<form ', '<form data-go-on ') : form;
  const always = isSure
    ? '<input type="hidden" name="logout" value="yes" form="op.logoutForm">'
    : '';
  const target = params?.['post_logout_redirect_uri'];
  const targets = client && typeof target === 'string' ? [formTargetOf(target)] : [];
  ctx.set({ ...pageHeaders(targets) });
  ctx.body = pageFrame(hostedOf(ctx), {
    language,
    title: words.signOut,
    body: `<p>${escapeHtml(words.signOutHint)}</p>${marked}${always}
<nav><button type="submit" form="op.logoutForm" name="logout" value="yes">${escapeHtml(words.signOutYes)}</button>
${isSure ? '' : `<button type="submit" form="op.logoutForm" class="second">${escapeHtml(words.signOutNo)}</button>`}</nav>`,
  });
}

function languageOf({ oidc, req }: KoaContext) {
  const wish = oidc?.params?.['ui_locales'];
  return pageLanguage(typeof wish === 'string' ? wish : undefined, req.headers['accept-language']);
}

/** Issuers are `{application host}/oidc` and `…/oauth`; the pages' own files are next to them. */
function hostedOf({ oidc }: KoaContext): string {
  return oidc.issuer.replace(/\/(oidc|oauth)$/, '/hosted');
}
