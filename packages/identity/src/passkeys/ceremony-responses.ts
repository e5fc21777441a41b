import { z } from 'zod';

/** A credential ID has at most 1,023 bytes; attestation objects with certificates a few thousand. */
const id = z
  .string()
  .min(1)
  .max(1_400)
  .regex(/^[\w-]+$/);
const binary = z
  .string()
  .max(16_384)
  .regex(/^[\w-]*$/);

const credential = {
  id,
  rawId: id,
  type: z.literal('public-key'),
};

/** `PublicKeyCredential.toJSON()` after `navigator.credentials.create` (WebAuthn level 3, section 5.1). */
export const registrationResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    attestationObject: binary,
    transports: z.array(z.string().max(32)).max(8).optional(),
  }),
});

/** The same after `navigator.credentials.get`. */
export const assertionResponseSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: binary,
    authenticatorData: binary,
    signature: binary,
    userHandle: binary.nullish(),
  }),
});

export type AssertionResponse = z.output<typeof assertionResponseSchema>;
