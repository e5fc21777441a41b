import type { FastifyInstance } from 'fastify';
import { addContentRoute } from './content-route.ts';
import type { DeviceFileRoutesDeps } from './device-file-routes-deps.ts';
import { addFetchRoute } from './fetch-route.ts';
import { addSendRoute } from './send-route.ts';
import { addUploadRoutes } from './upload-routes.ts';
import { closeUnread } from '../platform/http/close-unread.ts';

/** Content of files on its way between devices and browsers. Signed links grant access. */
export function addDeviceFileRoutes(app: FastifyInstance, deps: DeviceFileRoutesDeps): void {
  void app.register(async (scope) => {
    // The content is streamed to the disk: no parser, and the limit of the request instead of `bodyLimit`.
    closeUnread(scope);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    addSendRoute(scope, deps);
    addFetchRoute(scope, deps);
    addContentRoute(scope, deps);
    addUploadRoutes(scope, deps);
  });
}
