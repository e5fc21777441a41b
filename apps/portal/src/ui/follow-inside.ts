import { navigateTo } from './navigate-to.ts';

interface FollowEvent {
  readonly detail: { readonly href?: string | undefined; readonly external?: boolean | undefined };
  preventDefault: () => void;
}

/** Cloudscape fires `follow` for plain clicks only: those go through the router instead of loading a page. */
export function followInside(event: FollowEvent): void {
  const { href, external } = event.detail;
  if (href === undefined || external || !href.startsWith('/')) return;
  event.preventDefault();
  navigateTo(href);
}
