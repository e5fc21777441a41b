import { safeParse } from '@deviceportal/contract/safe-parse';
import type { z } from 'zod';
import type { CallOrigin } from './call-origin.ts';
import { invalidParameter } from './wire-error.ts';

/** One operation of the wire: takes the parsed JSON body, gives the output; undefined where the model has none. */
export type Operation = (body: unknown, origin: CallOrigin) => Promise<object | undefined>;

/** Puts the check of the input in front of an operation. */
export function operation<Input>(
  schema: z.ZodType<Input>,
  run: (input: Input, origin: CallOrigin) => Promise<object | void>,
): Operation {
  return async (body, origin) => {
    return (await run(parseBody(schema, body), origin)) ?? {};
  };
}

/** @throws InvalidParameterException */
export function parseBody<Input>(schema: z.ZodType<Input>, body: unknown): Input {
  const parsed = safeParse(schema, body);
  if (!parsed.success) throw invalidInput(parsed.error);
  return parsed.data;
}

/** Names the place and the rule, never the value: it may be a secret. */
function invalidInput(error: z.ZodError) {
  const lines = error.issues.map(
    (issue) => `Value at '${issue.path.join('.')}' failed to satisfy constraint: ${issue.message}`,
  );
  return invalidParameter(
    `${lines.length} validation error${lines.length === 1 ? '' : 's'} detected: ${lines.join('; ')}`,
  );
}
