import type { z } from 'zod';
import { refuse } from '@deviceportal/contract/refuse';
import { safeParse } from '@deviceportal/contract/safe-parse';
import { issuesOf } from '../issues-of.ts';

/**
 * Parses the parameters of a route.
 *
 * @throws PortalError 2004 with the invalid paths
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.infer<Schema> {
  const parsed = safeParse(schema, input);
  if (!parsed.success) throw refuse('input-invalid', { issues: issuesOf(parsed.error) });
  return parsed.data;
}
