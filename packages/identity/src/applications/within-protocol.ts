import type { ProviderContext } from '../provider/provider-context.ts';
import type { ApplicationProtocol } from './application.ts';

/** The same parts for one protocol: applications that do not speak it are unknown to it. */
export function withinProtocol(
  context: ProviderContext,
  protocol: ApplicationProtocol,
): ProviderContext {
  const { applications } = context;
  return {
    ...context,
    applications: {
      ...applications,
      async find(appId) {
        const application = await applications.find(appId);
        return application?.protocols.includes(protocol) ? application : undefined;
      },
    },
  };
}
