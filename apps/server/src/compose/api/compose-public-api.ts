import type { ApiCallRecorder } from '../../api-calls/api-call-recorder.ts';
import type { AppRouter } from '../../api/app-router.ts';
import { createTokenAuthentication } from '../../api-tokens/authenticate-token.ts';
import { registerDeviceGrantRoutes } from '../../api-tokens/device-grant/device-grant-routes.ts';
import type { CaseBinder } from '../../cases/create-case-binder.ts';
import { keyPurposes } from '../../platform/secrets/key-purposes.ts';
import type { StepUpGate } from '../../platform/step-up-gate.ts';
import { registerDocsPage } from '../../api/public/docs-page-routes.ts';
import { registerPublicApi } from '../../api/public/public-api-routes.ts';
import type { ViewerFinder } from '../../session/find-viewer.ts';
import type { IdentityParts } from '../compose-identity.ts';
import type { Composition } from '../composition.ts';

/** `/api/v1`, for scripts and applications with API tokens, and the sign-in by which they get one. */
export function composePublicApi(
  { platform, clock, secrets }: Composition,
  parts: Pick<IdentityParts, 'directory'> & {
    readonly viewers: ViewerFinder;
    readonly appRouter: AppRouter;
    readonly apiCalls: ApiCallRecorder;
    readonly cases: CaseBinder;
    readonly stepUp: StepUpGate;
    readonly shown: (output: unknown) => unknown;
  },
): void {
  const { config, database, http, logger, publicUrl } = platform;
  const { viewers, directory, ...shared } = parts;
  const tokens = createTokenAuthentication({ database, viewers, directory, clock });
  registerDocsPage(http);
  registerPublicApi(http, {
    ...{ ...shared, database, clock, publicUrl, tokens },
    requestKeys: secrets.keysFor(keyPurposes.apiRequests),
  });
  const { apiTokenMaxDays } = config.limits;
  registerDeviceGrantRoutes(http, {
    ...{ database, directory, clock, publicUrl, logger, apiTokenMaxDays },
  });
}
