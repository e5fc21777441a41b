import type { Circumstances } from '../circumstances.ts';
import type { WebPagesConfig } from '../config.ts';

/** Undefined if no origin is set up, and browsers of other machines need one. */
export function chooseWebPages({
  values: { webPagesOrigin, webPagesPort: port },
  production,
  loopback,
}: Pick<Circumstances, 'values' | 'production' | 'loopback'>): WebPagesConfig | undefined {
  if (webPagesOrigin === undefined && (production || !loopback)) return undefined;
  return { origin: webPagesOrigin, port };
}

/** Cookies that a page sets for its parent domain must not reach the portal. */
export function refusePortalDomain({ values }: Pick<Circumstances, 'values'>): string | undefined {
  const { webPagesOrigin, publicUrl } = values;
  if (webPagesOrigin === undefined || publicUrl === undefined) return undefined;
  const pages = new URL(webPagesOrigin.replace('*.', '')).hostname;
  const portal = new URL(publicUrl).hostname;
  const isWithin = (inner: string, outer: string): boolean =>
    inner === outer || inner.endsWith(`.${outer}`);
  return isWithin(pages, portal) || isWithin(portal, pages)
    ? `DEVICEPORTAL_WEB_PAGES_ORIGIN ${webPagesOrigin} is below or above the host of the portal, ${portal}. Use another domain, so that pages of devices cannot set cookies for the portal.`
    : undefined;
}
