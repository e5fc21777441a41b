import type { AuditBlock } from '@deviceportal/audit-proof/audit-block';
import { auditBlockSchema } from '@deviceportal/audit-proof/proof-lines';
import { z } from 'zod';

/** A line of an anchor file: a block, or the time stamp of a block. */
const anchorLineSchema = z.discriminatedUnion('kind', [
  auditBlockSchema.extend({ kind: z.literal('block') }),
  z.object({
    kind: z.literal('time-stamp'),
    number: z.int().positive(),
    /** Hash of the block, which the time stamp covers. */
    hash: z.string().regex(/^[0-9a-f]{64}$/),
    /** RFC 3161 token, DER. */
    token: z.base64(),
  }),
]);

export type AnchorLine = z.infer<typeof anchorLineSchema>;

export function blockLine(block: AuditBlock): string {
  const { number, firstSequence, count, root, previousHash, hash } = block;
  const { sealedAt, keyId, signature } = block;
  const line: AnchorLine = {
    ...{ kind: 'block', number, firstSequence, count, root, previousHash, hash },
    ...{ sealedAt, keyId, signature },
  };
  return JSON.stringify(line);
}

export function timeStampLine(
  stamp: Omit<Extract<AnchorLine, { kind: 'time-stamp' }>, 'kind'>,
): string {
  return JSON.stringify({ kind: 'time-stamp', ...stamp } satisfies AnchorLine);
}

/** Null if the text is not a line of an anchor file. */
export function parseAnchorLine(text: string): AnchorLine | null {
  try {
    return anchorLineSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
