import { createHash } from 'node:crypto';
import type { RunnableDocument } from '../../documents/find-runnable-document.ts';
import { canonicalJson } from './canonical-json.ts';
import type { EffectDocument } from './planned-effect.ts';

type Digested = Pick<
  RunnableDocument,
  'name' | 'version' | 'sha256' | 'consequence' | 'secretParameters' | 'parsed' | 'phases'
>;

/**
 * The digest covers the parsed content that is sent, not only its text, because both are stored and either can be
 * changed.
 */
export function effectDocument({ name, version, ...content }: Digested): EffectDocument {
  const { sha256, consequence, secretParameters, parsed, phases } = content;
  const covered = { sha256, consequence, secretParameters, parsed, phases };
  return {
    name,
    version,
    sha256: createHash('sha256').update(canonicalJson(covered)).digest('hex'),
  };
}
