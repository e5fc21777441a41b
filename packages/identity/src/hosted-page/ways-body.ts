import { escapeHtml } from './escape-html.ts';
import type { OtherWay } from './other-ways.ts';
import type { SignInBody } from './page-state.ts';

/** The other ways of the application, as links: none in the middle of one. */
export function waysBody(body: SignInBody): string {
  const { otherWays, state, words } = body;
  if (state.step === 'enter-code' || state.step === 'second-step') return '';
  const links = otherWays
    .filter(({ kind }) => kind !== state.step)
    .map(
      (way) =>
        `<a class="button" href="${escapeHtml(hrefOf(body, way))}">${contentOf(body, way)}</a>`,
    );
  if (links.length === 0) return '';
  const title = escapeHtml(words.otherWays);
  return `<nav aria-label="${title}"><p>${title}</p>${links.join('')}</nav>`;
}

/** A link to another form of the page. */
export function linkTo(body: Pick<SignInBody, 'lang'>, way: string, label: string): string {
  return `<p><a href="${escapeHtml(queryOf(body, { way }))}">${escapeHtml(label)}</a></p>`;
}

function hrefOf(body: SignInBody, way: OtherWay): string {
  if (way.kind !== 'connection') return queryOf(body, { way: way.kind });
  return `${body.pageUrl}/with/${encodeURIComponent(way.identifier)}${queryOf(body, {})}`;
}

function contentOf({ words }: SignInBody, way: OtherWay): string {
  if (way.kind !== 'connection') return escapeHtml(words[`way_${way.kind}`]);
  const picture = way.logo === undefined ? '' : `<img src="${escapeHtml(way.logo)}" alt="">`;
  return `${picture}${escapeHtml(words.continueWith.replace('{name}', way.name))}`;
}

function queryOf({ lang }: Pick<SignInBody, 'lang'>, query: Record<string, string>): string {
  const search = new URLSearchParams({ ...query, ...(lang !== undefined && { lang }) }).toString();
  return search === '' ? '' : `?${search}`;
}
