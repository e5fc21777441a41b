import type { FastifyRequest } from 'fastify';
import type { ProviderContext } from '../provider-context.ts';
import type { Caller } from './caller.ts';
import { ProviderError, type WireLanguage } from './provider-error.ts';
import { refusals } from './refusals.ts';

/**
 * The caller of a request. The application is named by `x-authing-app-id`, or by the query of calls without headers;
 * without one, it is the application created at the first start.
 * @throws ProviderError applicationDoesNotExist, userPoolDoesNotExist
 */
export async function callerOf(
  { applications, settings }: Pick<ProviderContext, 'applications' | 'settings'>,
  request: FastifyRequest,
): Promise<Caller> {
  const appId = textOf(request.headers['x-authing-app-id']) ?? settings.application.id;
  const application = await applications.find(appId);
  if (application === undefined) throw new ProviderError(refusals.applicationDoesNotExist);
  const pool = textOf(request.headers['x-authing-userpool-id']);
  if (pool !== undefined && pool !== application.userPoolId) {
    throw new ProviderError(refusals.userPoolDoesNotExist);
  }
  return {
    application,
    language: languageOf(request),
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    token: bearerOf(request),
  };
}

/** Chinese unless English is requested (identity-sdk.md, section 1, option `lang`). */
export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): WireLanguage {
  return textOf(headers['x-authing-lang'])?.toLowerCase().startsWith('en') ? 'en-US' : 'zh-CN';
}

export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}
