import type { IdentityClientOptions } from '../core/options.ts';
import type { SessionStore } from '../core/session-store.ts';
import { send, statusError } from '../core/send.ts';
import { urlOf } from '../core/base-url.ts';
import { shellClient, type HttpRequest, type RequestSender } from './shell-client.ts';

/** Calls that use the provider's response envelope and the current user's token. */
export class HttpClient implements RequestSender {
  readonly options: IdentityClientOptions;
  readonly tokenProvider: SessionStore;

  constructor(options: IdentityClientOptions, tokenProvider: SessionStore) {
    this.options = options;
    this.tokenProvider = tokenProvider;
  }

  request({ method = 'GET', url = '', params, data }: HttpRequest): Promise<unknown> {
    return shellClient(this.options, this.tokenProvider).rest({
      method: methodOf(method),
      base: url,
      path: '',
      ...(params ? { query: params } : {}),
      ...(data ? { body: data } : {}),
    });
  }
}

/** Calls without the response envelope and without the current user's token. */
export class NaiveHttpClient implements RequestSender {
  readonly options: IdentityClientOptions;

  constructor(options: IdentityClientOptions) {
    this.options = options;
  }

  async request(config: HttpRequest): Promise<unknown> {
    const client = shellClient(this.options, undefined);
    const { method = 'GET', url = '', params, data, headers } = config;
    const answer = await send(client, {
      method: methodOf(method),
      url: urlOf(url, '', params),
      ...(headers ? { headers } : {}),
      ...(data ? { body: JSON.stringify(data) } : {}),
    });
    if (!answer.ok) throw statusError(client, answer);
    return answer.body;
  }
}

function methodOf(method: string): 'GET' | 'POST' | 'DELETE' {
  const upper = method.toUpperCase();
  return upper === 'POST' || upper === 'DELETE' ? upper : 'GET';
}
