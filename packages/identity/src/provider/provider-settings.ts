import { z } from 'zod';
import { connectionsSchema } from '../connections/connection.ts';

/** See `PlugInUse`. */
const plugInUse = z.enum(['if-installed', 'required', 'off']).default('if-installed');

const DAY_SECONDS = 86_400;

const applicationSchema = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  name: z.string().min(1).max(128).default('Device Portal'),
  secret: z.string().min(16),
  redirectUris: z.array(z.url()),
  logoutRedirectUris: z.array(z.url()).default([]),
  /** Users must be invited by default. */
  registration: z.enum(['as-provider', 'open', 'closed']).default('closed'),
});

const settingsSchema = z.object({
  /** Public address of the provider, without a slash at the end: the application host of the contract. */
  baseUrl: z.url().regex(/[^/]$/, 'must not end with a slash'),
  userPoolId: z.string().regex(/^[\w-]{1,64}$/),
  /** The application that is there from the first start. */
  application: applicationSchema,
  /** Life of a sign-in, counted from its start. */
  sessionSeconds: z
    .number()
    .int()
    .min(60)
    .default(14 * DAY_SECONDS),
  /** Life of a user token; a sign-in that ends earlier ends it too. */
  tokenSeconds: z
    .number()
    .int()
    .min(60)
    .default(14 * DAY_SECONDS),
  /** How long a new signing key is published before it signs. */
  keyOverlapSeconds: z.number().int().min(60).max(DAY_SECONDS).default(600),
  /** Age in days at which the signing key is rotated automatically. */
  keyMaxAgeDays: z.number().int().min(1).max(3_650).default(90),
  /** The country of numbers that come without one. */
  phoneCountryCode: z
    .string()
    .regex(/^\+\d{1,4}$/)
    .default('+86'),
  /** Required password strength: docs/design/sign-in.md, section 3, "Password strength levels". */
  passwordStrength: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]).default(1),
  /** Characters of the shortest new password. */
  shortestPassword: z.number().int().min(1).max(64).default(12),
  /** How much work a look at a password is: the logarithm of scrypt's N. */
  passwordCostBits: z.number().int().min(8).max(20).default(15),
  /** Whether users can register at applications without their own setting. */
  registration: z.enum(['on', 'off']).default('off'),
  /**
   * Email domains whose verified addresses can register at the first application although it is
   * closed.
   */
  registrationDomains: z
    .array(z.string().regex(/^[a-z0-9.-]+\.[a-z0-9-]+$/))
    .max(100)
    .default([]),
  /**
   * Whether to hide which accounts exist: all users get the same responses with the same amount of
   * work.
   */
  hideUsers: z.boolean().default(false),
  /** `required`: all users need a second factor, also those without one. */
  secondStep: z.enum(['optional', 'required']).default('optional'),
  /** Whether faces can be a second step: needs `@deviceportal/identity-face`. */
  face: plugInUse,
  /** Whether real names can be authenticated: needs `@deviceportal/identity-real-name`. */
  realName: plugInUse,
  /** Origins from which photos of faces may be fetched; none: they have to be uploaded. */
  photoOrigins: z.array(z.url().transform((url) => new URL(url).origin)).default([]),
  /** Origins whose pages can call with cookies, in addition to those of the application's URIs. */
  allowedOrigins: z.array(z.url()).default([]),
  /** The ways to sign in with an account elsewhere. */
  connections: connectionsSchema.default([]),
  /** Folder for files; undefined if features that need files are not available. */
  dataDir: z.string().optional(),
  /** `off` lifts limits against guessing for automated clients; the operator must refuse it in production. */
  limits: z.enum(['on', 'off']).default('on'),
});

export type ProviderSettings = z.output<typeof settingsSchema>;
export type ProviderSettingsInput = z.input<typeof settingsSchema>;

/**
 * Fills in the defaults and checks the values.
 * @throws z.ZodError with the path of each wrong value
 */
export function completeProviderSettings(input: ProviderSettingsInput): ProviderSettings {
  return settingsSchema.parse(input);
}
