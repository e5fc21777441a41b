import { z } from 'zod';
import { textSchema } from '../wire/text-schema.ts';
import { StsError } from './sts-error.ts';

const sessionText = z.string().regex(/^[\w+=,.@-]{2,64}$/);

/** Longer texts of this endpoint than AWS's 2,048 characters of a session policy are refused before they are read. */
const MAX_POLICY_CHARACTERS = 2_048;

/** AssumeRole; parameters that would have to change what is granted, and are not evaluated here, are refused. */
const assumeRoleSchema = z.object({
  RoleArn: textSchema.min(20).max(2_048),
  RoleSessionName: sessionText,
  DurationSeconds: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .optional(),
  Policy: textSchema.min(1).optional(),
  ExternalId: z
    .string()
    .regex(/^[\w+=,.@:/-]{2,1224}$/)
    .optional(),
  SourceIdentity: sessionText.optional(),
});

const NOT_EVALUATED =
  /^(Tags|TransitiveTagKeys|PolicyArns|ProvidedContexts)\.|^(SerialNumber|TokenCode)$/;

export type AssumeRoleParameters = z.output<typeof assumeRoleSchema>;

/** @throws StsError ValidationError or PackedPolicyTooLarge */
export function readAssumeRole(form: ReadonlyMap<string, string>): AssumeRoleParameters {
  const foreign = [...form.keys()].find((name) => NOT_EVALUATED.test(name));
  if (foreign !== undefined) throw validationError(`${foreign} is not supported.`);
  const parsed = assumeRoleSchema.safeParse(Object.fromEntries(form));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = String(issue?.path[0] ?? '');
    throw validationError(
      `1 validation error detected: Value at '${name.charAt(0).toLowerCase()}${name.slice(1)}' failed to satisfy constraint: ${issue?.message ?? ''}`,
    );
  }
  if ((parsed.data.Policy?.length ?? 0) > MAX_POLICY_CHARACTERS) {
    throw new StsError(
      'PackedPolicyTooLarge',
      `The session policy can have at most ${MAX_POLICY_CHARACTERS} characters.`,
    );
  }
  return parsed.data;
}

function validationError(message: string): StsError {
  return new StsError('ValidationError', message);
}
