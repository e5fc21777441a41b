import { z } from 'zod';

/** How long a person at the device has to answer. */
export const TERMINAL_CONSENT_MS = 60_000;

/** What the key of the device signs when a person at the device has agreed. */
export const terminalConsentSchema = z.object({
  session: z.uuid(),
  deviceId: z.string().max(64),
  /** SHA-256 of the signed request, so that an answer belongs to one session and its reason. */
  requestSha256: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
});
export type TerminalConsent = z.infer<typeof terminalConsentSchema>;

/** The consent with its signature (ECDSA with SHA-256) and the certificate of the device. */
export const signedConsentSchema = z.object({
  payload: z.string().max(2_048),
  signature: z.base64().max(1_024),
  certificate: z.string().max(8_192),
});
export type SignedConsent = z.infer<typeof signedConsentSchema>;

/** The bytes that are signed. No other text that devices sign begins like this. */
export const consentText = (payload: string): string =>
  `deviceportal-terminal-consent-v1\n${payload}`;
