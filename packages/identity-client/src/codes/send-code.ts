import { operation } from '../core/graphql-operation.ts';
import type { CallOptions, IdentityClient } from '../core/identity-client.ts';
import type { EmailScene } from './email-scene.ts';
import type { SceneType } from './scene-type.ts';

/** The provider's confirmation of a call. */
export interface CommonMessage {
  readonly message?: string;
  readonly code?: number;
}

export interface SmsCode {
  readonly phone: string;
  readonly phoneCountryCode?: string | undefined;
  readonly scene?: SceneType | undefined;
}

const SEND_EMAIL = operation(
  'mutation',
  'sendEmail',
  { email: 'String!', scene: 'EmailScene!' },
  'message code',
);

/** Sends an email with a code or a link, depending on the purpose. */
export async function sendEmailCode(
  client: IdentityClient,
  { email, scene }: { readonly email: string; readonly scene: EmailScene },
  { signal }: CallOptions = {},
): Promise<CommonMessage> {
  const variables = { email, scene };
  return (await client.graphql({ operation: SEND_EMAIL, variables, signal })) as CommonMessage;
}

/** Sends a code by text message. */
export async function sendSmsCode(
  client: IdentityClient,
  { phone, phoneCountryCode, scene }: SmsCode,
  { signal }: CallOptions = {},
): Promise<CommonMessage | undefined> {
  const body = { phone, phoneCountryCode, scene };
  const reply = await client.rest({ method: 'POST', path: '/api/v2/sms/send', body, signal });
  return reply as CommonMessage | undefined;
}
