import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { customKeySchema } from '../custom-values/read-custom-data.ts';
import { ProviderError } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import { originsOf, requireApplication, type ConnectionDeps } from './connection-deps.ts';
import { connectionRefusals } from './connection-refusals.ts';
import type { Interaction } from './interactions.ts';

const LONGEST = 4_096;
export const stateSchema = z.string().min(16).max(512);
const flag = z
  .enum(['0', '1'])
  .default('0')
  .transform((text) => text === '1');
const jsonObject = z
  .string()
  .max(LONGEST)
  .transform((text, issues) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      issues.addIssue({ code: 'custom', message: 'no JSON' });
      return z.NEVER;
    }
  })
  .pipe(z.record(customKeySchema, z.unknown()));

/** Parameters of a window's URL (identity-sdk.md, section 12); others are ignored. */
export const startSchema = z.object({
  app_id: z.string().max(64).optional(),
  client_id: z.string().max(64).optional(),
  lang: z.enum(['zh-CN', 'en-US']).optional(),
  state: stateSchema.optional(),
  nonce: stateSchema.optional(),
  uuid: z
    .string()
    .regex(/^[\w-]{1,64}$/)
    .optional(),
  relay_method: z.enum(['web_message', 'form_post', 'query']).optional(),
  target_url: z
    .url({ protocol: /^https?$/ })
    .max(LONGEST)
    .optional(),
  redirected: flag,
  redirect_url: z.url().max(LONGEST).optional(),
  with_identities: flag,
  with_custom_data: flag,
  custom_data: jsonObject.optional(),
  /** Read, so that a wrong one is refused; nothing here depends on it. */
  context: jsonObject.optional(),
  authorization_params: jsonObject.optional(),
});
export type StartQuery = z.output<typeof startSchema>;

/**
 * The sign-in that a window requests. The result can be reported only to a page of the application.
 * @throws ProviderError applicationDoesNotExist, originNotAllowed, invalidParameters
 */
export async function readStartQuery(
  deps: ConnectionDeps,
  query: StartQuery,
  { headers }: Pick<FastifyRequest, 'headers'>,
): Promise<Omit<Interaction, 'identifier' | 'language'>> {
  const { settings } = deps.context;
  const application = await requireApplication(deps, query.app_id ?? settings.application.id);
  const origins = originsOf(deps, application);
  const isOurs = (url: string): boolean => origins.includes(new URL(url).origin);
  const { relay_method: method = 'web_message', target_url: targetUrl, uuid } = query;
  if (targetUrl !== undefined && !isOurs(targetUrl)) {
    throw new ProviderError(connectionRefusals.originNotAllowed);
  }
  if (method !== 'web_message' && targetUrl === undefined) {
    const fields = [{ path: 'target_url', code: 'invalid_type' }];
    throw new ProviderError(refusals.invalidParameters, { fields });
  }
  const { referer } = headers;
  const cameFrom = referer !== undefined && URL.canParse(referer) && isOurs(referer);
  const { custom_data: customData = {} } = query;
  // Otherwise, a link on any page could write to the account of a user who follows it.
  if (Object.keys(customData).length > 0 && !cameFrom) {
    throw new ProviderError(connectionRefusals.originNotAllowed);
  }
  return {
    appId: application.appId,
    tellsState: false,
    relay: { method, targetUrl, uuid },
    wishes: {
      withIdentities: query.with_identities,
      withCustomData: query.with_custom_data,
      customData,
    },
    ...(targetUrl !== undefined && { targetOrigin: new URL(targetUrl).origin }),
    ...(cameFrom && { returnUrl: referer }),
    ...(query.redirected && { hosted: pageOf(settings.baseUrl, query) }),
  };
}

/**
 * The page of this provider to which an in-app browser without windows returns.
 * @throws ProviderError originNotAllowed
 */
function pageOf(
  baseUrl: string,
  { redirect_url: redirectUrl, uuid = '' }: StartQuery,
): NonNullable<Interaction['hosted']> {
  if (uuid === '' || redirectUrl !== `${baseUrl}/interaction/oidc/${uuid}/login`) {
    throw new ProviderError(connectionRefusals.originNotAllowed);
  }
  return { kind: 'oidc', uid: uuid, isUnsure: true };
}
