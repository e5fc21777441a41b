import {
  deviceWebPagesInput,
  openWebPageInput,
  webPagePermissions,
  webPageSessionInput,
} from '@deviceportal/contract/web-pages';
import { permitted, router } from '../platform/api.ts';
import { endWebPage } from './end-web-page.ts';
import { linkWebPage } from './link-web-page.ts';
import { listDeviceWebPages } from './list-web-pages.ts';
import { openWebPage } from './open-web-page.ts';
import type { WebPageDeps } from './web-page-deps.ts';

/** Local web pages of devices. Their content is not here, but under an origin of each session. */
export function createWebPagesRouter(deps: WebPageDeps) {
  return router({
    list: permitted(webPagePermissions)
      .input(deviceWebPagesInput)
      .query(({ ctx, input }) => listDeviceWebPages(deps, ctx.viewer, input)),
    open: permitted('web-pages:open', 'opens-web-page')
      .input(openWebPageInput)
      .mutation(({ ctx, input }) => openWebPage(deps, ctx, input)),
    link: permitted('web-pages:open')
      .input(webPageSessionInput)
      .mutation(({ ctx, input }) => linkWebPage(deps, ctx.viewer, input)),
    end: permitted(['web-pages:open', 'web-pages:end'])
      .input(webPageSessionInput)
      .mutation(({ ctx, input }) => endWebPage(deps, ctx, input)),
  });
}
