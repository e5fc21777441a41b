import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/application.ts';
import type { ProviderContext } from '../provider/provider-context.ts';

/** Somebody at one application's identity provider. */
export interface SamlVisit {
  readonly context: ProviderContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly application: Application;
  readonly certificate: string;
}
