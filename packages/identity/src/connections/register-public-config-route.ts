import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { ProviderContext } from '../provider/provider-context.ts';
import { success } from '../provider/wire/envelope.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { publicConfigOf } from './public-config.ts';

/** `GET /api/v2/applications/{appId}/public-config`: what a sign-in page may know of an application. */
export function registerPublicConfigRoute(app: FastifyInstance, context: ProviderContext): void {
  app.get('/api/v2/applications/:appId/public-config', async (request) => {
    const { appId } = z.object({ appId: z.string().max(64) }).parse(request.params);
    const application = await context.applications.find(appId);
    if (application === undefined) throw new ProviderError(refusals.applicationDoesNotExist);
    return success(publicConfigOf(context, application));
  });
}
