import { administer, type Administering } from './administer.ts';
import type { ActOrigin } from './administration-act.ts';
import type { ProviderContext } from '../provider/provider-context.ts';
import { inPortalWords } from './in-portal-words.ts';

/** One act of an administrator: it is done and written down, or neither. */
export type AdministerProvider = <Result>(
  origin: ActOrigin,
  work: (act: Administering) => Promise<Result>,
) => Promise<Result>;

export function administerProvider({
  db: pool,
  clock,
  writeAct,
}: Pick<ProviderContext, 'db' | 'clock' | 'writeAct'>): AdministerProvider {
  return (origin, work) => inPortalWords(administer({ pool, clock, writeAct }, origin, work));
}
