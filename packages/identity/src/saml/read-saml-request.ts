import { inflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checkSamlMessage } from './check-saml-message.ts';
import type { SamlExtract, SamlMessage, XmlElement } from './saml-library.ts';
import type { SamlParties } from './saml-parties.ts';
import type { SamlService } from './saml-service-store.ts';

const LONGEST_BYTES = 64 * 1_024;

const sentSchema = z.object({
  // samlify would decode percent signs once more, and read another message.
  SAMLRequest: z
    .string()
    .max(LONGEST_BYTES)
    .regex(/^[^%]*$/)
    .optional(),
  RelayState: z.string().max(2_048).optional(),
  SigAlg: z.string().max(256).optional(),
  Signature: z.string().max(8_192).optional(),
});

/** A received message, parsed but not verified. */
export interface SentSaml {
  readonly binding: 'redirect' | 'post';
  readonly sent: z.output<typeof sentSchema>;
  /** Undefined when there is none. */
  readonly message: XmlElement | undefined;
  readonly relayState: string | undefined;
  readonly rawQuery: string;
}

/** @throws Error when it cannot be read, or is no message of SAML */
export async function readSaml(request: FastifyRequest): Promise<SentSaml> {
  const binding = request.method === 'POST' ? 'post' : 'redirect';
  const sent = sentSchema.parse(binding === 'post' ? (request.body ?? {}) : request.query);
  const rawQuery = request.url.slice(request.url.indexOf('?') + 1);
  const base = { binding, sent, relayState: sent.RelayState, rawQuery } as const;
  if (sent.SAMLRequest === undefined) return { ...base, message: undefined };
  const bytes = Buffer.from(sent.SAMLRequest, 'base64');
  const xml = (binding === 'post' ? bytes : inflate(bytes)).toString('utf8');
  return { ...base, message: await checkSamlMessage(xml) };
}

/** The issuer that a message names; nothing of it is proven. */
export function issuerIn({ message }: Pick<SentSaml, 'message'>): string | undefined {
  const children = Array.from(message?.childNodes ?? []);
  return children.find(({ localName }) => localName === 'Issuer')?.textContent?.trim();
}

/** Whether a sign-in of before must not do (SAML 2.0 core, section 3.4.1). */
export function isForced({ message }: Pick<SentSaml, 'message'>): boolean {
  return ['true', '1'].includes(message?.getAttribute('ForceAuthn')?.trim() ?? '');
}

/**
 * A signed message is for one place only (SAML 2.0 bindings, sections 3.4.5.2 and 3.5.5.2).
 * @throws Error when it names another one
 */
export function requireDestination(
  { message }: Pick<SentSaml, 'message'>,
  { place, service }: { readonly place: string; readonly service: SamlService },
): void {
  const destination = message?.getAttribute('Destination') ?? '';
  if (service.certificate === null || destination === '' || destination === place) return;
  throw new Error('Destination: the message is for another recipient');
}

/** Input of samlify for checking the signature. */
export function requestFor(saml: SentSaml): SamlMessage {
  const { binding, sent } = saml;
  return binding === 'post' ? { body: sent } : { query: sent, octetString: signedText(saml) };
}

/**
 * The exact signed texts of a redirect (SAML 2.0 bindings, section 3.4.4.1).
 * @throws Error if the URL encodes the parsed values differently
 */
function signedText({ rawQuery, sent }: SentSaml): string {
  const parts = rawQuery.split('&');
  const signed = (['SAMLRequest', 'RelayState', 'SigAlg'] as const).flatMap((name) => {
    if (sent[name] === undefined) return [];
    const part = parts.find((each) => each.startsWith(`${name}=`)) ?? '';
    if (new URLSearchParams(part).get(name) === sent[name]) return part;
    throw new Error(`${name} is not in canonical form`);
  });
  return signed.join('&');
}

/** Verifies a message: its signature if required, and its destination. */
export async function parseLogin(
  { idp, place, service, sp }: SamlParties,
  saml: SentSaml,
): Promise<SamlExtract> {
  requireDestination(saml, { place, service });
  const { extract } = await idp.parseLoginRequest(sp, saml.binding, requestFor(saml));
  return extract;
}

function inflate(bytes: Buffer): Buffer {
  return inflateRawSync(bytes, { maxOutputLength: LONGEST_BYTES });
}
