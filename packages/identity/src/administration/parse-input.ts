import { refuse } from '@deviceportal/contract/refuse';
import { safeParse } from '@deviceportal/contract/safe-parse';
import type { z } from 'zod';

/** @throws PortalError invalidParameters naming each wrong field */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = safeParse(schema, input);
  if (parsed.success) return parsed.data;
  throw refuse('input-invalid', {
    issues: parsed.error.issues.map((issue) => ({
      path: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      message: issue.message,
    })),
  });
}
