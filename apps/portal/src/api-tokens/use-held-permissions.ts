import { mayHoldByToken } from '@deviceportal/contract/api-tokens';
import type { Permission } from '@deviceportal/contract/permissions';
import { sortPermissions } from '../access/roles/permission-words.ts';
import { useViewer } from '../session/viewer-context.tsx';

/** The permissions of the viewer that a token can have. */
export function useHeldPermissions(): readonly Permission[] {
  const { detail } = useViewer();
  const all = new Set(detail.grants.flatMap(({ permissions }) => permissions));
  return sortPermissions([...all].filter(mayHoldByToken));
}
