import { navigateTo } from './navigate-to.ts';

interface FollowEvent {
  readonly detail: { readonly href?: string | undefined; readonly external?: boolean | undefined };
  preventDefault: () => void;
}

/**
 * Cloudscape fires `follow` only for plain clicks, which are handled by the router without a page
 * load.
 */
export function followWithRouter(event: FollowEvent): void {
  const { href, external } = event.detail;
  if (href === undefined || external || !href.startsWith('/')) return;
  event.preventDefault();
  navigateTo(href);
}
