/** Which web pages of the device the portal can open: set on the device, and only there. */

import { WEB_PAGE_TITLE_CHARACTERS, WEB_PAGES_PER_DEVICE } from '@deviceportal/contract/web-pages';
import type { OfferedPage } from '@deviceportal/device-protocol/web-page-offer';

/** By default, none. */
export const defaultWebPages: readonly OfferedPage[] = [];

const PAGE = /^(?<port>[1-9]\d{0,4})(?:=(?<title>[^\p{Cc}\p{Cf}\p{Zl}\p{Zp},]+))?$/u;

/**
 * `off`, or ports with commas between them, each with a title if wanted: `8080=Status,9000`.
 * @returns null if it is neither
 */
export function readWebPages(text: string | undefined): readonly OfferedPage[] | null {
  if (text === undefined || text === 'off') return defaultWebPages;
  const pages = text.split(',').flatMap((part) => {
    const { port, title } = PAGE.exec(part.trim())?.groups ?? {};
    return port === undefined ? [] : [{ port: Number(port), title: (title ?? port).trim() }];
  });
  const ports = new Set(pages.map(({ port }) => port));
  const isValid =
    pages.length === text.split(',').length &&
    pages.length <= WEB_PAGES_PER_DEVICE &&
    ports.size === pages.length &&
    pages.every(
      ({ port, title }) =>
        port <= 65_535 && title.length > 0 && title.length <= WEB_PAGE_TITLE_CHARACTERS,
    );
  return isValid ? pages : null;
}

export const webPagesText = (pages: readonly OfferedPage[]): string =>
  pages.map(({ port, title }) => (title === String(port) ? title : `${port}=${title}`)).join(',');
