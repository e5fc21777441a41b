import { inflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkSamlMessage } from './check-saml-message.ts';
import type { SamlExtract, SamlMessage } from './saml-library.ts';
import type { SamlParties } from './saml-parties.ts';

const LONGEST_BYTES = 64 * 1_024;

const sentSchema = z.object({
  SAMLRequest: z.string().max(LONGEST_BYTES).optional(),
  RelayState: z.string().max(2_048).optional(),
  SigAlg: z.string().max(256).optional(),
  Signature: z.string().max(8_192).optional(),
});

/** A message as it came, read but not believed. */
export interface SentSaml {
  readonly binding: 'redirect' | 'post';
  readonly sent: z.output<typeof sentSchema>;
  /** Empty when there is no message. */
  readonly xml: string;
  readonly relayState: string | undefined;
  readonly rawQuery: string;
}

/** @throws Error when it cannot be read, or is no message of SAML */
export async function readSaml(request: FastifyRequest): Promise<SentSaml> {
  const binding = request.method === 'POST' ? 'post' : 'redirect';
  const sent = sentSchema.parse(binding === 'post' ? (request.body ?? {}) : request.query);
  const rawQuery = request.url.split('?')[1] ?? '';
  const base = { binding, sent, relayState: sent.RelayState, rawQuery } as const;
  if (sent.SAMLRequest === undefined) return { ...base, xml: '' };
  const bytes = Buffer.from(sent.SAMLRequest, 'base64');
  const xml = (binding === 'post' ? bytes : inflate(bytes)).toString('utf8');
  await checkSamlMessage(xml);
  return { ...base, xml };
}

/** The issuer that a message names; nothing of it is proven. */
export function issuerIn({ xml }: Pick<SentSaml, 'xml'>): string | undefined {
  return /<(?:\w+:)?Issuer\b[^>]*>\s*([^<\s]+)\s*</.exec(xml)?.[1];
}

/** What samlify is given to check the signature: of a redirect, the very texts that were signed. */
export function requestFor({ binding, sent, rawQuery }: SentSaml): SamlMessage {
  if (binding === 'post') return { body: sent };
  const parts = rawQuery.split('&');
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) =>
    parts.filter((part) => part.startsWith(`${name}=`)).slice(0, 1),
  );
  return { query: sent, octetString: signed.join('&') };
}

/** Checked and believed: signature where one is wanted, issuer, times. */
export async function parseLogin({ idp, sp }: SamlParties, saml: SentSaml): Promise<SamlExtract> {
  const { extract } = await idp.parseLoginRequest(sp, saml.binding, requestFor(saml));
  return extract;
}

function inflate(bytes: Buffer): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: LONGEST_BYTES });
}
