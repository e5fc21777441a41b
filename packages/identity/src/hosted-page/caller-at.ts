import type { Caller } from '../provider/wire/caller.ts';
import type { Visit } from './send-page.ts';

/** The caller of the page's forms. */
export function callerAt({ language, request, waiting }: Visit): Caller {
  return {
    application: waiting.application,
    language,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    requestId: request.id,
    token: undefined,
  };
}
