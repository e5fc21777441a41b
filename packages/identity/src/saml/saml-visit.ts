import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../applications/application.ts';
import type { ProviderContext } from '../provider/provider-context.ts';

/** A request at an application's SAML identity provider. */
export interface SamlVisit {
  readonly context: ProviderContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly application: Application;
  readonly certificate: string;
}
